"""Ships schemas and rule examples inside the wheel; an editable install reads them from the checkout."""

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SHIPPED = {
    "schemas": "tools/_shipped/schemas",
    "tests/cases": "tools/_shipped/cases",
    "queries": "tools/_shipped/queries",
}


class ShippedData(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the data folders to a wheel that is not editable."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before the build; `version` is `editable` or `standard`."""
        if version != "editable":
            build_data["force_include"].update(SHIPPED)
