"""The small equations that tie the numbers of one run together; rules name their faults.

Each function gives what one side of an identity comes to, in base units, with the sum written out, or None where an
operand is missing. A rule compares a filed number with it and says what kind of fault the difference is. Only relations
that hold for the means or totals of one run are here; percentiles of different metrics do not add.

Which of them are one-sided is said with each: users times per-user speed bounds the system rate from above and is
never reached exactly.
"""

from __future__ import annotations

from typing import NamedTuple

from tools.checks.point import TOKEN_RATES, OperatingPoint
from tools.checks.quantity import Quantity, shown


class Sum(NamedTuple):
    """One side of an identity: its value in base units, the sum in words, and the slack of its operands."""

    value: float
    text: str
    slack: float = 0.0

    def over(self, found: Quantity) -> float:
        """The filed number as a multiple of this side."""
        return found.value / self.value if self.value else float("inf")

    def agrees(self, found: Quantity, tolerance: float) -> bool:
        """Whether a filed number is this side within a relative tolerance and what the printed digits allow."""
        return abs(self.over(found) - 1) <= tolerance + self.slack + found.slack


def tokens_over_time(point: OperatingPoint, kind: str) -> Sum | None:
    """Token rate of the deployment = tokens / duration; `kind` is output, input or total."""
    duration = point.count("duration_s", "s")
    sides = ("input", "output") if kind == "total" else (kind,)
    tokens = [point.count(f"{side}_tokens") for side in sides]
    if duration is None or duration.value <= 0:
        return None
    counted = [item for item in tokens if item is not None]
    if len(counted) < len(sides):
        return None
    total = sum(item.value for item in counted)
    text = " + ".join(item.text for item in counted)
    text = f"({text})" if len(counted) > 1 else text
    rate = total / duration.value
    return Sum(rate, f"{text} tokens / {duration.text} = {shown(rate)} tok/s", duration.slack)


def requests_over_time(point: OperatingPoint) -> Sum | None:
    """Request rate = completed requests / duration."""
    duration, completed = point.count("duration_s", "s"), point.count("completed")
    if duration is None or completed is None or duration.value <= 0:
        return None
    rate = completed.value / duration.value
    return Sum(rate, f"{completed.text} requests / {duration.text} = {shown(rate)} req/s")


def request_rate(point: OperatingPoint) -> Sum | None:
    """The achieved request rate: as filed, as a rate of samples, of which each is one request, else from the counts."""
    filed = point.whole("requests_per_s") or point.whole("samples_per_s")
    if filed:
        return Sum(filed.value, filed.text, filed.slack)
    return requests_over_time(point)


def requests_times_length(point: OperatingPoint, kind: str) -> Sum | None:
    """Token rate = request rate x tokens per request; measured mean lengths where there are any."""
    rate = request_rate(point)
    sides = ("input", "output") if kind == "total" else (kind,)
    lengths = [length for side in sides if (length := point.length(side)) is not None]
    if rate is None or len(lengths) < len(sides):
        return None
    tokens = sum(length.quantity.value for length in lengths)
    text = " + ".join(shown(length.quantity.value) for length in lengths)
    text = f"({text})" if len(lengths) > 1 else text
    value = rate.value * tokens
    return Sum(value, f"{shown(rate.value)} req/s x {text} tokens = {shown(value)} tok/s", rate.slack)


def user_rate(point: OperatingPoint) -> Quantity | None:
    """Tokens per second one request receives: the mean interactivity, else 1 / mean TPOT."""
    filed = point.mean("tok_s_per_user")
    if filed:
        return filed
    tpot = point.mean("tpot_ms")
    if tpot is None or tpot.value <= 0:
        return None
    return Quantity("1 / tpot_ms", 1 / tpot.value, f"1 token / {tpot.text}", tpot.pointer, tpot.slack)


def users_times_rate(point: OperatingPoint) -> Sum | None:
    """Requests in flight x per-user decode speed: an upper bound of the output rate, never its expected value."""
    users, rate = point.in_flight, user_rate(point)
    if users is None or rate is None:
        return None
    value = users.value * rate.value
    return Sum(value, f"{users.text} x {rate.text} = {shown(value)} tok/s", rate.slack)


