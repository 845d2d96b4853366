"""A load that is not what request rate and latency make of it."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tools.checks.identities import Sum, e2e_from_parts, request_rate
from tools.checks.point import OperatingPoint, operating_point
from tools.checks.quantity import Quantity, shown
from tools.checks.recount import REQUEST_RATE, contradicted, tolerance_of
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules.load import one_sequence
from tools.checks.thousandfold import latency_slip
from tools.finding import Level

_LEAST, _MOST = 0.7, 1.1
_MOST_OF_ONE = 1.2
_STEADY, _FEW = 10, 5
_LOADS = ("/conditions/concurrency", "/conditions/batch_size", "concurrency_achieved")
_LATENCY_AGREES = 0.1


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    point = operating_point(record)
    load = point.condition("concurrency", "in flight") or _achieved(point) or one_sequence.batch(point)
    if load is None or load.value <= 0 or contradicted(point, REQUEST_RATE):
        return
    alone = load.value == 1
    rate, latency = _rate(point, alone), _latency(point)
    if alone and not point.figure("e2e_latency_ms", "mean"):
        latency = latency or one_sequence.latency(point)
    if rate is None or latency is None or latency_slip(point):
        return
    found = rate.value * latency.value
    share = found / load.value
    room, most = rate.slack + latency.slack, _MOST_OF_ONE if alone else _MOST
    if one_sequence.may_be_of_several(point, load):
        most = math.inf
    completed = point.count("completed")
    waves = completed.value / load.value if completed else 0.0
    if _LEAST - room <= share <= most + room or (completed and waves < _FEW and share < _LEAST):
        # Too few requests ramp up and drain for most of the run: another rule names that.
        return
    cause = (
        "requests in flight are meant: simulated users and their pauses go in `users` and `think_time_s`"
        if share < 1
        else "see whether rate, latency and load are of one run, and the latency of whole requests"
    )
    if alone and point.whole("tps_aggregate"):
        cause = "with one sequence at a time its length over its latency is the rate: see whether both are of one run"
    yield Fault(
        ((alone and point.whole("tps_aggregate")) or load).pointer,
        f"{rate.text} x {shown(latency.value)} s = {shown(found)} requests in flight, but {load.name} says "
        f"{load.text}",
        cause,
        level=Level.ERROR if waves >= _STEADY else None,
    )


def _achieved(point: OperatingPoint) -> Quantity | None:
    return point.whole("concurrency_achieved")


def _rate(point: OperatingPoint, alone: bool) -> Sum | None:
    """Requests per second: as filed, from the counts, else output rate over measured output length.

    For one sequence the nominal length does as well: it is on both sides.
    """
    found = request_rate(point)
    if found:
        return found._replace(text=f"{shown(found.value)} req/s")
    tokens, length = point.whole("tps_aggregate"), point.measured_length("output")
    if length is None and alone:
        length = one_sequence.length(point)
    if tokens is None or length is None or length.value <= 0:
        return None
    value = tokens.value / length.value
    return Sum(value, f"{tokens.text} / {shown(length.value)} tokens", tokens.slack)


def _latency(point: OperatingPoint) -> Sum | None:
    """Mean end-to-end latency in seconds: as filed unless its parts contradict it, else from them."""
    filed, parts = point.figure("e2e_latency_ms", "mean"), e2e_from_parts(point)
    if filed is None:
        return parts
    if parts and not parts.agrees(filed.quantity, tolerance_of(filed, base=_LATENCY_AGREES)):
        return None
    return Sum(filed.quantity.value, filed.quantity.text, filed.quantity.slack)


RULE = Rule(
    name="littles-law",
    level=Level.WARNING,
    summary="Request rate times latency is not the load.",
    why=(
        "What is in flight on average is the rate of requests times the time each of them stays, whatever the server "
        "does. A table of `1000 users` had 130 requests in flight, because the users paused; who ran it again with "
        "1000 in flight measured several times the latency. Less than the stated load means users with think time, a "
        "client that could not keep it up, or a run too short to fill; more is impossible in one run. With a batch of "
        "one sequence the law says more: its rate is its length over its latency, and a rate of half of that is "
        "another run's."
    ),
    reference="BerriAI/litellm-docs#849",
    formula=(
        "0.7 <= requests_per_s x mean e2e_latency_ms / concurrency (or concurrency_achieved) <= 1.1; rate from the "
        "counts, latency from ttft + tpot x (n - 1), where not filed; for batch_size 1 the medians and the nominal "
        "length do. An error from completed >= 10 x concurrency on"
    ),
    tolerance=(
        "0.7 to 1.1. In 198 InferenceX runs of ten waves, with the median latency in place of the mean, the quotient "
        "is 0.61 to 1.10, below 0.7 in 15, so only the mean is used here; the exception is one sequence at a time, up "
        "to 1.2: of 45 points at batch 1 of the AWS Neuron tables 39 give 0.99 to 1.11 and six 0.43 to 0.65"
    ),
    kinds=("benchmark",),
    other_levels=(Level.ERROR,),
    needs=(("e2e_latency_ms", "ttft_ms"), ("e2e_latency_ms", "tpot_ms"), _LOADS),
    check=check,
)
