"""A link speed that counts both directions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from tools.checks.quantity import shown
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.finding import Level
from tools.roofline import accelerator
from tools.roofline.accelerator import GB

_TOLERANCE = 0.05
_NVLINK = {1: 80.0, 2: 150.0, 3: 300.0, 4: 450.0, 5: 900.0, 6: 1800.0}
"""GB/s in one direction over all links of the largest part of each generation."""

_PCIE_LANE_GT_S = {1: 2.5, 2: 5.0, 3: 8.0, 4: 16.0, 5: 32.0, 6: 64.0, 7: 128.0}


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    name = record.text("/interconnect/name")
    if name is None:
        return
    most, link = _most(name), accelerator(record.value).link
    if most is None or link is None:
        return
    speed = link / GB
    if speed > most * (1 + _TOLERANCE):
        both = abs(speed / most - 2) <= 2 * _TOLERANCE
        yield Fault(
            "/interconnect/per_direction/value",
            f"{name} carries {shown(most)} GB/s in one direction, but per_direction says {shown(speed)} GB/s"
            + (", both directions together" if both else ""),
            "maker pages add both directions: file half of what they print"
            if both
            else "look at the generation",
        )


@cache
def _most(name: str) -> float | None:
    """The most that a named link carries in one direction, in GB/s; None for a link without a standard.

    Where a name lists several links the first is the one that the figure is about.
    """
    found = re.search(
        r"\bNVLink[ -]?(?P<nvlink>[0-9])\b|\bPCIe (?P<pcie>[0-9])(?:\.0)? x(?P<lanes>[0-9]+)\b", name
    )
    if found is None:
        return None
    if found["nvlink"]:
        return _NVLINK.get(int(found["nvlink"]))
    lane = _PCIE_LANE_GT_S.get(int(found["pcie"]))
    return None if lane is None else lane * int(found["lanes"]) / 8


RULE = Rule(
    name="link-both-directions",
    level=Level.ERROR,
    summary="A link speed is above what its generation carries in one direction.",
    why=(
        "Makers print the two directions of a link added together, while a collective moves its data one way at a "
        "time, so a model of tensor parallelism computed from the printed figure is twice too fast. The field is one "
        "direction over all links of a device; no part exceeds the standard named beside it, and parts cut "
        "down for export or joined by a bridge stay below. The value of the standard is shown, not filled in."
    ),
    reference="https://www.nvidia.com/en-us/data-center/nvlink/, https://pcisig.com/specifications",
    formula=(
        "interconnect.per_direction <= NVLink 1 to 6: 80, 150, 300, 450, 900, 1800 GB/s; PCIe: lanes x transfer "
        "rate / 8"
    ),
    tolerance="5 %; line encoding is not subtracted, so the limit of PCIe is never reached.",
    kinds=("accelerator",),
    check=check,
)