def e2e_from_parts(point: OperatingPoint) -> Sum | None:
    """Mean end-to-end latency = mean TTFT + mean TPOT x (n - 1), in seconds, n the measured mean output length."""
    ttft, tpot, length = point.mean("ttft_ms"), point.mean("tpot_ms"), point.measured_length("output")
    if ttft is None or tpot is None or length is None:
        return None
    value = ttft.value + tpot.value * (length.value - 1)
    if value <= 0:
        return None
    slack = (ttft.slack * ttft.value + tpot.slack * tpot.value * (length.value - 1)) / value
    text = f"{ttft.text} + {tpot.text} x ({shown(length.value)} - 1) = {shown(value * 1000)} ms"
    return Sum(value, text, abs(slack))


def in_flight(point: OperatingPoint) -> Sum | None:
    """Requests in flight = request rate x mean end-to-end latency (Little's law)."""
    rate, latency = request_rate(point), point.mean("e2e_latency_ms")
    if rate is None or latency is None:
        return None
    value = rate.value * latency.value
    text = f"{shown(rate.value)} req/s x {shown(latency.value)} s = {shown(value)} requests in flight"
    return Sum(value, text, rate.slack + latency.slack)


def input_plus_output(point: OperatingPoint, inputs: str, outputs: str) -> Sum | None:
    """Total rate = input rate + output rate, both named by their metrics and on one denominator."""
    first, second = point.whole(inputs), point.whole(outputs)
    if first is None or second is None:
        return None
    value = first.value + second.value
    slack = (first.slack * first.value + second.slack * second.value) / value if value else 0.0
    return Sum(value, f"{first.text} + {second.text} = {shown(value)} tok/s", slack)


def per_accelerator(point: OperatingPoint, system: str) -> Sum | None:
    """Rate per accelerator = system rate (named by its metric) / accelerators."""
    rate, accelerators = point.whole(system), point.accelerators
    if rate is None or accelerators is None or accelerators.value <= 0:
        return None
    value = rate.value / accelerators.value
    return Sum(value, f"{rate.text} / {accelerators.text} = {shown(value)} tok/s each", rate.slack)


def power_from_energy(point: OperatingPoint, energy: Quantity, kind: str) -> Sum | None:
    """Power = energy per token x token rate of the same kind, over one window and scope, in watts."""
    rate = point.whole(TOKEN_RATES[kind])
    if rate is None:
        return None
    value = energy.value * rate.value
    return Sum(value, f"{energy.text} x {rate.text} = {shown(value)} W", energy.slack + rate.slack)


def mixed_phase(point: OperatingPoint, prompt: float, generated: float) -> Sum | None:
    """Rate of p prompt and g generated tokens timed together = (p + g) / (p / prefill rate + g / decode rate)."""
    prefill, decode = point.whole("prefill_tok_s"), point.whole("decode_tok_s")
    if prefill is None or decode is None or min(prefill.value, decode.value) <= 0:
        return None
    value = (prompt + generated) / (prompt / prefill.value + generated / decode.value)
    p, g = shown(prompt), shown(generated)
    text = f"({p} + {g}) tokens / ({p} / {prefill.text} + {g} / {decode.text}) = {shown(value)} tok/s"
    return Sum(value, text, prefill.slack + decode.slack)


def layout_product(point: OperatingPoint) -> Sum | None:
    """Accelerators of an unsplit deployment = tensor x pipeline x context x data parallel.

    Expert and attention data parallelism live inside those ranks and do not multiply. None unless the tensor degree is
    stated: what is left out of a layout counts as 1 only beside a stated degree.
    """
    degrees = [
        point.number(f"/parallelism/{name}", name) for name in ("tensor", "pipeline", "context", "data")
    ]
    stated = [degree for degree in degrees if degree is not None]
    if degrees[0] is None or point.record.get("/disaggregation") is not None:
        return None
    value = 1.0
    for degree in stated:
        value *= degree.value
    text = " x ".join(f"{degree.name} {degree.text}" for degree in stated)
    return Sum(value, f"{text} = {shown(value)} accelerators")


def node_product(point: OperatingPoint) -> Sum | None:
    """Accelerators = accelerators per node x nodes."""
    each, nodes = point.number("/hardware/accelerators_per_node"), point.number("/hardware/nodes")
    if each is None or nodes is None:
        return None
    value = each.value * nodes.value
    return Sum(value, f"{each.text} per node x {nodes.text} nodes = {shown(value)} accelerators")
