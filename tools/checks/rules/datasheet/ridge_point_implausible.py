"""A ratio of arithmetic to bandwidth that no part has."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.quantity import shown
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules.datasheet import peaks as of
from tools.finding import Level
from tools.roofline import accelerator, bounds
from tools.roofline.accelerator import GB, TERA

_LOWEST, _HIGHEST = 30.0, 1000.0


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    if "peaks" not in record.value:
        return
    part = accelerator(record.value)
    if part.bandwidth is None or part.is_sram:
        return
    dense = of.dense(record)
    peak = dense.get("bf16") or dense.get("fp16")
    if peak is None:
        return
    ridge = bounds.ridge_point(peak.rate, part.bandwidth)
    if not _LOWEST <= ridge <= _HIGHEST and not of.reasoned(record, peak):
        yield Fault(
            of.pointer(peak),
            f"{shown(peak.rate / TERA)} TFLOP/s / {shown(part.bandwidth / GB)} GB/s = {shown(ridge)} operations for "
            f"each byte, outside {shown(_LOWEST)} to {shown(_HIGHEST)}",
            "look at the units of both (PFLOP/s, GFLOP/s, TB/s), and whether one is per die and the other per "
            "package",
        )


RULE = Rule(
    name="ridge-point-implausible",
    level=Level.WARNING,
    summary="Peak and bandwidth do not belong to one part.",
    why=(
        "The ridge point, dense 16-bit peak over bandwidth, says from which batch size a part is bound by "
        "arithmetic. Makers build parts in a narrow range of it. A value far outside means that peak and bandwidth "
        "are in units a thousand apart, or that one counts a die and the other a rack. On-chip SRAM, which is far "
        "faster, is left alone; a note at the peak that gives the reason is accepted."
    ),
    reference="https://doi.org/10.1145/1498765.1498785",
    formula="30 <= dense 16-bit matrix peak / memory.bandwidth <= 1000 operations per byte",
    tolerance=(
        "Parts of the ledger lie between 37 (a part cut down in arithmetic) and 912 (an inference card with LPDDR), "
        "most between 70 and 460."
    ),
    kinds=("accelerator",),
    check=check,
)
