"""A date that has not come yet."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules.identity.days import days_of
from tools.finding import Level


def check(record: Record, ledger: Ledger) -> Iterator[Fault]:
    for pointer, text, day in days_of(record):
        if day is not None and day > ledger.today:
            yield Fault(
                pointer,
                f"{text} lies after today, {ledger.today}",
                "check the year and the order of month and day",
            )


RULE = Rule(
    name="date-in-future",
    level=Level.ERROR,
    summary="A date lies in the future.",
    why=(
        "Every date of a record tells of something that happened: a run, a release, a visit to a source, a "
        "step of the audit log. One that lies after the day of the check is a mistake, mostly a wrong year, "
        "and an audit entry with such a date would come after every later one. Every field that the schema "
        "defines as a date is looked at; today is not the future."
    ),
    check=check,
)
