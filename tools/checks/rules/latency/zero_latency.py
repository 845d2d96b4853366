"""A latency of zero where requests were answered."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from tools.checks.point import Figure, OperatingPoint, operating_point
from tools.checks.quantity import number
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules.latency.distribution import ranks
from tools.finding import Level
from tools.schema.vocabulary import vocabulary

_MAY_BE_ZERO = ("queue_time_ms",)
_GAPS = ("itl_ms", "inter_chunk_ms")


@cache
def _latencies() -> frozenset[str]:
    """Metrics that are a time nobody can take zero of."""
    words = vocabulary()
    times = {name for name, unit in words.units.items() if unit.dimension in ("time", "time per token")}
    return frozenset(
        metric.name
        for metric in words.metrics.values()
        if times.issuperset(metric.units) and metric.name not in _MAY_BE_ZERO
    )


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    point = operating_point(record)
    for figure in point.figures:
        if (
            figure.quantity.value <= 0
            and figure.metric in _latencies()
            and figure.statistic != "std"
            and not _convention(point, figure)
        ):
            name = f"{figure.metric} {figure.statistic}".rstrip()
            yield Fault(
                figure.quantity.pointer,
                f"{name} is {figure.quantity.text}, {_beside(point)}",
                "a latency that was not measured is left out, never filed as 0; look for failed requests, text in "
                "a field that the client does not read, or answers that were not streamed",
            )
    yield from _nothing_generated(point)


def _beside(point: OperatingPoint) -> str:
    completed = point.count("completed")
    if completed is None:
        return "which no answer can take"
    if completed.value == 0:
        return "the mean of no completed request at all"
    return f"although {completed.text} requests were answered"


def _convention(point: OperatingPoint, figure: Figure) -> bool:
    """Whether a zero gap is how the client counts: an event of k tokens has one gap and k - 1 zeros, so that a share
    1 - 1/k of the gaps is zero; and two events may be read at once, so that the smallest gap is."""
    rank = ranks().get(figure.statistic)
    if figure.metric not in _GAPS or rank is None or rank == 100:
        return False
    if rank == 0:
        return True
    together = point.tokens_per_step
    if together is not None and together.value > 1:
        return rank <= 100 * (1 - 1 / together.value)
    return figure.result.get("definition_variant") == "per_token_zero_fill"


def _nothing_generated(point: OperatingPoint) -> Iterator[Fault]:
    tokens = point.count("output_tokens")
    if tokens is None or tokens.value != 0:
        return
    completed = point.count("completed")
    if completed is None or completed.value <= 0:
        return
    asked = number(point.record.get("/conditions/output_length/nominal"))
    if asked == 0 or point.record.get("/conditions/scenario") == "prefill_only":
        return
    yield Fault(
        tokens.pointer,
        f"{completed.text} requests were answered with {tokens.text} tokens altogether",
        "the client did not see what the server generated; take the counts from the server, or drop the run",
    )


RULE = Rule(
    name="zero-latency",
    level=Level.ERROR,
    summary="A latency is zero, or answered requests have no tokens.",
    why=(
        "Nothing arrives in no time. A zero is what a client prints when it measured nothing: every request failed "
        "quietly, the reasoning text came in a field it does not read, or the answer was not streamed. One run "
        "showed 164 tok/s with every latency at 0.00; a run without a single completed request prints zeros for "
        "all of them. Averaged or ranked, such zeros win. A zero median gap between tokens can be a convention: "
        "some clients credit the further tokens of an event with gaps of zero, so it is let be as far as the "
        "stated tokens per event account for it. Waiting in a queue may well take no time."
    ),
    reference="sgl-project/sglang#23949, vllm-project/vllm#5895, tenstorrent/vllm#377, mlcommons/inference#1788",
    formula=(
        "every latency statistic but std > 0; counts.output_tokens > 0 where counts.completed > 0 and output was "
        "asked for. Exempt: percentiles of itl_ms and inter_chunk_ms up to 100 x (1 - 1/k) with k tokens per event"
    ),
    tolerance=(
        "none. Of 246 InferenceX result files one fires: all its latencies are 0.0 beside 0 of 640 completed "
        "requests."
    ),
    kinds=("benchmark",),
    check=check,
)
