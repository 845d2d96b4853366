"""Accelerators that drew more than the limit set on them."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.point import operating_point
from tools.checks.quantity import shown
from tools.checks.rule import Fault, Ledger, Record, Rule, Skip
from tools.finding import Level

_TOLERANCE = 0.05


def check(record: Record, _: Ledger) -> Iterator[Fault | Skip]:
    if not isinstance(hardware := record.get("/hardware"), dict) or "power_limit_w" not in hardware:
        return
    point = operating_point(record)
    limit = point.number("/hardware/power_limit_w", unit="W")
    if limit is None:
        return
    for name in ("power_w_per_accelerator", "power_w"):
        figure = point.figure(name)
        if figure is None or figure.result.get("power_basis") != "measured_accelerator":
            continue
        count = point.accelerators if name == "power_w" else None
        if name == "power_w" and count is None:
            yield Skip(figure.quantity.pointer, "`hardware.accelerator_count` of the run")
            continue
        most = limit.value * (count.value if count else 1)
        if figure.quantity.value > most * (1 + _TOLERANCE + figure.quantity.slack):
            times = f"{count.text} x {limit.text} = {shown(most)} W" if count else limit.text
            yield Fault(
                figure.quantity.pointer,
                f"{name} says {figure.quantity.text}, but the power limit is {times}",
                "a wall reading has `power_basis: measured_node_wall`; else look whether the limit was in force, "
                "and whether the figure covers one accelerator or all",
            )


RULE = Rule(
    name="power-above-limit",
    level=Level.WARNING,
    summary="The accelerators drew more than the power limit of the run.",
    why=(
        "A power limit set on an accelerator is held by its firmware, averaged over fractions of a second, so the "
        "mean over a run cannot be above it. If it is, the limit was not in force (it is lost with a restart of the "
        "driver), the reading covers more than the accelerators, or the figure is that of another number of parts. "
        "Runs at a limit are compared for efficiency, where this error decides the result. Readings at the wall "
        "include the host and are left alone."
    ),
    reference="https://developer.nvidia.com/management-library-nvml",
    formula=(
        "power_w <= accelerator_count x hardware.power_limit_w and power_w_per_accelerator <= "
        "hardware.power_limit_w, with power_basis: measured_accelerator"
    ),
    tolerance=(
        "5 % and the printed digits. On 838 runs of the ML.ENERGY leaderboard the mean power of an accelerator "
        "reaches 694 W of a 700 W limit and 976 W of 1000 W."
    ),
    kinds=("benchmark",),
    needs=(("/hardware/power_limit_w",), ("power_w_per_accelerator", "power_w")),
    check=check,
)
