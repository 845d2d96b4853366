"""A day that the calendar does not have."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules.identity.days import days_of
from tools.finding import Level


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    for pointer, text, day in days_of(record):
        if day is None:
            yield Fault(
                pointer, f"there is no {text} in the calendar", "look the day up where it was taken from"
            )


RULE = Rule(
    name="impossible-date",
    level=Level.ERROR,
    summary="A date names a day that does not exist.",
    why=(
        "2026-02-30 has the form of a date and passes the schema's pattern, but there is no such day. It is "
        "a slip of the pen, and which day was meant only the source can tell. Every field that the schema "
        "defines as a date is looked at. Values quoted in an audit entry's changes are not: they may say "
        "what was wrong before."
    ),
    check=check,
)
