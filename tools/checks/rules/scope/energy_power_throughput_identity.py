"""Energy per token, token rate and power that do not go together."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.identities import Sum
from tools.checks.point import Figure, OperatingPoint, operating_point
from tools.checks.quantity import shown
from tools.checks.recount import PER_ACCELERATOR, accelerators, tolerance_of, window
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules.scope.draw import draw_faults
from tools.checks.rules.scope.energy import (
    PER_ENERGY,
    PER_TOKEN,
    Energy,
    energies,
    power_of,
    same_kind,
    sound_rate,
)
from tools.finding import Level


def check(record: Record, ledger: Ledger) -> Iterator[Fault]:
    point = operating_point(record)
    per_item = list(energies(point))
    total = point.figure("energy_j")
    if not per_item and total is None:
        return
    inverse = _not_inverse(point)
    if inverse:
        yield inverse
        return
    found = [fault for energy in per_item if (fault := _against_power(point, energy))]
    spent = _against_duration(point, total) if total and not found else None
    found += [spent] if spent else []
    if found and not any(isinstance(item, Fault) for item in draw_faults(point, ledger)):
        yield found[0]


def _not_inverse(point: OperatingPoint) -> Fault | None:
    first, second = point.figure(PER_TOKEN), point.figure(PER_ENERGY)
    if first is None or second is None or first.quantity.value <= 0 or not same_kind(point, first, second):
        return None
    wanted = Sum(1 / first.quantity.value, "", first.quantity.slack)
    if wanted.agrees(second.quantity, tolerance_of(first, second)):
        return None
    return Fault(
        second.quantity.pointer,
        f"1 / {first.quantity.text} = {shown(wanted.value)} tok/J, but {PER_ENERGY} says {second.quantity.text}",
        "one of them counts other tokens or another power; per megawatt is per 10^6 joules",
    )


def _against_power(point: OperatingPoint, energy: Energy) -> Fault | None:
    power = power_of(point, energy.figure)
    rate, times = sound_rate(point, energy.rate), 1.0
    count = accelerators(point)
    if rate is None and point.figure(energy.rate) is None and count:
        rate, times = point.figure(PER_ACCELERATOR.get(energy.rate, "")), count.value
    if power is None or rate is None or window(point, rate) != window(point, energy.figure):
        return None
    figure, watts = power
    value = energy.joules.value * rate.quantity.value * times
    each = f" x {count.text}" if times > 1 and count else ""
    wanted = Sum(
        value,
        f"{energy.joules.text} x {rate.quantity.text}{each} = {shown(value)} W",
        energy.joules.slack + rate.quantity.slack,
    )
    if wanted.value > 0 and wanted.agrees(watts, tolerance_of(energy.figure, rate, figure)):
        return None
    return Fault(
        energy.figure.quantity.pointer,
        f"{wanted.text}, but {figure.metric} says {watts.text}",
        "see which of the three is of another window (full run or steady state), scope or token kind",
    )


def _against_duration(point: OperatingPoint, energy: Figure) -> Fault | None:
    power, duration = power_of(point, energy), point.count("duration_s", "s")
    if power is None or duration is None or duration.value <= 0 or window(point, energy) != "full_run":
        return None
    figure, watts = power
    value = watts.value * duration.value
    wanted = Sum(value, f"{watts.text} x {duration.text} = {shown(value)} J", watts.slack)
    if wanted.value > 0 and wanted.agrees(energy.quantity, tolerance_of(figure, energy)):
        return None
    return Fault(
        energy.quantity.pointer,
        f"{wanted.text}, but energy_j says {energy.quantity.text}",
        "see which of the three is of another window or scope",
    )


RULE = Rule(
    name="energy-power-throughput-identity",
    level=Level.ERROR,
    summary="Energy per token times token rate is not the power.",
    why=(
        "Joules per token times tokens per second are joules per second: the power over the same window. A public "
        "leaderboard corrected its throughput column in 812 of 848 configurations, by factors from 0.59 to 3.5; before "
        "that the product missed the stated power by more than 5 % in 79 % of its rows. One multiplication "
        "would have told. The token kinds must match: energy per total token goes with the total rate."
    ),
    reference="ml-energy/leaderboard commit 6e70d23",
    formula=(
        "joules_per_token x rate of its token_kind = power_w; joules_per_request x requests_per_s = power_w; "
        "energy_j = power_w x duration_s; tokens_per_joule = 1 / joules_per_token; on one power_basis and window"
    ),
    tolerance=(
        "3 %, with the rounding of the operands. In the corrected ML.ENERGY leaderboard the product is the power to "
        "all digits in 838 of 838 runs"
    ),
    kinds=("benchmark",),
    needs=((PER_TOKEN, PER_ENERGY, "joules_per_request", "energy_j"),),
    check=check,
)
