"""A condition about which a benchmark says nothing."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules.conditions.standing import standing
from tools.finding import Level
from tools.schema.vocabulary import vocabulary


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    found = standing(record)
    declared = {absence.condition for absence in found.declared}
    for name, place in found.stated.items():
        if place is None and name not in declared:
            condition = vocabulary().conditions[name]
            yield Fault(
                "/absent" if "absent" in record.value else "/conditions",
                f"`{name}` is neither stated nor declared absent",
                f"state it at {' or '.join(condition.stated_by)}; where the source is silent, list it in "
                f"`absent` with what would recover it: {condition.would_need}",
                at_key=True,
            )


RULE = Rule(
    name="condition-missing",
    level=Level.ERROR,
    summary="A benchmark neither states a condition nor declares it absent.",
    why=(
        "A throughput without its load, its lengths or its engine version cannot be compared with anything, "
        "and a reader cannot tell a forgotten condition from one that the source does not give. So each of "
        "the eight conditions (model, hardware, load, input length, output length, engine version, warm-up, "
        "scenario) is either stated or listed in `absent` with the reason. Nothing is filled in: a plausible "
        "value is worse than an absent one."
    ),
    kinds=("benchmark",),
    check=check,
)
