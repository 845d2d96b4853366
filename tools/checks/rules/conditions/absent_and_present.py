"""A condition that is declared absent and stated all the same."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules.conditions.standing import standing
from tools.finding import Level


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    found = standing(record)
    for absence in found.declared:
        name = absence.condition
        place = found.stated.get(name)
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
    needs=(("/absent",),),
    check=check,
)
