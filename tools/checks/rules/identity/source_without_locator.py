"""A citation that names a document and no place in it."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules.identity.places import values_of
from tools.finding import Level


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    for pointer, citation in values_of(record, "citation"):
        if isinstance(citation, dict) and "locator" not in citation:
            source = citation.get("source_id")
            named = f"`{source}`" if isinstance(source, str) else "a source"
            yield Fault(
                pointer,
                f"{named} is cited without the place in it",
                "add `locator`: section, table, figure, row, key or line",
            )


RULE = Rule(
    name="source-without-locator",
    level=Level.ERROR,
    summary="A source is cited without the place in it.",
    why=(
        "A number can be checked only if the next person finds it. A paper of forty pages or a log of ten "
        "thousand lines is not a place; `Appendix G.3`, `Table 2, row H100` or `line 812` is. Every citation "
        "needs its locator: those of the record, of a single result and of a comparison."
    ),
    check=check,
)
