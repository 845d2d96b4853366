"""A later draft position that is reached and accepted more often than an earlier one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from tools.checks.point import operating_point
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules.speculation.acceptance import UNCONDITIONAL, by_position, reach
from tools.finding import Level

_TOLERANCE = 0.005


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    found = list(by_position(operating_point(record), UNCONDITIONAL).items())
    for (before, earlier), (position, later) in pairwise(found):
        if later.value - reach(later) > earlier.value * (1 + _TOLERANCE) + reach(earlier):
            yield Fault(
                later.pointer,
                f"position {position} is accepted in {later.text} of the drafts and position {before} before it in "
                f"only {earlier.text}",
                "a draft is accepted up to its first miss, so these shares fall; shares given the positions before "
                "are acceptance_rate_conditional",
            )
            return


RULE = Rule(
    name="unconditional-acceptance-rises",
    level=Level.ERROR,
    summary="Unconditional acceptance rises with the draft position.",
    why=(
        "A draft is accepted up to its first miss. The share of drafts whose third token is accepted is therefore "
        "part of the share whose second one is, and these shares never rise. Where they do, they are conditional "
        "(each among the drafts that got so far), which may rise, or the positions were shuffled."
    ),
    reference="vllm-project/vllm#24243 (shares by position), https://arxiv.org/abs/2211.17192",
    formula="acceptance_rate_unconditional at position j <= that at position i, for i < j",
    tolerance="0.5 % and the printed digits",
    kinds=("benchmark",),
    needs=((UNCONDITIONAL,),),
    check=check,
)
