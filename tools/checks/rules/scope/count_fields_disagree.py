"""Counts of accelerators that contradict one another, or the name of the system."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.point import operating_point
from tools.checks.quantity import shown
from tools.checks.recount import accelerators
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules.scope.counts_in_names import gather, survey
from tools.finding import Level


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    if "hardware" not in record.value:
        return
    point = operating_point(record)
    total, each, nodes = (
        point.number(f"/hardware/{name}") for name in ("accelerator_count", "accelerators_per_node", "nodes")
    )
    if total and each and nodes and each.value * nodes.value != total.value:
        yield Fault(
            total.pointer,
            f"{each.text} per node x {nodes.text} nodes = {shown(each.value * nodes.value)} accelerators, but "
            f"accelerator_count says {total.text}",
            "see which of the three the source has otherwise; a number in the system's name is not one of them",
        )
    count = accelerators(point)
    pools = [
        point.number(f"/disaggregation/{pool}_accelerators", f"{pool}") for pool in ("prefill", "decode")
    ]
    if count and pools[0] and pools[1] and pools[0].value + pools[1].value != count.value:
        both = pools[0].value + pools[1].value
        yield Fault(
            count.pointer,
            f"prefill {pools[0].text} + decode {pools[1].text} = {shown(both)} accelerators, but there are "
            f"{count.text}",
            "count the accelerators of both pools, and of every replica of them",
            level=None if both > count.value else Level.WARNING,
        )


RULE = Rule(
    name="count-fields-disagree",
    level=Level.ERROR,
    summary="Counts of accelerators contradict one another, or the name of the system.",
    why=(
        "Result tables carry accelerators per node, nodes, sometimes the total, and a system name with its own "
        "`8x`. When the first three disagree, every rate per accelerator is wrong by the quotient, so the record is "
        "refused. A name is weaker: a row named 72x that lists 72 nodes of 4 is a rack's name on 288 accelerators, "
        "and the rate per accelerator of its siblings bears that out. So a name only raises a question, and not "
        "where such a sibling answers it."
    ),
    reference="mlcommons/inference_results_v5.1, gbeezybez/inference_results_v6.0 summary_results.json",
    formula=(
        "accelerators_per_node x nodes = accelerator_count; prefill + decode accelerators = accelerator_count (fewer: "
        "warning); an `Nx` in system_name = the count or that of a node, unless rate / count is within 15 % of a "
        "record of the same accelerators and model (warning)"
    ),
    tolerance=(
        "none for counts. Of 1,624 MLPerf language-model rows whose name gives a count, 13 contradict their fields; "
        "processors (`2x EPYC`) are not read"
    ),
    kinds=("benchmark",),
    other_levels=(Level.WARNING,),
    needs=(("/hardware",),),
    check=check,
    gather=gather,
    survey=survey,
)
