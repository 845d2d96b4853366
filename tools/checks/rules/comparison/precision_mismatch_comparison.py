"""A ratio between two number formats."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.rule import Fault, Ledger, Record, Rule, Skip
from tools.checks.sides import COMPARED, Comparison, comparisons, number_format
from tools.finding import Level

_PARTS = {"weights": "weights", "kv_cache": "KV cache"}


def check(record: Record, ledger: Ledger) -> Iterator[Fault | Skip]:
    for comparison in comparisons(record, ledger):
        if comparison.first.point is not None and comparison.second.point is not None:
            yield from _judged(comparison)


def _judged(comparison: Comparison) -> Iterator[Fault | Skip]:
    first, second = comparison.first, comparison.second
    for part, called in _PARTS.items():
        field = f"precision.{part}"
        if comparison.allows(field):
            continue
        one, other = number_format(first, part), number_format(second, part)
        if one is None and other is None:
            if part == "weights":
                if first.text("engine.id") == second.text("engine.id"):
                    yield Skip(second.pointer, f"`{field}`, in either record")
                    continue
            else:
                continue
        elif one == other:
            continue
        yield Fault(
            second.pointer,
            f"{called}: {one or 'not stated'} for {first.name}, {other or 'not stated'} for {second.name}",
            f"compare runs of one format, or add `{field}` to `varied` and name both formats beside the ratio"
            if one and other
            else f"state `{field}` where it is missing: an engine's default may be 16 or 4 bit",
        )


RULE = Rule(
    name="precision-mismatch-comparison",
    level=Level.ERROR,
    summary="Two runs of different number formats are compared.",
    why=(
        "Weights of 8 bit are half the bytes to read and run at twice the arithmetic rate, so a chip with FP8 set "
        "against one with FP16 shows the format as much as the chip. A format that is not stated is no better: "
        "desktop runners take 4-bit weights when the name says nothing and are then set against 16-bit servers. The "
        "format of the weights and of the key-value cache is therefore the same on both sides unless it is what the "
        "comparison is about. FP16 and BF16 count as the same. Where neither run states its weights, that is a fault "
        "only between different engines, whose defaults differ."
    ),
    reference=(
        "https://www.techspot.com/news/101238-amd-mi300x-ai-accelerator-faster-than-nvidia-h100.html, "
        "ollama/ollama#3349, ollama/ollama#8989"
    ),
    formula="`precision.weights` and `precision.kv_cache` of both runs are equal unless `varied` covers them",
    tolerance="none; a format stated on one side only counts as unequal",
    kinds=("benchmark",),
    needs=(COMPARED,),
    check=check,
)
