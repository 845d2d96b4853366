"""How many bytes a number format takes, and on which peak its arithmetic is billed.

Bits are those of the format's definition, block scales included where the definition fixes them: NVFP4 has an 8-bit
scale for 16 values (4.5 bits), MXFP4 and MXFP8 one for 32 (4.25 and 8.25; OCP Microscaling Formats 1.0). For formats
whose scales depend on the method (INT4, INT8, FP8, plain FP4) the bits are those of the values alone, so a size
computed from them is a lower bound; `bits_per_weight` of the record, where stated, is the average that really holds.
"""

from __future__ import annotations

from tools.records.parse import Json
from tools.roofline.reading import positive, text

BITS: dict[str, float] = {
    "fp32": 32,
    "tf32": 32,
    "fp16": 16,
    "bf16": 16,
    "fp8": 8,
    "mxfp8": 8.25,
    "int8": 8,
    "fp6": 6,
    "fp4": 4,
    "nvfp4": 4.5,
    "mxfp4": 4.25,
    "int4": 4,
    "int3": 3,
    "int2": 2,
}
"""Bits of one stored value; a TF32 value is stored in 32. `mixed` has no number."""

_ARITHMETIC = {"nvfp4": "fp4", "mxfp4": "fp4", "mxfp8": "fp8"}


def bytes_of(precision: str | None) -> float | None:
    """Bytes of one value in a format; None where the format is not known or mixed."""
    bits = BITS.get(precision) if precision else None
    return None if bits is None else bits / 8


def bytes_per_parameter(benchmark: Json) -> float | None:
    """Bytes of one weight in a benchmark: its stated average, else that of its format; None where neither is stated."""
    stated = positive(benchmark, "/precision/bits_per_weight")
    return stated / 8 if stated else bytes_of(text(benchmark, "/precision/weights"))


def arithmetic(precision: str) -> str:
    """The format under which accelerator records file the peak of a format: variants of FP4 and FP8 share one."""
    return _ARITHMETIC.get(precision, precision)
