"""Two results of a benchmark that nothing tells apart."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.finding import Level

_UNSTATED = "unstated"


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    first: dict[tuple[str, str, int | None], str] = {}
    for pointer, result in record.mappings("/results"):
        metric, position = result.get("metric"), result.get("position")
        statistic = result.get("statistic", _UNSTATED)
        if not isinstance(metric, str) or not isinstance(statistic, str):
            continue
        place = position if isinstance(position, int) else None
        earlier = first.setdefault((metric, statistic, place), pointer)
        if earlier != pointer:
            which = metric if statistic == _UNSTATED else f"{metric} {statistic}"
            at = "" if place is None else f" at draft position {place}"
            yield Fault(
                f"{pointer}/metric",
                f"{which}{at} stands at {earlier} already",
                "give each its statistic, or file the other operating point as a record of its own; "
                "repeated runs of one point go under `repeats`",
            )


RULE = Rule(
    name="duplicate-result",
    level=Level.ERROR,
    summary="A metric and statistic stand twice in one record.",
    why=(
        "One record is one operating point, so it has one median TTFT and one output throughput. A second "
        "one comes from another operating point, from another run, or from a lost statistic (p50 and p99 "
        "filed without saying which), and a query that expects one row gets two. Acceptance rates by draft "
        "position are told apart by `position`. A result without a statistic counts as `unstated`."
    ),
    kinds=("benchmark",),
    check=check,
)
