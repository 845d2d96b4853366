"""Peaks of two formats in an unusual ratio, with no reason given."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.quantity import shown
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules.datasheet import peaks as of
from tools.finding import Level
from tools.roofline.accelerator import TERA


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    if "peaks" not in record.value:
        return
    dense = of.dense(record)
    if of.doubled(dense) is not None:
        # One sparse rate explains every odd ratio; that is another rule's finding.
        return
    told: set[int] = set()
    for pair in of.pairs(dense):
        first, second = pair.first, pair.second
        if pair.is_usual or first.index in told or of.reasoned(record, first, second):
            continue
        told.add(first.index)
        yield Fault(
            of.pointer(first),
            f"{first.precision} {shown(first.rate / TERA)} / {second.precision} {shown(second.rate / TERA)} = "
            f"{shown(pair.ratio)}, usually {shown(pair.usual)}",
            "look whether one of them counts sparsity, is a shader rate or belongs to another edition; if the part "
            "is like that, say so in the `note` of the peak",
        )


RULE = Rule(
    name="precision-ratio",
    level=Level.WARNING,
    summary="The peaks of two formats stand in an unusual ratio, and no note says why.",
    why=(
        "On most parts half the bits run twice as fast: FP8 and INT8 at twice the 16-bit rate, FP4 at four times, "
        "TF32 at half. A ratio that is off is often a sparse rate, a shader rate or a figure of another edition of "
        "the part. There are real exceptions (parts without faster FP8, FP4 at three times FP8, INT8 kept slow or "
        "at four times FP16), so the rule asks for a reason in writing: a `note` at one of the two peaks, or "
        "remarks of the record that name the format."
    ),
    reference="deepseek-ai/FlashMLA#75, Lightning-AI/pytorch-lightning#21743",
    formula="bf16 = fp16, tf32 = fp16 / 2, fp8 = 2 x 16 bit, int8 = fp8 or 2 x 16 bit, fp4 = 2 x fp8, int4 = 2 x int8",
    tolerance="5 %, wider than the rounding of printed peaks (2 % on the parts of the ledger).",
    kinds=("accelerator",),
    check=check,
)
