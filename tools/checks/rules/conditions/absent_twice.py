"""A condition that is declared absent more than once."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules.conditions.standing import standing
from tools.finding import Level


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    first: dict[str, str] = {}
    for absence in standing(record).declared:
        earlier = first.setdefault(absence.condition, absence.pointer)
        if earlier != absence.pointer:
            yield Fault(
                absence.pointer,
                f"`{absence.condition}` is declared absent at {earlier.removesuffix('/condition')} already",
                "keep the absence whose reason is right",
            )


RULE = Rule(
    name="absent-twice",
    level=Level.ERROR,
    summary="A condition is declared absent more than once.",
    why=(
        "An absence has one reason. Two entries for one condition may give two (not stated, unrecoverable), "
        "and then nobody knows whether it is worth looking for the value again."
    ),
    kinds=("benchmark",),
    needs=(("/absent",),),
    check=check,
)
