"""Evidence as it is given on the command line: `SOURCE:LOCATOR`, a source or a record and the place in it."""

from __future__ import annotations

from collections.abc import Iterator

from tools.audit.entry import Evidence
from tools.errors import ToolsError
from tools.records.catalog import Catalog
from tools.records.parse import Json


def read_evidence(text: str, catalog: Catalog, record: dict[str, Json] | None) -> Evidence:
    """The evidence that `SOURCE[:LOCATOR]` names.

    Without a locator it is the one under which `record` cites that source, if there is one and no other. Raises
    `ToolsError` for an id that is not there (with the nearest), and where the locator is not known.
    """
    name, _, locator = text.partition(":")
    entry = catalog.require(name.strip())
    locator = locator.strip() or _cited(record, entry.id)
    is_source = entry.kind == "source"
    return Evidence(entry.id if is_source else None, None if is_source else entry.id, locator, None)


def _cited(record: dict[str, Json] | None, source_id: str) -> str:
    known = sorted(set(_locators(record, source_id)))
    if len(known) == 1:
        return known[0]
    told = f"the record cites it at {' and at '.join(known)}" if known else "the record does not cite it"
    raise ToolsError(
        f"where in `{source_id}` does it stand? {told}",
        f"name the place: --evidence '{source_id}:Table 3'",
    )


def _locators(record: dict[str, Json] | None, source_id: str) -> Iterator[str]:
    sources = record.get("sources") if record else None
    for citation in sources if isinstance(sources, list) else ():
        if isinstance(citation, dict) and citation.get("source_id") == source_id:
            locator = citation.get("locator")
            if isinstance(locator, str):
                yield locator
