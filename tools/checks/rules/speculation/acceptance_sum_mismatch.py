"""Acceptances by position that do not add up to the acceptance length."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.point import operating_point
from tools.checks.quantity import shown
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules.speculation.acceptance import (
    LENGTHS,
    UNCONDITIONAL,
    by_position,
    depth_of,
    lengths_of,
    reach,
)
from tools.finding import Level

_TOLERANCE = 0.02


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    point = operating_point(record)
    shares = by_position(point, UNCONDITIONAL)
    lengths = lengths_of(point) if shares else []
    if not lengths:
        return
    length, depth = lengths[0], depth_of(point)
    total = 1 + sum(share.value for share in shares.values())
    slack = sum(reach(share) for share in shares.values()) + reach(length) + _TOLERANCE * length.value
    is_whole = depth is not None and list(shares) == list(range(1, int(depth.tokens) + 1))
    text = f"1 + {' + '.join(shown(share.value) for share in shares.values())} = {shown(total)} tokens a step"
    if total > length.value + slack:
        said = f"{text}, more than the acceptance length of {length.text}"
    elif is_whole and total < length.value - slack:
        said = f"{text} over all {shown(len(shares))} positions, but the acceptance length is {length.text}"
    else:
        return
    yield Fault(
        length.pointer,
        said,
        "look whether the length has the target's own token in it, and whether the shares are of all drafts or of "
        "those that got so far",
    )


RULE = Rule(
    name="acceptance-sum-mismatch",
    level=Level.ERROR,
    summary="Acceptances by position do not add up to the acceptance length.",
    why=(
        "Each position adds its share of drafts to the tokens of a step, and the target adds one of its own: 0.58 + "
        "0.34 + 0.22 and 1 make 2.14. The positions that a table prints may be fewer than the draft has, so their "
        "sum is only held against the length from above, unless all gamma positions are there."
    ),
    reference="vllm-project/vllm#24243 (1 + accepted / drafts, and shares by position)",
    formula=(
        "1 + sum of acceptance_rate_unconditional <= acceptance_length; equal where positions 1 ... gamma are all "
        "filed"
    ),
    tolerance=(
        "2 % and the printed digits. Two published sets of five positions sum to 2.40 and 2.36 beside lengths of "
        "2.47 and 2.44."
    ),
    kinds=("benchmark",),
    needs=((UNCONDITIONAL,), LENGTHS),
    check=check,
)
