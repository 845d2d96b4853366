"""Whether the latencies of a run are off by a factor of a thousand against its rates.

Seconds under a header of milliseconds leave TTFT, TPOT and end-to-end latency in agreement with each other; only a rate
that was not computed from them shows the slip. One rule tells it. Rules that hold a latency against anything else ask
here first and stay quiet, so that it is told once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tools.checks.identities import layout_product, requests_over_time
from tools.checks.point import OUTPUT_RATE, OperatingPoint
from tools.checks.quantity import Quantity, shown
from tools.checks.recount import accelerators, expected

TOO_SHORT = (300, 20_000)
TOO_LONG = (1 / 3000, 1 / 300)
"""In 201 runs of SemiAnalysisAI/InferenceX, in flight / median TPOT is 0.99 to 10.1 times the output rate; in 838 runs
of the ML.ENERGY leaderboard, batch / median ITL is 0.72 to 16.0 times: a thousandth of the latency makes that 720 to
16,000, and 300 has no innocent cause. Below 1 the relation is nearly exact, but a rate that is off looks the same, so a
thousandfold latency is only told where little waits."""

PER_TOKEN = ("tpot_ms", "itl_ms", "step_time_ms", "normalized_latency_ms_per_token")
PER_REQUEST = ("e2e_latency_ms",)
LATENCIES = (*PER_TOKEN, *PER_REQUEST)
TYPICAL = ("mean", "", "unstated", "p50")


class Yardstick(NamedTuple):
    """A rate that a latency was not computed from, in events per second, with the words for it."""

    value: float
    text: str


class Slip(NamedTuple):
    """A latency that is `factor` times too short (or too long, below 1): so many events are under way at once, each
    takes the latency, and the yardstick says how many really end per second."""

    latency: Quantity
    events: Quantity
    yardstick: Yardstick
    factor: float


def latency_slip(point: OperatingPoint) -> Slip | None:
    """The first latency of a run that a rate shows to be off by about a thousand, or None."""
    for metrics, rates in ((PER_TOKEN, _token_rates), (PER_REQUEST, _request_rates)):
        for metric in metrics:
            figure = point.figure(metric, *TYPICAL)
            if figure is None or figure.quantity.value <= 0:
                continue
            for events, yardstick in rates(point):
                factor = events.value / figure.quantity.value / yardstick.value
                if TOO_SHORT[0] <= factor <= TOO_SHORT[1] or TOO_LONG[0] <= factor <= TOO_LONG[1]:
                    return Slip(figure.quantity, events, yardstick, factor)
    return None


def _token_rates(point: OperatingPoint) -> Iterator[tuple[Quantity, Yardstick]]:
    """Tokens under way at once, and the rate at which they come: by the counts, else as filed."""
    users = point.in_flight
    if users is not None and users.value > 0:
        rate = _output_rate(point)
        if rate is not None and rate.value > 0:
            yield users, rate
    figure = point.figure("tok_s_per_user", *TYPICAL)
    if figure is not None and figure.quantity.value > 0:
        one = Quantity("token", 1, "1 token", figure.quantity.pointer)
        yield one, Yardstick(figure.quantity.value, f"{figure.metric} {figure.quantity.text}")


def _output_rate(point: OperatingPoint) -> Yardstick | None:
    counted = expected(point, OUTPUT_RATE)
    if counted is not None:
        return Yardstick(counted.value, counted.text)
    filed = point.whole(OUTPUT_RATE) or point.whole("decode_tok_s")
    if filed is not None:
        return Yardstick(filed.value, f"{filed.name} {filed.text}")
    each = point.whole("output_tok_s_per_accelerator")
    parts = accelerators(point) or layout_product(point) if each is not None else None
    if each is None or parts is None:
        return None
    return Yardstick(each.value * parts.value, f"{each.name} {each.text} x {parts.text}")


def _request_rates(point: OperatingPoint) -> Iterator[tuple[Quantity, Yardstick]]:
    """Requests in flight, and the rate at which they end: by the counts, as filed, or by their tokens."""
    users, rate = point.in_flight, _request_rate(point)
    if users is not None and rate is not None and min(users.value, rate.value) > 0:
        yield users, rate


def _request_rate(point: OperatingPoint) -> Yardstick | None:
    counted = requests_over_time(point)
    if counted is not None:
        return Yardstick(counted.value, counted.text)
    filed = point.whole("requests_per_s")
    if filed is not None:
        return Yardstick(filed.value, f"{filed.name} {filed.text}")
    output, length = _output_rate(point), point.length("output")
    if output is None or length is None or length.quantity.value <= 0:
        return None
    requests = output.value / length.quantity.value
    return Yardstick(
        requests, f"{output.text} / {shown(length.quantity.value)} tokens = {shown(requests)} req/s"
    )
