"""An entry that is dated before the one above it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules.identity.days import day_of
from tools.finding import Level


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    previous: date | None = None
    for pointer, entry in record.mappings("/audit"):
        day = day_of(entry.get("date"))
        if day is None:
            continue
        if previous is not None and day < previous:
            yield Fault(
                f"{pointer}/date",
                f"{day} is dated before the entry above it, {previous}",
                "put the entries in the order they were made, oldest first; a date is the day of the step, "
                "not of the fault it mends",
            )
        previous = day


RULE = Rule(
    name="audit-out-of-order",
    level=Level.ERROR,
    summary="Audit entries are not in the order of their dates.",
    why=(
        "The log is replayed from its end to its beginning, so its order is the order in which things were "
        "done. An entry dated before the one above it was put in the wrong place, or dated back. Several "
        "entries of one day are in order as they stand."
    ),
    check=check,
)
