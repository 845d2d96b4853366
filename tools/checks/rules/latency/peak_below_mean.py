"""A peak that is lower than the mean of the same thing."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.identities import Sum, tokens_over_time
from tools.checks.point import OUTPUT_RATE, OperatingPoint, operating_point
from tools.checks.quantity import Quantity, shown
from tools.checks.recount import contradicted
from tools.checks.rule import Fault, Ledger, Record, Rule, Skip
from tools.finding import Level

_TOLERANCE = 0.01


def check(record: Record, _: Ledger) -> Iterator[Fault | Skip]:
    point = operating_point(record)
    peaks = [
        found.quantity
        for found in point.of("peak_output_tok_s")
        if found.statistic in ("", "max", "unstated")
    ]
    if peaks and not contradicted(point, OUTPUT_RATE):
        mean = _mean_rate(point)
        if mean is None:
            yield Skip(peaks[0].pointer, "the output throughput of the run (tps_aggregate, or counts)")
            return
        yield from _below(peaks[0], mean, "tokens", "tps_aggregate")
    in_flight = point.condition("peak_concurrency", "in flight at most")
    achieved = point.whole("concurrency_achieved") if in_flight else None
    if in_flight and achieved:
        yield from _below(
            in_flight, Sum(achieved.value, achieved.text, achieved.slack), "requests", "concurrency_achieved"
        )


def _below(peak: Quantity, mean: Sum, counted: str, name: str) -> Iterator[Fault]:
    if peak.value < mean.value * (1 - _TOLERANCE - mean.slack - peak.slack):
        share = shown(100 * peak.value / mean.value)
        yield Fault(
            peak.pointer,
            f"the peak is {peak.text}, only {share} % of the mean ({name}: {mean.text})",
            f"look what the peak counts: stream events are no {counted}, and one process is not the deployment; a "
            "peak of something else is left out",
        )


def _mean_rate(point: OperatingPoint) -> Sum | None:
    """Output rate of the deployment over the run: as filed, from the counts, or per accelerator times their number."""
    filed = point.whole(OUTPUT_RATE)
    if filed:
        return Sum(filed.value, filed.text, filed.slack)
    counted = tokens_over_time(point, "output")
    if counted:
        return counted
    each, accelerators = point.whole("output_tok_s_per_accelerator"), point.accelerators
    if each is None or accelerators is None:
        return None
    rate = each.value * accelerators.value
    return Sum(rate, f"{each.text} x {accelerators.text} = {shown(rate)} tok/s", each.slack)


RULE = Rule(
    name="peak-below-mean",
    level=Level.ERROR,
    summary="A peak is lower than the mean of the same thing.",
    why=(
        "The busiest second of a run is at least as busy as its average second. A peak below the mean counts "
        "something else: clients count stream events for the peak and tokens for the mean, so that several tokens "
        "in one event (speculative decoding, grouped streaming) shrink the peak alone, down to 28 % of the mean in "
        "one report. The mean comes from the tokens that the server counted and is the one to keep."
    ),
    reference="sgl-project/sglang#33193, vllm-project/vllm#37666, vllm-project/vllm#50677",
    formula=(
        "peak_output_tok_s >= tps_aggregate (or output_tokens / duration_s, or output_tok_s_per_accelerator x "
        "accelerators); conditions.peak_concurrency >= concurrency_achieved"
    ),
    tolerance="1 % and the printed digits: the last bucket of a run is rarely a whole second",
    kinds=("benchmark",),
    needs=(("peak_output_tok_s", "/conditions/peak_concurrency"),),
    check=check,
)
