"""A condition that is declared absent and stated all the same."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.finding import Level
from tools.schema.conditions import absences, stated_at
from tools.schema.vocabulary import vocabulary


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    conditions = vocabulary().conditions
    for absence in absences(record.value):
        name = absence.condition
        place = stated_at(record.value, conditions[name]) if name in conditions else None
        if place is not None:
            yield Fault(
                absence.pointer,
                f"`{name}` is declared absent, but {place} states it",
                "take the absence out if the source states it; else take the value out",
            )


RULE = Rule(
    name="absent-and-present",
    level=Level.ERROR,
    summary="A condition is declared absent and stated.",
    why=(
        "Both cannot be true. Either the absence was left in place when somebody found the value, or the "
        "value was filled in without the source stating it, which is the more dangerous of the two. Limits "
        "are not the condition: `max_batch_size` says nothing about the load, and `sequence_length` does not "
        "split into input and output."
    ),
    kinds=("benchmark",),
    check=check,
)
