"""A ratio between two scenarios that answer different questions."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.rule import Fault, Ledger, Record, Rule, Skip
from tools.checks.sides import COMPARED, comparisons
from tools.finding import Level

_FIELD = "conditions.scenario"


def check(record: Record, ledger: Ledger) -> Iterator[Fault | Skip]:
    for comparison in comparisons(record, ledger):
        first, second = comparison.first, comparison.second
        if first.point is None or second.point is None or comparison.allows(_FIELD):
            continue
        one, other = first.text(_FIELD), second.text(_FIELD)
        if one and other and one != other:
            yield Fault(
                second.pointer,
                f"{first.name} is {one}, {second.name} is {other}",
                "compare runs of one scenario, or add `conditions.scenario` to `varied` if it is the question",
            )
        elif (one is None) != (other is None):
            lacking = second if other is None else first
            assert lacking.point is not None
            yield Skip(second.pointer, f"the scenario of `{lacking.point.record.id}`, in its conditions")


RULE = Rule(
    name="scenario-mismatch-comparison",
    level=Level.ERROR,
    summary="Two runs of different scenarios are compared.",
    why=(
        "Offline, server and interactive runs answer different questions. Offline hands over everything at once and "
        "counts the total time; server sends requests at random and has to keep latency limits; interactive tightens "
        "them. One system's offline rate over another's server rate mixes the systems with the scenarios, and the "
        "scenario alone can account for a factor of three. Only a comparison whose subject is the scenario may "
        "differ in it, and says so in `varied`."
    ),
    reference="mlcommons/policies (results guidelines), mlcommons/inference#2191",
    formula="`conditions.scenario` of both runs is equal unless `varied` covers it",
    tolerance=(
        "none: in public MLPerf rounds server is 0.30 to 1.06 of offline on one system, interactive 0.14 to 0.99 of "
        "server"
    ),
    kinds=("benchmark",),
    needs=(COMPARED,),
    check=check,
)
