"""The dense matrix peaks of an accelerator record by format, and the ratios they usually have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tools.checks.rule import Record
from tools.roofline import Peak, accelerator
from tools.roofline.precision import BITS

RATIO_TOLERANCE = 0.05
USUAL: tuple[tuple[str, str, float], ...] = (
    ("bf16", "fp16", 1),
    ("tf32", "fp16", 0.5),
    ("tf32", "bf16", 0.5),
    ("fp8", "fp16", 2),
    ("fp8", "bf16", 2),
    ("int8", "fp16", 2),
    ("int8", "bf16", 2),
    ("int8", "fp8", 1),
    ("fp4", "fp8", 2),
    ("int4", "int8", 2),
)
"""(format, other format, usual rate of the first over the second): half the bits run twice as fast."""


class Pair(NamedTuple):
    """Two peaks of one record and the ratio between them, as it is and as it usually is."""

    first: Peak
    second: Peak
    usual: float

    @property
    def ratio(self) -> float:
        """Rate of the first over the second."""
        return self.first.rate / self.second.rate

    @property
    def is_usual(self) -> bool:
        """Whether the ratio is the usual one."""
        return abs(self.ratio / self.usual - 1) <= RATIO_TOLERANCE


def dense(record: Record) -> dict[str, Peak]:
    """The dense matrix peaks by format; the first where a format stands twice, which is a fault of its own."""
    found: dict[str, Peak] = {}
    for peak in accelerator(record.value).peaks:
        if peak.is_matrix and peak.is_dense:
            found.setdefault(peak.precision, peak)
    return found


def pairs(peaks: Mapping[str, Peak]) -> Iterator[Pair]:
    """The pairs of formats with a usual ratio.

    Floating-point peaks with different accumulators are not compared. Integers beside a format that is filed with FP32
    accumulation are twice as fast again, since that accumulation halves the rate on the parts that state it.
    """
    for first, second, usual in USUAL:
        one, other = peaks.get(first), peaks.get(second)
        if one is None or other is None or len({one.accumulate, other.accumulate} - {None}) > 1:
            continue
        is_halved = first.startswith("int") and other.accumulate == "fp32"
        yield Pair(one, other, usual * 2 if is_halved else usual)


def doubled(peaks: Mapping[str, Peak]) -> Peak | None:
    """The one peak that is twice what all the others say, or None.

    It disagrees with formats of at least two widths by a factor of two in the same direction and agrees with none,
    while those others agree among themselves. That is the trace of one sparse rate among dense ones. One width is not
    enough: parts exist on which FP8 really runs at four times and TF32 at the full 16-bit rate.
    """
    compared = list(pairs(peaks))
    for peak in peaks.values():
        mine = [pair for pair in compared if peak in (pair.first, pair.second)]
        rest = [pair for pair in compared if peak not in (pair.first, pair.second)]
        widths = {BITS[_other(pair, peak).precision] for pair in mine}
        if (
            len(widths) >= 2
            and rest
            and all(_is_twice(pair, peak) for pair in mine)
            and all(pair.is_usual for pair in rest)
        ):
            return peak
    return None


def _other(pair: Pair, peak: Peak) -> Peak:
    return pair.second if peak is pair.first else pair.first


def _is_twice(pair: Pair, peak: Peak) -> bool:
    over = pair.ratio / pair.usual if peak is pair.first else pair.usual / pair.ratio
    return abs(over / 2 - 1) <= RATIO_TOLERANCE


def pointer(peak: Peak, field: str = "value") -> str:
    """JSON Pointer of a field of a peak."""
    return f"/peaks/{peak.index}/{field}"


def reasoned(record: Record, *peaks: Peak) -> bool:
    """Whether the record gives a reason in writing: a note at one of the peaks or at a value that other sources
    give for it, or remarks that name its format."""
    remarks = (record.text("/notes") or "").casefold()
    return any(
        record.text(pointer(peak, "note"))
        or any("note" in other for _, other in record.mappings(pointer(peak, "disputed")))
        or peak.precision in remarks
        for peak in peaks
    )
