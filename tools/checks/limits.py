"""What the hardware and model records allow a run: limits with the sum written out, for rules that name the faults.

Every limit is one-sided and has no efficiency in it: a real run stays below. Where a record does not state a fact
that the limit is computed from, the answer is a `Lack` that says which fact and where it belongs; nothing is
assumed. Parts that differ count as the best of them, so that the limit holds for a mixed deployment too.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from tools.checks.point import OperatingPoint
from tools.checks.quantity import Quantity, shown
from tools.checks.remembered import remembered
from tools.checks.rule import Ledger
from tools.roofline import Accelerator, Model, Peak, accelerator, bounds, model
from tools.roofline.accelerator import GB, TERA
from tools.roofline.precision import BITS, arithmetic, bytes_per_parameter

_HALF = 16


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit in base units and the slack of its operands; `text` is the sum, written when somebody reads it."""

    value: float
    words: Callable[[], str]
    slack: float = 0.0

    @property
    def text(self) -> str:
        """The sum in words, with its result."""
        return self.words()


class Lack(NamedTuple):
    """A fact that is missing, and in which record it belongs."""

    what: str


class _Facts:
    """What the limits of one run are computed from, each looked up once for all the rules that ask."""

    def __init__(self, point: OperatingPoint, ledger: Ledger) -> None:
        self.point = point
        self.ledger = ledger

    @cached_property
    def parts(self) -> tuple[Accelerator, ...] | Lack:
        found = []
        for record_id in self.point.accelerator_ids:
            value = self.ledger.value(record_id)
            if value is None:
                return Lack(f"a record of the accelerator `{record_id}`")
            found.append(accelerator(value))
        return tuple(found) if found else Lack("`accelerator_ids`: which accelerator ran it")

    @cached_property
    def model(self) -> Model | Lack:
        record_id = self.point.record.value.get("model_id")
        value = self.ledger.value(record_id) if isinstance(record_id, str) else None
        return Lack("`model_id`: a record of the model") if value is None else model(value)

    @cached_property
    def read(self) -> Limit | Lack:
        found = self.model
        if isinstance(found, Lack):
            return found
        size, parameters = bytes_per_parameter(self.point.record.value), found.read_per_token
        if size is None:
            return Lack("`precision.weights` (or bits_per_weight) of the run")
        if not parameters:
            return Lack(f"`parameters.active_b` of the model `{found.id}`")
        read, width = parameters * size, size
        return Limit(
            read,
            lambda: (
                f"{shown(parameters / GB)} x 10^9 parameters x {shown(width)} bytes = {shown(read / GB)} GB"
            ),
        )

    @cached_property
    def bandwidth(self) -> Limit | Lack:
        found = self.parts
        if isinstance(found, Lack):
            return found
        best = 0.0
        for part in found:
            if part.bandwidth is None:
                return Lack(f"`memory.bandwidth` of the accelerator `{part.id}`")
            best = max(best, part.bandwidth)
        return Limit(best, lambda: f"{shown(best / GB)} GB/s")

    @cached_property
    def tokens_per_step(self) -> Limit | Lack:
        point = self.point
        if not point.is_speculative:
            return Limit(1.0, str)
        emitted = point.tokens_per_step
        if emitted is not None and emitted.value >= 1:
            said = f" x {shown(emitted.value)} tokens a step"
            return Limit(emitted.value, lambda: said, emitted.slack)
        depth = point.number("/technique/gamma")
        if depth is None:
            return Lack("`technique.acceptance_length` (or gamma) of the run")
        most = depth.value + 1
        return Limit(most, lambda: f" x {shown(most)} tokens a step at most")

    @cached_property
    def peak(self) -> Limit | Lack:
        found = self.parts
        if isinstance(found, Lack):
            return found
        stated = self.point.record.text("/precision/activations")
        wanted = stated if stated in BITS else self.point.record.text("/precision/weights")
        if wanted not in BITS:
            return Lack("`precision.activations` (or weights) of the run")
        best: list[Peak] = []
        for part in found:
            own = part.dense_peak(wanted)
            if own is None:
                return Lack(
                    f"a dense matrix peak in {arithmetic(wanted)} in `peaks` of the accelerator `{part.id}`"
                )
            best += [own, *(() if stated in BITS else _wider(part, wanted))]
        top = max(best, key=_fastest)
        return Limit(_fastest(top), lambda: _peak_in_words(top))


@remembered()
def _facts(point: OperatingPoint, ledger: Ledger) -> _Facts:
    return _Facts(point, ledger)


def parts(point: OperatingPoint, ledger: Ledger) -> tuple[Accelerator, ...] | Lack:
    """The accelerators that took part, one for each record."""
    return _facts(point, ledger).parts


def model_of(point: OperatingPoint, ledger: Ledger) -> Model | Lack:
    """The model that answered."""
    return _facts(point, ledger).model


