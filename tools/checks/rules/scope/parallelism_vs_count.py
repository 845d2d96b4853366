"""Degrees of parallelism that do not multiply to the accelerators."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.identities import Sum, layout_product
from tools.checks.point import OperatingPoint, operating_point
from tools.checks.quantity import Quantity, shown
from tools.checks.recount import accelerators
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.finding import Level

_INSIDE = ("expert", "attention_data")


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    if "parallelism" not in record.value:
        return
    point = operating_point(record)
    count = accelerators(point)
    if count is None or record.get("/disaggregation") is not None:
        return
    product = layout_product(point)
    if product and product.value != count.value and not _spread_by_experts(point, count):
        yield Fault(count.pointer, f"{product.text}, but there are {count.text}", _hint(product, count))
        return
    for name in _INSIDE if product else ("pipeline", "context", "data", *_INSIDE):
        degree = point.number(f"/parallelism/{name}", name)
        if degree and degree.value > count.value:
            yield Fault(
                degree.pointer,
                f"{name} parallel over {degree.text} needs as many accelerators, but there are {count.text}",
                "see the launch command for both",
            )
            return


def _spread_by_experts(point: OperatingPoint, count: Quantity) -> bool:
    """Whether experts are spread over all accelerators while attention is not split: some sources state the
    layout of the experts and leave the replicas of attention out."""
    expert = point.number("/parallelism/expert")
    stated = [point.number(f"/parallelism/{name}") for name in ("tensor", "data")]
    alone = all(degree is None or degree.value == 1 for degree in stated)
    if expert is None or not alone:
        return False
    stages = [point.number(f"/parallelism/{name}") for name in ("pipeline", "context")]
    ranks = expert.value
    for stage in stages:
        ranks *= stage.value if stage else 1
    return ranks == count.value


def _hint(product: Sum, count: Quantity) -> str:
    hint = "take both from the launch command; expert and attention data parallelism do not multiply"
    replicas, rest = divmod(count.value, product.value) if product.value else (0.0, 0.0)
    if rest == 0 and replicas > 1:
        hint += f"; {shown(replicas)} replicas are `data: {shown(replicas)}`"
    return f"{hint}; then recompute what is filed per accelerator"


RULE = Rule(
    name="parallelism-vs-count",
    level=Level.ERROR,
    summary="The degrees of parallelism do not multiply to the number of accelerators.",
    why=(
        "Every accelerator of an unsplit deployment has one place in its layout: tensor rank, pipeline stage, context "
        "part, replica. When replicas are left out of the count, every rate per accelerator is too high by their "
        "number; a planner that forgot context parallelism ranked a worker of eight as one. Experts "
        "and attention replicas live inside those ranks: multiplying by them is the opposite mistake."
    ),
    reference="SemiAnalysisAI/InferenceX#2714, ai-dynamo/aiconfigurator#1476, GitM-Labs/runtime#76",
    formula=(
        "without `disaggregation`: hardware.accelerator_count = parallelism.tensor x pipeline x context x data "
        "(1 for what is not stated beside tensor); no degree exceeds the count"
    ),
    tolerance=(
        "none, they are counts. Of 838 runs in the ML.ENERGY leaderboard 490 multiply to their number of GPUs; in "
        "the other 348 the experts are spread over all of them and the table states no replicas of attention, which "
        "is accepted"
    ),
    kinds=("benchmark",),
    needs=(("/parallelism",), ("/hardware",)),
    check=check,
)
