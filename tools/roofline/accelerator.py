"""An accelerator record as numbers in base units: bytes, bytes per second, operations per second, watts.

Figures are those of one accelerator as the record counts it, which for a part of several dies is the package. Peaks
are dense matrix peaks of exactly the format asked for: no format stands in for another, sparse and shader rates are
never given. Where sources disagree the record's own value counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tools.records import pointer
from tools.records.parse import Json
from tools.roofline.precision import arithmetic
from tools.roofline.reading import positive, remembered, required, text, whole

GB = 10.0**9
GIB = 2.0**30
MIB = 2.0**20
TERA = 10.0**12


@dataclass(frozen=True, slots=True)
class Peak:
    """One peak rate of a record, in operations per second, at its place in `peaks`; a fused multiply-add is two."""

    precision: str
    rate: float
    is_matrix: bool
    is_dense: bool
    accumulate: str | None
    index: int


@dataclass(frozen=True, slots=True)
class Accelerator:
    """The facts of one accelerator; None is a fact that the record does not state.

    `capacity` is in bytes as labelled, `bandwidth` and `link` (one direction, all links) in bytes per second, `tdp` in
    watts. `reported` is the capacity in bytes that the device itself reports.
    """

    id: str
    capacity: float | None
    capacity_unit: str | None
    reported: float | None
    bandwidth: float | None
    memory_type: str
    shared_with_host: bool
    peaks: tuple[Peak, ...]
    tdp: float | None
    link: float | None
    dies: int

    @property
    def is_sram(self) -> bool:
        """Whether the memory is on-chip SRAM, to which the usual orders of magnitude do not apply."""
        return "sram" in self.memory_type.casefold()

    @property
    def most_capacity(self) -> float | None:
        """Bytes that the part can hold at most: as reported, else the label, whose GB are often GiB."""
        if self.reported is not None:
            return self.reported
        if self.capacity is None:
            return None
        return self.capacity * GIB / GB if self.capacity_unit == "GB" else self.capacity

    def dense_peak(self, precision: str) -> Peak | None:
        """The dense matrix peak of a format (variants of FP4 and of FP8 share one); None where none is stated."""
        wanted = arithmetic(precision)
        fitting = [
            peak for peak in self.peaks if peak.is_matrix and peak.is_dense and peak.precision == wanted
        ]
        return max(fitting, key=lambda peak: peak.rate, default=None)

    def required_bandwidth(self) -> float:
        """Bytes per second. Raises `ToolsError` where the record does not state it."""
        return required(self.bandwidth, "its memory bandwidth", self.id, "memory.bandwidth")

    def required_peak(self, precision: str) -> float:
        """Dense matrix operations per second in a format. Raises `ToolsError` where the record does not state it."""
        peak = self.dense_peak(precision)
        what = f"a dense matrix peak in {arithmetic(precision)}"
        return required(peak, what, self.id, "peaks").rate

    def required_link(self) -> float:
        """Bytes per second in one direction to other accelerators. Raises `ToolsError` where it is not stated."""
        return required(self.link, "its link speed", self.id, "interconnect.per_direction")


@remembered
def accelerator(value: Mapping[str, Json]) -> Accelerator:
    """The facts of an accelerator record; a record is read once and must not be changed afterwards."""
    record: Json = dict(value)
    unit = text(record, "/memory/capacity/unit")
    capacity = positive(record, "/memory/capacity/value")
    reported = positive(record, "/memory/reported_mib")
    bandwidth = positive(record, "/memory/bandwidth/value")
    link = positive(record, "/interconnect/per_direction/value")
    listed = pointer.find(record, "/peaks")
    peaks = enumerate(listed) if isinstance(listed, list) else ()
    return Accelerator(
        id=text(record, "/id") or "",
        capacity=None if capacity is None else capacity * (GIB if unit == "GiB" else GB),
        capacity_unit=unit,
        reported=None if reported is None else reported * MIB,
        bandwidth=None if bandwidth is None else bandwidth * GB,
        memory_type=text(record, "/memory/type") or "",
        shared_with_host=pointer.find(record, "/memory/shared_with_host") is True,
        peaks=tuple(peak for index, item in peaks if (peak := _peak(item, index)) is not None),
        tdp=positive(record, "/power/tdp/value"),
        link=None if link is None else link * GB,
        dies=whole(record, "/dies_per_package") or 1,
    )


def _peak(item: Json, index: int) -> Peak | None:
    value, precision = positive(item, "/value"), text(item, "/precision")
    if value is None or precision is None:
        return None
    return Peak(
        precision=precision,
        rate=value * TERA,
        is_matrix=text(item, "/unit_kind") == "matrix",
        is_dense=text(item, "/sparsity") in (None, "dense"),
        accumulate=text(item, "/accumulate"),
        index=index,
    )
