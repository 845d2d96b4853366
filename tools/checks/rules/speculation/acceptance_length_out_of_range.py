"""An acceptance length that no step can have."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.point import operating_point
from tools.checks.quantity import shown
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules.speculation.acceptance import LENGTHS, depth_of, lengths_of, reach
from tools.finding import Level

_TOLERANCE = 0.01


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    point = operating_point(record)
    lengths = lengths_of(point)
    depth = depth_of(point) if lengths else None
    for length in lengths:
        if length.value + reach(length) < 1 - _TOLERANCE:
            yield Fault(
                length.pointer,
                f"{length.text} a step, but the target's own token makes it at least 1",
                "the source counts the draft's tokens alone, or prints a share: add 1 where it says so, with the "
                "printed figure under derived_from, or file it as an acceptance rate",
            )
        elif depth and length.value - reach(length) > (depth.tokens + 1) * (1 + _TOLERANCE):
            yield Fault(
                length.pointer,
                f"{length.text} a step, but {depth.text} + the target's own token = {shown(depth.tokens + 1)} at "
                "most",
                "look whether gamma is the depth of the draft, and whether the figure is of this setting; a peak "
                "over settings hides the setting",
            )


RULE = Rule(
    name="acceptance-length-out-of-range",
    level=Level.ERROR,
    summary="An acceptance length is below 1 or above the draft depth plus 1.",
    why=(
        "A pass of the target accepts between none and all of the drafted tokens and adds one of its own, so a "
        "request gets between 1 and gamma + 1 tokens for it, in a chain as in a tree of that depth. Below 1 the "
        "source counts without the target's token, as the setting for forced acceptance of one engine does, or the "
        "number is a share. Above gamma + 1 the draft depth or the row is another's: tables often print the best "
        "length over several depths. A definition of its own (definition_variant: other) is let be."
    ),
    reference="https://arxiv.org/abs/2211.17192, NVIDIA/TensorRT-LLM (forced acceptance leaves the target's token out)",
    formula="1 <= acceptance_length <= technique.gamma + 1 (else technique.heads + 1)",
    tolerance=(
        "1 % and the printed digits. Of 612 published acceptance lengths with a draft depth the largest is 0.965 of "
        "gamma + 1 and the smallest 1.11."
    ),
    kinds=("benchmark",),
    needs=(LENGTHS,),
    check=check,
)
