"""The users' speeds added up, filed as the throughput of the deployment."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.identities import Sum, e2e_from_parts, requests_times_length, tokens_over_time
from tools.checks.point import OperatingPoint, operating_point
from tools.checks.quantity import Quantity, shown
from tools.checks.recount import tolerance_of
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.finding import Level

_SAME = 0.005
_ABOVE = 0.02
_MIDDLE = ("mean", "p50", "", "unstated")


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    point = operating_point(record)
    filed = point.figure("tps_aggregate")
    if filed is None or not (point.of("tpot_ms") or point.of("tok_s_per_user")) or point.in_flight is None:
        return
    wall = _wall_clock(point)
    if wall is None or filed.quantity.value <= wall.value * (
        1 + tolerance_of(filed, base=_ABOVE) + wall.slack
    ):
        return
    for rate in _user_rates(point):
        value = point.in_flight.value * rate.value
        if Sum(value, "", min(rate.slack, _SAME)).agrees(filed.quantity, _SAME):
            yield Fault(
                filed.quantity.pointer,
                f"{point.in_flight.text} x {rate.text} = {shown(value)} tok/s is what tps_aggregate says, but by the "
                f"clock {wall.text}",
                "file the product as `decode_rate_sum_tok_s` with derived_from; the throughput is tokens over the "
                "duration of the run, prefill and ramp included",
            )
            return


def _user_rates(point: OperatingPoint) -> Iterator[Quantity]:
    for figure in point.of("tok_s_per_user"):
        if figure.statistic in _MIDDLE:
            yield figure.quantity
    for figure in point.of("tpot_ms"):
        if figure.statistic in _MIDDLE and figure.quantity.value > 0:
            time = figure.quantity
            yield Quantity("1 / tpot_ms", 1 / time.value, f"1 token / {time.text}", time.pointer, time.slack)


def _wall_clock(point: OperatingPoint) -> Sum | None:
    """Output rate of the whole run: from the totals, the request rate, or the latency of a closed loop."""
    found = tokens_over_time(point, "output") or requests_times_length(point, "output")
    if found:
        return found
    latency, length, users = e2e_from_parts(point), point.measured_length("output"), point.in_flight
    if latency is None or length is None or users is None:
        return None
    value = users.value * length.value / latency.value
    text = f"{users.text} x {shown(length.value)} tokens / {shown(latency.value)} s = {shown(value)} tok/s"
    return Sum(value, text, latency.slack)


RULE = Rule(
    name="per-user-rate-times-load",
    level=Level.WARNING,
    summary="The sum of the users' decode speeds is filed as throughput.",
    why=(
        "Per-user decode speed times requests in flight is what the deployment would give if every user were decoding "
        "all the time. Users also wait for prefill, and a run ramps up and drains, so the clock "
        "gives less: a published 44.5 x 32 = 1,424 tok/s was some 5 % more than customers got. The product is a "
        "figure of its own, `decode_rate_sum_tok_s`."
    ),
    reference=(
        "tenstorrent/tt-metal#31542, tenstorrent/tt-inference-server#4848, tenstorrent/tt-inference-server#704"
    ),
    formula=(
        "tps_aggregate = concurrency x tok_s_per_user (or concurrency / tpot_ms), and it exceeds counts.output_tokens "
        "/ duration_s, or requests_per_s x output length, or concurrency x output length / (ttft + tpot x (n - 1))"
    ),
    tolerance=(
        "0.5 % for the product, 2 % for the excess, with the rounding of the operands: below that the two readings "
        "cannot be told apart. Of 201 InferenceX points with a median TPOT the rate is within 0.5 % of the product "
        "only where prefill is negligible"
    ),
    kinds=("benchmark",),
    needs=(("tps_aggregate",), ("tpot_ms", "tok_s_per_user")),
    check=check,
)
