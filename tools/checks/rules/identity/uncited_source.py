"""A source that no record cites."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tools.checks.rule import Fault, Ledger, PlacedFault, Record, Rule
from tools.finding import Level
from tools.records.catalog import Catalog
from tools.records.parse import Json
from tools.schema.references import ANY

_STANDS = "stands"
_CITES = "cites"


def gather(record: Record, ledger: Ledger) -> Json:
    """The ids a record names beside its own, and for a source that still stands its id."""
    cited = {name for _, kind, name in ledger.references(record) if kind in ("source", ANY)} - {record.id}
    fact: dict[str, Json] = {_CITES: [*sorted(cited)]}
    if record.kind == "source" and record.text("/status") not in ("retracted", "superseded"):
        fact[_STANDS] = record.id
    return fact


def survey(facts: Mapping[str, Json], catalog: Catalog) -> Iterator[PlacedFault]:
    if len(facts) < len(catalog.files()):
        return  # A file that could not be read may cite anything.
    cited: set[str] = set()
    sources: list[tuple[str, Json]] = []
    for file, fact in facts.items():
        if isinstance(fact, dict):
            names = fact.get(_CITES)
            if isinstance(names, list):
                cited.update(name for name in names if isinstance(name, str))
            if _STANDS in fact:
                sources.append((file, fact[_STANDS]))
    for file, source in sources:
        if source not in cited:
            yield PlacedFault(
                file,
                Fault(
                    "/id",
                    f"no record cites `{source}`",
                    "cite it where it is used, or say in `notes` what it is kept for",
                ),
            )


RULE = Rule(
    name="uncited-source",
    level=Level.INFO,
    summary="No record cites a source.",
    why=(
        "A source record exists so that numbers can trace to it. One that nobody cites is harmless, but "
        "often the sign of a citation that was forgotten, or that names another source by mistake. Citations "
        "in the evidence of an audit log count; a source's mention of itself does not. Only a check of the "
        "whole ledger sees this, and only when every file of it can be read."
    ),
    gather=gather,
    survey=survey,
)
