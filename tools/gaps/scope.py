"""Which records are asked for: those that name an accelerator, a model and a source, or are it."""

from __future__ import annotations

from dataclasses import dataclass

from tools.errors import ToolsError
from tools.records.catalog import Catalog, Entry
from tools.records.parse import Json
from tools.schema.references import references


@dataclass(frozen=True, slots=True)
class Scope:
    """Ids that a record has to name, or be; None asks for nothing."""

    accelerator: str | None = None
    model: str | None = None
    source: str | None = None

    @property
    def wanted(self) -> tuple[tuple[str, str], ...]:
        """(kind, id) of all that is asked for."""
        named = (("accelerator", self.accelerator), ("model", self.model), ("source", self.source))
        return tuple((kind, name) for kind, name in named if name is not None)

    def takes(self, entry: Entry, record: Json) -> bool:
        """Whether a record is asked for."""
        wanted = self.wanted
        if not wanted:
            return True
        named = {(reference.kind, reference.id) for reference in references(entry.kind, record)}
        named.add((entry.kind, entry.id))
        return all(one in named for one in wanted)

    def takes_source(self, source: str | None) -> bool:
        """Whether what is told of one source is asked for."""
        return self.source is None or self.source == source


def check(catalog: Catalog, scope: Scope) -> None:
    """Raises `ToolsError` for an id that no record of its kind has."""
    for kind, name in scope.wanted:
        found = catalog.find(name)
        if found is None or found.kind != kind:
            near = catalog.nearest(name, kind)
            raise ToolsError(
                f"there is no {kind} `{name}`",
                f"did you mean {' or '.join(f'`{one}`' for one in near)}?"
                if near
                else f"see data/{kind}s/ for the ids",
            )