def weights_read(point: OperatingPoint, ledger: Ledger) -> Limit | Lack:
    """Bytes of weights that one decode step reads at least: active parameters times bytes each."""
    return _facts(point, ledger).read


def bandwidth(point: OperatingPoint, ledger: Ledger) -> Limit | Lack:
    """Memory bandwidth of one accelerator, in bytes per second."""
    return _facts(point, ledger).bandwidth


def requests(point: OperatingPoint) -> Quantity | None:
    """The most requests that a step can serve: those in flight, or the sequences of a batch in every replica."""
    flying, batch = point.condition("concurrency", "in flight"), point.condition("batch_size", "in the batch")
    if batch is not None and "parallelism" in point.record.value:
        degrees = [point.number(f"/parallelism/{name}") for name in ("data", "attention_data", "pipeline")]
        replicas = 1.0
        for degree in degrees:
            replicas *= degree.value if degree else 1
        if replicas > 1:
            text = f"{batch.text} x {shown(replicas)} replicas or stages"
            batch = batch._replace(value=batch.value * replicas, text=text)
    stated = [quantity for quantity in (flying, batch) if quantity is not None]
    return max(stated, key=lambda quantity: quantity.value, default=None)


def decode_step(point: OperatingPoint, ledger: Ledger, accelerators: float) -> Limit | Lack:
    """The shortest decode step in seconds: the active weights read once by all accelerators together."""
    read, speed = weights_read(point, ledger), bandwidth(point, ledger)
    if isinstance(read, Lack):
        return read
    if isinstance(speed, Lack):
        return speed
    value = bounds.step_time(read.value, speed.value, accelerators)
    return Limit(
        value,
        lambda: f"{read.text} / ({speed.text}{_times(accelerators)}) = {shown(value * 1000)} ms",
    )


def decode_rate(
    point: OperatingPoint, ledger: Ledger, batch: Quantity | float, accelerators: float
) -> Limit | Lack:
    """The highest output rate in tok/s: requests x tokens a step / the shortest step.

    `batch` is what a step serves (`requests`), or 1 for the speed of a single request.
    """
    step, tokens = decode_step(point, ledger, accelerators), _facts(point, ledger).tokens_per_step
    if isinstance(step, Lack):
        return step
    if isinstance(tokens, Lack):
        return tokens
    size = batch if isinstance(batch, float) else batch.value
    value = size * tokens.value / step.value if step.value else math.inf
    return Limit(
        value,
        lambda: (
            f"{shown(batch) if isinstance(batch, float) else batch.text}{tokens.text} / ({step.text}) = "
            f"{shown(value)} tok/s"
        ),
        tokens.slack,
    )


def peak(point: OperatingPoint, ledger: Ledger) -> Limit | Lack:
    """Dense matrix operations per second of one accelerator in the format of the run's arithmetic.

    The format is `precision.activations`; where that is not stated, weights of 16 bits or more are multiplied in
    their own format, and narrower weights in that or any wider one, so the highest of those counts. A peak with FP32
    accumulation doubles with FP16 accumulation on the parts for which records state the accumulator (GeForce).
    """
    return _facts(point, ledger).peak


def token_rate(
    point: OperatingPoint, ledger: Ledger, accelerators: float, *, prompt: bool = False
) -> Limit | Lack:
    """The highest token rate in tok/s that arithmetic allows: peak / (2 x parameters at work for each token).

    With `prompt`, tokens may be prompt tokens, for which the output matrix does not work.
    """
    found, limit = model_of(point, ledger), peak(point, ledger)
    if isinstance(found, Lack):
        return found
    if isinstance(limit, Lack):
        return limit
    parameters = found.prompt_parameters if prompt else found.read_per_token
    if not parameters:
        return Lack(f"`parameters.active_b` of the model `{found.id}`")
    value, work = bounds.token_rate(parameters, limit.value, accelerators), parameters
    return Limit(
        value,
        lambda: (
            f"{limit.text}{_times(accelerators)} / (2 x {shown(work / GB)} x 10^9 parameters) = {shown(value)} tok/s"
        ),
    )


def _wider(part: Accelerator, weights: str) -> tuple[Peak, ...]:
    """The dense peaks of wider formats than that of the weights, where those are narrower than 16 bits."""
    if BITS[weights] >= _HALF:
        return ()
    return tuple(
        found
        for precision in BITS
        if BITS[precision] > BITS[weights] and (found := part.dense_peak(precision)) is not None
    )


def _fastest(found: Peak) -> float:
    """The rate with FP16 accumulation, where the record says that its own is with FP32."""
    return found.rate * (2 if found.accumulate == "fp32" else 1)


def _peak_in_words(found: Peak) -> str:
    unit = "TOP/s" if found.precision.startswith("int") else "TFLOP/s"
    text = f"{shown(found.rate / TERA)} {unit} dense {found.precision}"
    return f"2 x {text}" if _fastest(found) > found.rate else text


def _times(accelerators: float) -> str:
    return f" x {shown(accelerators)}" if accelerators != 1 else ""
