"""The rate of one accelerator, filed as the rate of the deployment."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.point import operating_point
from tools.checks.recount import (
    PER_ACCELERATOR,
    SYSTEM_RATES,
    accelerators,
    can_be_held,
    share_filed_as_whole,
)
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.finding import Level

_METRICS = (*SYSTEM_RATES, "decode_tok_s")


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    point = operating_point(record)
    if "hardware" not in record.value or not can_be_held(point):
        return
    for metric in _METRICS:
        if not point.of(metric):
            continue
        found = share_filed_as_whole(point, metric)
        count = accelerators(point)
        if found is None or count is None:
            continue
        figure, wanted = found
        each = PER_ACCELERATOR.get(metric)
        yield Fault(
            figure.quantity.pointer,
            f"{metric} is the rate of the whole deployment, but {wanted.text}: {figure.quantity.text} is that "
            f"divided by {count.text}",
            f"if the source gives it per accelerator, refile it as `{each}`; the value stays"
            if each
            else "file the rate of the whole deployment; the requests of one accelerator have no metric",
        )


RULE = Rule(
    name="per-accelerator-filed-as-system",
    level=Level.ERROR,
    summary="The rate of one accelerator is filed as the rate of the deployment.",
    why=(
        "Tools print rates per GPU under headings like throughput, and a reader takes them for the cluster: "
        "on sixteen accelerators that is wrong by sixteen, and no limit catches it, because a rate that is too "
        "small is always possible. The other numbers of the run give it away: its tokens over its duration, "
        "its rate per accelerator, or what is left of the total rate after the input rate."
    ),
    reference="ai-dynamo/aiconfigurator#111",
    formula=(
        "rate x hardware.accelerator_count = counts.*_tokens / counts.duration_s, or = requests_per_s x measured "
        "length, or = *_per_accelerator x accelerator_count, or = total_tok_s - the other rate; and the rate "
        "itself does not"
    ),
    tolerance=(
        "3 %, with the rounding of the operands; more than one accelerator. Two accelerators are a factor of 2, "
        "so the two readings are never close"
    ),
    kinds=("benchmark",),
    needs=(_METRICS, ("/hardware",)),
    check=check,
)
