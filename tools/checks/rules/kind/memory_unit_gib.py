"""More gigabytes in use than the accelerator has: probably a binary quantity under a decimal name."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.point import operating_point
from tools.checks.quantity import number, shown
from tools.checks.rule import Fault, Ledger, Record, Rule, Skip
from tools.finding import Level
from tools.roofline.accelerator import GB, GIB, accelerator

METRICS = {"memory_gb": False, "kv_cache_gb": True, "memory_total_gb": True}
"""Whether the figure is that of all accelerators."""


def check(record: Record, ledger: Ledger) -> Iterator[Fault | Skip]:
    point = operating_point(record)
    for metric, of_all in METRICS.items():
        for figure in point.of(metric):
            found = figure.quantity
            count = point.accelerators.value if of_all and point.accelerators else 1
            if of_all and point.accelerators is None:
                yield Skip(found.pointer, "how many accelerators took part, in `hardware` of this record")
                continue
            capacity = _capacity(point.accelerator_ids, ledger)
            if capacity is None:
                yield Skip(found.pointer, "the memory capacity in GB, in the accelerator record")
                continue
            total = number(record.get("/hardware/total_memory_bytes"))
            fits = max(total or 0, capacity) * count
            if fits < found.value <= capacity * count * GIB / GB:
                each = f" x {shown(count)}" if count > 1 else ""
                yield Fault(
                    found.pointer,
                    f"{metric} of {found.text} is more than the {shown(capacity / GB)} GB{each} of "
                    f"{' and '.join(point.accelerator_ids)}, by less than a GiB is more than a GB (1.0737)",
                    f"looks like decimal and binary mixed: {shown(found.value / GB)} GB = "
                    f"{shown(found.value / GIB)} GiB. See which the source prints; with "
                    "`hardware.total_memory_bytes` the bytes decide",
                )


def _capacity(ids: tuple[str, ...], ledger: Ledger) -> float | None:
    """Bytes of the largest of the parts, as sold; None where one is not labelled in GB."""
    sizes = []
    for accelerator_id in ids:
        value = ledger.value(accelerator_id)
        part = accelerator(value) if value is not None else None
        if part is None or part.capacity is None or part.capacity_unit != "GB":
            return None
        sizes.append(part.capacity)
    return max(sizes, default=None)


RULE = Rule(
    name="memory-unit-gib",
    level=Level.WARNING,
    summary="Memory in use is above the label of the accelerator by at most the ratio of GiB to GB.",
    why=(
        "Several interfaces print a binary quantity with a decimal suffix, so a trainer reported 83 GB on an 80 GB "
        "card. Such a card holds about 85.5e9 bytes, or 79.6 GiB: a figure between the label and the label read as "
        "GiB may be true bytes, or GiB under another name, and the two are 7 % apart. Only a count of bytes tells, "
        "so the rule asks for it and converts nothing."
    ),
    reference=(
        "meta-pytorch/torchtune#1348, vllm-project/vllm#14979, unslothai/unsloth#9570, modal-labs/modal-client#2797"
    ),
    formula=(
        "warns if capacity < memory_gb <= 1.0737 x capacity (memory_total_gb and kv_cache_gb: x accelerators) and "
        "hardware.total_memory_bytes does not show that it fits"
    ),
    tolerance="1.0737 is 2^30 / 10^9, rounded; the limits themselves are exact",
    kinds=("benchmark",),
    needs=(tuple(METRICS),),
    check=check,
)
