"""An output rate above what all users together can have received."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.point import OperatingPoint, operating_point
from tools.checks.quantity import Quantity, shown
from tools.checks.recount import accelerators, against_totals, tolerance_of
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules.latency import percentile_order
from tools.checks.rules.scope.shares import shares_off
from tools.checks.thousandfold import latency_slip
from tools.finding import Level

_MARGIN = 1.4
_MIDDLE = ("mean", "p50", "", "unstated")
_OF_ALL = ("tps_aggregate", "decode_tok_s", "output_tok_s_per_accelerator")


def check(record: Record, ledger: Ledger) -> Iterator[Fault]:
    point = operating_point(record)
    users, speed = _most_in_flight(point), _user_speed(point)
    if users is None or speed is None or point.is_speculative or point.tokens_per_step:
        return
    if against_totals(point, "tps_aggregate") or latency_slip(point):
        # Which of the numbers is off is known, and another rule says so.
        return
    bound = users.value * speed.value
    for rate in _rates(point):
        figure = point.figure(rate.name)
        allowed = tolerance_of(figure, base=0) if figure else 0.0
        if rate.value > bound * (_MARGIN + allowed + rate.slack + speed.slack):
            if any(percentile_order.check(record, ledger)):
                return  # A median that is no median bounds nothing.
            yield Fault(
                rate.pointer,
                f"{users.text} x {speed.text} = {shown(bound)} tok/s is all that the users can receive, but "
                f"{rate.name} says {rate.text}",
                "one of rate, load and per-token time is not of this run or in another unit; where a step gives "
                "several tokens, state the stream interval or the acceptance length",
            )
            return


def _rates(point: OperatingPoint) -> Iterator[Quantity]:
    """Output rates of the deployment, the most direct first."""
    for metric in _OF_ALL[:2]:
        filed = point.whole(metric)
        if filed:
            yield filed
    each, count = point.whole("output_tok_s_per_accelerator"), accelerators(point)
    if each and count and point.whole("tps_aggregate") is None and not any(shares_off(point)):
        whole = each.value * count.value
        yield each._replace(value=whole, text=f"{each.text} on each of {count.text}")


def _most_in_flight(point: OperatingPoint) -> Quantity | None:
    """The most requests that were in flight: a stated limit, else the load itself.

    A batch is of one replica: with several accelerators and no stated layout it says nothing of the deployment.
    """
    limit = point.condition("concurrency_cap", "in flight at most")
    stated = (
        limit
        or point.condition("concurrency", "in flight")
        or point.condition("peak_concurrency", "in flight")
    )
    batch = point.condition("batch_size", "in the batch")
    if stated or batch is None:
        return stated
    count = accelerators(point)
    if count and count.value > 1 and point.record.get("/parallelism/tensor") is None:
        return None
    replicas = [point.number(f"/parallelism/{name}") for name in ("data", "attention_data")]
    times = 1.0
    for degree in replicas:
        times *= degree.value if degree else 1
    text = batch.text if times == 1 else f"{batch.text} x {shown(times)} replicas"
    return batch._replace(value=batch.value * times, text=text)


def _user_speed(point: OperatingPoint) -> Quantity | None:
    """Tokens per second that a request in the middle receives."""
    filed = point.figure("tok_s_per_user", *_MIDDLE)
    if filed:
        return filed.quantity if filed.quantity.value > 0 else None
    gap = point.figure("tpot_ms", *_MIDDLE) or point.figure("itl_ms", *_MIDDLE)
    if gap is None or gap.quantity.value <= 0:
        return None
    time = gap.quantity
    return Quantity(f"1 / {time.name}", 1 / time.value, f"1 token / {time.text}", time.pointer, time.slack)


RULE = Rule(
    name="aggregate-above-user-bound",
    level=Level.ERROR,
    summary="The output rate exceeds what the users in flight together can have received.",
    why=(
        "Every output token goes to a user, and a user receives one token per inter-token time. So requests in flight "
        "times per-user speed bounds the output rate from above; real runs lie anywhere from that bound to a "
        "sixteenth of it, because users also wait for prefill. A load tester showed 100,000 tok/s on a desktop card "
        "whose server logged 130. Where a step or a stream event gives several tokens, the time between events is no "
        "time per token, and the rule does not apply."
    ),
    reference="sgl-project/genai-bench#31, ml-energy/leaderboard public data",
    formula=(
        "tps_aggregate (or decode_tok_s, or output_tok_s_per_accelerator x accelerators) <= 1.4 x concurrency x "
        "tok_s_per_user, or 1.4 x concurrency / tpot_ms (else itl_ms)"
    ),
    tolerance=(
        "factor 1.4. In 838 runs of the ML.ENERGY leaderboard, with the median ITL, the quotient is 0.06 to 1.39 (six "
        "above 1.15); in 201 InferenceX points, with the median TPOT, 0.10 to 1.01"
    ),
    kinds=("benchmark",),
    needs=(("tpot_ms", "itl_ms", "tok_s_per_user"), _OF_ALL),
    check=check,
)
