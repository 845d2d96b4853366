"""A device that reports the memory of another part than the one it is filed under."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks import limits
from tools.checks.limits import Lack
from tools.checks.point import operating_point
from tools.checks.quantity import Quantity, shown
from tools.checks.rule import Fault, Ledger, Record, Rule, Skip
from tools.finding import Level
from tools.roofline.accelerator import GB, Accelerator

_LOWEST, _HIGHEST = 0.90, 1.09


def check(record: Record, ledger: Ledger) -> Iterator[Fault | Skip]:
    hardware = record.get("/hardware")
    if not isinstance(hardware, dict) or not {"reported_memory_gb", "total_memory_bytes"} & hardware.keys():
        return
    point = operating_point(record)
    stated = point.number("/hardware/total_memory_bytes", unit="bytes")
    told = point.number("/hardware/reported_memory_gb", unit="GB")
    reported = stated or (told._replace(value=told.value * GB) if told else None)
    parts = limits.parts(point, ledger)
    if reported is None or isinstance(parts, Lack):
        return
    known = [part for part in parts if part.capacity is not None]
    if not known:
        yield Skip(reported.pointer, f"`memory.capacity` of the accelerator `{parts[0].id}`")
    elif not any(_fits(reported, part) for part in known):
        yield _fault(reported, min(known, key=lambda part: abs(reported.value / (part.capacity or 1) - 1)))


def _fits(reported: Quantity, part: Accelerator) -> bool:
    sizes = [size for size in (part.capacity, part.reported) if size is not None]
    return any(_LOWEST <= reported.value / size <= _HIGHEST for size in sizes)


def _fault(reported: Quantity, part: Accelerator) -> Fault:
    assert part.capacity is not None
    share = reported.value / part.capacity
    return Fault(
        reported.pointer,
        f"the device reports {reported.text}, {shown(share)} of the {shown(part.capacity / GB)} GB of `{part.id}`",
        "it may be another part: file its own accelerator record if there is none, rather than the nearest one; for "
        "a partition of a part, say so in `system_name`",
    )


RULE = Rule(
    name="memory-vs-sku",
    level=Level.WARNING,
    summary="The reported memory belongs to another part.",
    why=(
        "Parts with nearly one name differ in memory, and a form that knows no entry for somebody's card breeds "
        "false identities: a 72 GB card was filed as the 96 GB one because only that was on the list. What the "
        "device reports tells them apart. Reported sizes lie up to 9 % off the label, since labels in GB are close "
        "to GiB and part of the memory is reserved; a different size of the same family is farther away."
    ),
    reference="LottoLottoLotto/localmaxxing-cli#6, LottoLottoLotto/localmaxxing-cli#5",
    formula="0.90 <= hardware.reported_memory_gb (or total_memory_bytes) / memory.capacity <= 1.09",
    tolerance=(
        "Devices report 0.95 (128 GB shared with the host) to 1.07 (80 GB of HBM, 81559 MiB) of the label, and sizes "
        "copied from an engine's log in GiB go down to 0.93 (48 GB card, 44.53 GiB, Wan-Video/Wan2.1#205) and 0.91 "
        "(16 GB card, 14.56 GiB, Zheng-Chong/CatVTON#133); 36 GB or 40 GB of a 48 GB family are 0.75 and 0.83."
    ),
    kinds=("benchmark",),
    needs=(("/hardware/reported_memory_gb", "/hardware/total_memory_bytes"),),
    check=check,
)
