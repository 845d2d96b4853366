"""The sources of a call: that of the file, and one for each `--set`."""

from __future__ import annotations

from dataclasses import replace

from tools.audit.evidence import read_evidence
from tools.errors import ToolsError
from tools.importers.draft import Citation
from tools.importers.names import Names
from tools.importers.programs.settings import Setting, read_setting
from tools.records.catalog import Catalog

_MAKE = (
    'a source record is made by: tools new source ID --set "/title=..." --set /type=private_run, and named by '
    "--source ID:LOCATOR"
)


def read_sources(sources: list[str], settings: list[str], names: Names) -> tuple[Citation, list[Setting]]:
    """The citation of the file and the settings, each with its own. Raises `ToolsError` where one is missing.

    The first source is that of the file, the further ones belong to the settings in their order; one alone is for
    all of them.
    """
    if not sources:
        raise ToolsError("the records need the source of the file: --source ID:LOCATOR", _MAKE)
    if len(sources) not in (1, len(settings) + 1):
        raise ToolsError(
            f"{len(sources)} sources are given for the file and {len(settings)} settings",
            "give one for all, or first that of the file and then one for each --set, in their order",
        )
    own = _citation(sources[0], names.catalog)
    cited = [_citation(text, names.catalog) for text in sources[1:]] or [own] * len(settings)
    made = [
        read_setting(text, replace(citation, read_from="text"), names)
        for text, citation in zip(settings, cited, strict=True)
    ]
    return own, [
        replace(setting, citation=replace(setting.citation, note=f"states {setting.name}"))
        for setting in made
    ]


def measured_by_of(citation: Citation, catalog: Catalog) -> str:
    """Who measured, as the type of the source tells: a private run is the contributor's own."""
    record = catalog.record(citation.source_id) or {}
    return "self" if record.get("type") == "private_run" else "third_party"


def _citation(text: str, catalog: Catalog) -> Citation:
    try:
        found = read_evidence(text, catalog, None)
    except ToolsError as error:
        raise ToolsError(error.message, error.hint if ":" not in text else _MAKE) from error
    if found.source_id is None:
        raise ToolsError(f"`{text.partition(':')[0]}` is no source record", _MAKE)
    return Citation(found.source_id, found.locator or "")
