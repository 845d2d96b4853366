"""One sequence at a time: where a batch says what is in flight, and a median is near the mean."""

from __future__ import annotations

from tools.checks.identities import Sum
from tools.checks.point import OperatingPoint
from tools.checks.quantity import Quantity, shown
from tools.checks.recount import accelerators

_CENTRAL = ("mean", "p50", "", "unstated")


def batch(point: OperatingPoint) -> Quantity | None:
    """A batch of one: nobody waits, so one sequence follows the other."""
    size = point.condition("batch_size", "in the batch")
    return size if size is not None and size.value == 1 else None


def may_be_of_several(point: OperatingPoint, load: Quantity) -> bool:
    """Whether the load is a batch of which each replica or pipeline stage may have one of its own."""
    count = accelerators(point)
    if not load.pointer.endswith("/batch_size") or count is None or count.value <= 1:
        return False
    degrees = [point.number(f"/parallelism/{name}") for name in ("data", "attention_data", "pipeline")]
    return point.record.get("/parallelism/tensor") is None or any(item and item.value > 1 for item in degrees)


def length(point: OperatingPoint) -> Quantity | None:
    """Its output length, measured or asked for; none where that is a cap or an upper end."""
    tokens = point.length("output")
    return tokens.quantity if tokens else None


def latency(point: OperatingPoint) -> Sum | None:
    """Latency of a sequence that shares the accelerator with no other, where the median is near the mean."""
    ttft, tpot = point.figure("ttft_ms", *_CENTRAL), point.figure("tpot_ms", *_CENTRAL)
    tokens = length(point)
    if ttft is None or tpot is None or tokens is None:
        return None
    value = ttft.quantity.value + tpot.quantity.value * (tokens.value - 1)
    return Sum(value, f"{shown(value)} s", ttft.quantity.slack + tpot.quantity.slack)
