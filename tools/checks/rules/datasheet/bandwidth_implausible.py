"""A bandwidth that its kind of memory does not have: mostly a slip of a factor of 1000."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.quantity import shown
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.finding import Level
from tools.roofline import accelerator
from tools.roofline.accelerator import GB

_PER_CAPACITY = {"hbm": (12.0, 150.0), "gddr": (6.0, 120.0), "lpddr": (0.8, 30.0)}
"""GB/s for each GB of capacity, by the family of the memory: half of the lowest to twice the highest value seen."""

_LOWEST, _HIGHEST = 20.0, 30_000.0
_HINT = "compare the unit with the source: TB/s is 1000 GB/s; a figure of a cache is no memory bandwidth"


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    if "memory" not in record.value:
        return
    part = accelerator(record.value)
    if part.bandwidth is None or part.is_sram:
        return
    speed = part.bandwidth / GB
    if not _LOWEST <= speed <= _HIGHEST:
        yield Fault(
            "/memory/bandwidth/value",
            f"{shown(speed)} GB/s lies outside {shown(_LOWEST)} to {shown(_HIGHEST)} GB/s, which no device memory "
            f"does",
            _HINT,
        )
        return
    memory = part.memory_type.casefold()
    bounds = next((found for kind, found in _PER_CAPACITY.items() if kind in memory), None)
    if bounds is None or part.capacity is None:
        return
    ratio = speed / (part.capacity / GB)
    if not bounds[0] <= ratio <= bounds[1]:
        yield Fault(
            "/memory/bandwidth/value",
            f"{shown(speed)} GB/s / {shown(part.capacity / GB)} GB = {shown(ratio)} for each GB, but "
            f"{part.memory_type} has {shown(bounds[0])} to {shown(bounds[1])}",
            _HINT,
        )


RULE = Rule(
    name="bandwidth-implausible",
    level=Level.WARNING,
    summary="The bandwidth does not fit the kind and size of the memory.",
    why=(
        "Public tables hold bandwidths that are a thousand times too large or too small (1.792e15 B/s for a card "
        "with 1792 GB/s; 21 PB/s stored as 21 TB/s), and a limit computed from one never fires or always does. For "
        "each family of memory the bandwidth per capacity lies in a narrow band, because both grow with the number "
        "of chips. On-chip SRAM (a memory type that says SRAM) has no such band and is left alone."
    ),
    reference="https://github.com/pytorch/ao/blob/main/torchao/testing/training/roofline_utils.py",
    formula=(
        "20 <= memory.bandwidth <= 30000 GB/s; bandwidth / capacity between 12 and 150 (HBM), 6 and 120 (GDDR), 0.8 "
        "and 30 (LPDDR) per second"
    ),
    tolerance=(
        "Half of the lowest and twice the highest ratio of the parts of the ledger: HBM 23 to 76, GDDR 12 to 60, "
        "LPDDR 1.6 to 15."
    ),
    kinds=("accelerator",),
    check=check,
)
