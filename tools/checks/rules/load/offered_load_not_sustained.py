"""An open-loop run whose server fell behind the offered rate."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tools.checks.identities import Sum, e2e_from_parts, requests_over_time
from tools.checks.point import OperatingPoint, operating_point
from tools.checks.quantity import Quantity, shown
from tools.checks.recount import REQUEST_RATE, contradicted
from tools.checks.rule import Fault, Ledger, Record, Rule, Skip
from tools.finding import Level

_SHORTFALL = 0.95
_CLOSED = ("closed_loop", "single_stream", "multi_stream", "fixed_batch", "offline", "burst")
_ONE_SAMPLE_A_QUERY = ("server", "interactive")


def check(record: Record, _: Ledger) -> Iterator[Fault | Skip]:
    conditions = record.value.get("conditions")
    if not isinstance(conditions, dict) or "request_rate" not in conditions:
        return
    point = operating_point(record)
    offered = point.condition("request_rate", "req/s")
    if offered is None or offered.value <= 0 or record.get("/conditions/scenario") in _CLOSED:
        return
    achieved = _achieved(point)
    if achieved is None or achieved.value >= _SHORTFALL * offered.value:
        return
    completed = point.count("completed")
    latency = _latency(point)
    if completed is None:
        wanted_rate = _with_drain(point, offered, latency)
        if achieved.value < _SHORTFALL * wanted_rate.value:
            yield _fault(offered, achieved, wanted_rate)
        return
    if latency is None:
        yield Skip(
            offered.pointer, "how long the last request took to drain: the mean e2e_latency_ms of this record"
        )
        return
    sent = max((point.count("requests") or completed).value, completed.value)
    wanted = completed.value / (sent / offered.value + latency)
    arrivals = 2 / math.sqrt(max(sent, 1) * _burstiness(point))
    if achieved.value < wanted * (_SHORTFALL - arrivals):
        text = (
            f"{shown(sent)} requests at {offered.text} and {shown(latency)} s for the last make "
            f"{shown(wanted)} req/s with no queue"
        )
        yield _fault(offered, achieved, Sum(wanted, text))


def _fault(offered: Quantity, achieved: Sum, wanted: Sum) -> Fault:
    return Fault(
        offered.pointer,
        f"{wanted.text}, but {achieved.text} completed: the queue grew for as long as the test lasted",
        "latencies of such a run measure its length: keep them out of questions about limits, and use the achieved "
        "rate as the capacity",
    )


def _with_drain(point: OperatingPoint, offered: Quantity, latency: float | None) -> Sum:
    """The rate of a run that keeps up: requests come for the least duration, and the last one has to end."""
    least = point.condition("min_duration_s", "s")
    if least is None or latency is None or least.value <= 0:
        return Sum(offered.value, f"{offered.text} were offered")
    wanted = offered.value * least.value / (least.value + latency)
    sent = f"{offered.text} for {least.text} at least"
    return Sum(wanted, f"{sent} and {shown(latency)} s for the last make {shown(wanted)} req/s with no queue")


def _achieved(point: OperatingPoint) -> Sum | None:
    """Completed requests per second; a query of the server scenarios is one sample."""
    filed = point.whole(REQUEST_RATE)
    if filed is None and point.record.get("/conditions/scenario") in _ONE_SAMPLE_A_QUERY:
        filed = point.whole("samples_per_s")
    if filed and not contradicted(point, REQUEST_RATE):
        return Sum(filed.value, filed.text, filed.slack)
    return requests_over_time(point)


def _latency(point: OperatingPoint) -> float | None:
    filed = point.figure("e2e_latency_ms") or point.figure("e2e_latency_ms", "p50")
    parts = e2e_from_parts(point)
    return filed.quantity.value if filed else parts.value if parts else None


def _burstiness(point: OperatingPoint) -> float:
    """Shape of the gaps between arrivals; 1 where nothing else is stated, as for Poisson arrivals."""
    stated = point.condition("burstiness")
    return stated.value if stated and stated.value > 0 else 1.0


RULE = Rule(
    name="offered-load-not-sustained",
    level=Level.WARNING,
    summary="The server did not keep up with the offered rate.",
    why=(
        "In an open loop requests arrive whatever the server does. When they arrive faster than it answers, the queue "
        "grows without end, and TTFT tells how long the test lasted rather than what the server can do: a TTFT of "
        "100 s came from nothing else. The achieved rate shows it, once the drain after the last "
        "arrival is allowed for: twenty requests at 4 req/s and a 9 s answer end at 14 s, 1.43 req/s with no queue at "
        "all."
    ),
    reference="vllm-project/vllm#12568",
    formula=(
        "expected = completed / (requests / request_rate + mean e2e_latency_ms); achieved requests_per_s (or completed "
        "/ duration_s) >= (0.95 - 2 / sqrt(requests x burstiness)) x expected; without counts, >= 0.95 x request_rate "
        "x min_duration_s / (min_duration_s + mean e2e_latency_ms)"
    ),
    tolerance=(
        "5 %, and two standard deviations of the time that n random arrivals take (2 / sqrt n). Of 619 valid MLPerf "
        "server and interactive logs, 8 complete below 0.95 of the scheduled rate, the lowest 0.81; with the drain "
        "after their least duration (600 s or more) allowed for, all are above 0.997 of it"
    ),
    kinds=("benchmark",),
    needs=(("/conditions/request_rate",),),
    check=check,
)
