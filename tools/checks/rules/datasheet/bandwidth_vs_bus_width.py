"""A bandwidth that does not follow from bus width and data rate."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.quantity import number, shown
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.finding import Level

_TOLERANCE = 0.03
_BITS_PER_BYTE = 8


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    memory = record.get("/memory")
    if not isinstance(memory, dict):
        return
    width, rate = number(memory.get("bus_width_bits")), number(memory.get("data_rate_gbit_s"))
    stated = number(record.get("/memory/bandwidth/value"))
    if width is None or rate is None or stated is None:
        return
    expected = width * rate / _BITS_PER_BYTE
    if expected and abs(stated / expected - 1) > _TOLERANCE:
        yield Fault(
            "/memory/bandwidth/value",
            f"{shown(width)} bits x {shown(rate)} Gbit/s / 8 = {shown(expected)} GB/s, but bandwidth says "
            f"{shown(stated)} GB/s ({shown(stated / expected)} of it)",
            "one of the three belongs to another edition of the part, or counts dies or both directions",
        )


RULE = Rule(
    name="bandwidth-vs-bus-width",
    level=Level.ERROR,
    summary="Bandwidth is not bus width times data rate.",
    why=(
        "Peak memory bandwidth is a product: pins times bits per second of each, over eight. When a record has all "
        "three and they disagree, one of them is of another edition (slower memory is sold under the same name), "
        "of one die of several, or a slip of the unit, and every limit for decoding that is computed from it is off "
        "by as much."
    ),
    reference="https://www.jedec.org/standards-documents/docs/jesd238a",
    formula="memory.bandwidth = bus_width_bits x data_rate_gbit_s / 8",
    tolerance=(
        "3 %: makers round the product (8192 GB/s is printed as 8000 on two parts); on the 19 parts of the ledger that "
        "state all three the difference is at most 0.7 %."
    ),
    kinds=("accelerator",),
    check=check,
)
