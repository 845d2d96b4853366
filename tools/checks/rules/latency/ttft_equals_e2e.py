"""A first token that arrives with the last one."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.point import Figure, OperatingPoint, operating_point
from tools.checks.quantity import Quantity, shown
from tools.checks.rule import Fault, Ledger, Record, Rule, Skip
from tools.checks.thousandfold import latency_slip
from tools.finding import Level

_SHARE = 0.95
_TOKENS = 16
_BEYOND = 1.01
_STREAMED = 0.001
"""Seconds a token; a filed time per token above it says that tokens came one after the other."""
_TYPICAL = ("mean", "p50", "unstated")


def check(record: Record, _: Ledger) -> Iterator[Fault | Skip]:
    point = operating_point(record)
    firsts = point.of("ttft_ms")
    if not firsts:
        return
    lasts = {
        figure.statistic: figure.quantity for figure in point.of("e2e_latency_ms") if not figure.approximate
    }
    for figure in firsts:
        last = lasts.get(figure.statistic)
        if last is None or last.value <= 0 or figure.approximate or figure.statistic in ("std", "unstated"):
            continue
        if figure.quantity.value > last.value * (_BEYOND + figure.quantity.slack + last.slack):
            yield Fault(
                figure.quantity.pointer,
                f"the first token takes {figure.quantity.text} and the whole request {last.text} "
                f"({figure.statistic}), although the one is part of the other",
                "look at the units and at what each clock includes: a queue in one and not in the other",
                level=Level.ERROR,
            )
            return
    yield from _together(point, lasts)


def _together(point: OperatingPoint, lasts: dict[str, Quantity]) -> Iterator[Fault | Skip]:
    """The first typical figure of both that says the answer came in one piece."""
    for statistic in _TYPICAL:
        figure = point.figure("ttft_ms", statistic)
        last = lasts.get(statistic)
        if figure is None or last is None or figure.approximate or last.value <= 0:
            continue
        share = figure.quantity.value / last.value
        if share < _SHARE * (1 - figure.quantity.slack - last.slack):
            continue
        length = point.length("output")
        if length is None:
            yield Skip("/conditions/output_length", "the output length, measured or asked for")
        elif length.quantity.value >= _TOKENS and not _trickles(point) and not latency_slip(point):
            yield _fault(point, figure, last, length.quantity)
        return


def _trickles(point: OperatingPoint) -> bool:
    """Whether the time between tokens was measured: prefill or a queue can fill 95 % of a latency as well."""
    times = [found for metric in ("itl_ms", "tpot_ms") if (found := point.figure(metric, *_TYPICAL))]
    return any(found.quantity.value >= _STREAMED for found in times)


def _fault(point: OperatingPoint, figure: Figure, last: Quantity, length: Quantity) -> Fault:
    streaming = point.record.get("/conditions/streaming") is True
    left = (last.value - figure.quantity.value) / (length.value - 1)
    return Fault(
        figure.quantity.pointer,
        f"TTFT {figure.quantity.text} is {shown(100 * figure.quantity.value / last.value)} % of the latency of "
        f"{last.text}, which leaves {shown(left * 1000)} ms for each of the other {shown(length.value - 1)} tokens",
        "look whether the answers were streamed, a proxy held them back, or hidden reasoning came first: then TTFT, "
        "TPOT and ITL go and the latency and the rates stay. A long prompt or queue does it too: file the measured "
        "tpot_ms, or acknowledge it",
        level=Level.ERROR if streaming and left < _STREAMED else None,
    )


RULE = Rule(
    name="ttft-equals-e2e",
    level=Level.WARNING,
    summary="The first token arrives with the last one.",
    why=(
        "When streaming is off, when a proxy collects the answer, or when reasoning is hidden from the client, the "
        "time to first token is the time of the whole request, and what is called time per token is a network "
        "delay divided by the tokens. The record is then right about latency and throughput and wrong about "
        "everything else. Beside a claim that answers were streamed it is an error, unless the rest leaves each "
        "token a time that streaming takes; so is a first token that takes longer than its request. An answer of a "
        "few tokens does end soon after its first."
    ),
    reference="modelscope/evalscope#413, planetf1/otelite#111, sgl-project/genai-bench#81",
    formula=(
        "ttft_ms >= 0.95 x e2e_latency_ms of one statistic (mean, p50, unstated) with 16 or more output tokens; "
        "ttft_ms > e2e_latency_ms of any one statistic is impossible"
    ),
    tolerance=(
        "0.95, 16 tokens, and 1 ms for a filed TPOT or ITL (without one, what is left for a token decides between "
        "warning and error): with tokens that far apart it is prefill or a queue that fills the latency; 1 % and the "
        "printed digits for the impossible case. The largest share of the "
        "means in MLPerf logs is 0.34, of the medians in 201 InferenceX results 0.92 (long prompts, full queue)."
    ),
    kinds=("benchmark",),
    other_levels=(Level.ERROR,),
    needs=(("ttft_ms",), ("e2e_latency_ms",)),
    check=check,
)
