"""A peak with structured sparsity filed as a dense one."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.quantity import shown
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules.datasheet import peaks as of
from tools.finding import Level
from tools.roofline import accelerator
from tools.roofline.accelerator import TERA

_HINT = (
    "data sheets print the rate with 2:4 sparsity: file half of it, or the same value with `sparsity: 2:4`"
)


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    if "peaks" not in record.value:
        return
    dense = of.dense(record)
    for peak in accelerator(record.value).peaks:
        own = dense.get(peak.precision)
        if peak.is_matrix and not peak.is_dense and own is not None and own.accumulate == peak.accumulate:
            over = own.rate / peak.rate
            if abs(over - 1) <= of.RATIO_TOLERANCE:
                yield Fault(
                    of.pointer(own),
                    f"the dense {own.precision} peak of {shown(own.rate / TERA)} is that with 2:4 sparsity, "
                    f"{shown(peak.rate / TERA)}",
                    _HINT,
                )
                return
    twice = of.doubled(dense)
    if twice is not None and not record.text(of.pointer(twice, "note")):
        others = [
            f"{peak.precision} {shown(peak.rate / TERA)}" for peak in dense.values() if peak is not twice
        ]
        yield Fault(
            of.pointer(twice),
            f"{twice.precision} says {shown(twice.rate / TERA)}, twice what the other formats allow "
            f"({', '.join(others)}): half of it is {shown(twice.rate / TERA / 2)}",
            _HINT,
        )


RULE = Rule(
    name="sparse-peak-as-dense",
    level=Level.ERROR,
    summary="A peak that counts sparsity is filed as dense.",
    why=(
        "Data sheets print the rate with 2:4 structured sparsity first, which is twice the dense one and which no "
        "ordinary model reaches. Filed as dense it halves every utilisation computed from it, and one format of a "
        "part seems twice as good as the next. It shows inside the record: the dense value equals the sparse one, "
        "or one format stands at twice of what all the others say while those agree among themselves. A note at the "
        "peak that says why it is so much faster is accepted for the second."
    ),
    reference=(
        "Lightning-AI/pytorch-lightning#21743, deepseek-ai/FlashMLA#75, karpathy/nanoGPT#464, allenai/OLMo-core#614"
    ),
    formula=(
        "dense peak / 2:4 peak of one format is not 1; halving one dense peak does not bring all its ratios to the "
        "usual ones (16 bit : 8 bit : 4 bit = 1 : 2 : 4, TF32 half of 16 bit)"
    ),
    tolerance="5 %; none of the 102 parts of the ledger shows either pattern.",
    kinds=("accelerator",),
    check=check,
)
