"""Conditional acceptances whose product is not the unconditional one."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.point import operating_point
from tools.checks.quantity import shown
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules.speculation.acceptance import CONDITIONAL, UNCONDITIONAL, by_position
from tools.finding import Level

_TOLERANCE = 0.01


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    point = operating_point(record)
    conditional = by_position(point, CONDITIONAL)
    unconditional = by_position(point, UNCONDITIONAL) if conditional else {}
    product, slack, factors = 1.0, 0.0, []
    for position in range(1, len(conditional) + 1):
        if position not in conditional:
            return
        factor = conditional[position]
        product *= factor.value
        slack += factor.slack
        factors.append(shown(factor.value))
        reached = unconditional.get(position)
        if (
            reached
            and abs(reached.value - product) > (_TOLERANCE + slack) * product + reached.slack * reached.value
        ):
            yield Fault(
                reached.pointer,
                f"{' x '.join(factors)} = {shown(product)} of the drafts are accepted at position {position}, but "
                f"the unconditional rate there is {reached.text}",
                "look whether both columns are of one run and which of them is given the positions before",
            )
            return


RULE = Rule(
    name="acceptance-product-mismatch",
    level=Level.ERROR,
    summary="The product of conditional acceptances is not the unconditional one.",
    why=(
        "A draft reaches its third token when the first two were accepted, so the share of drafts with an accepted "
        "third token is the product of the three conditional shares; at the first position both are the same number. "
        "Where they are not, the two columns come from different runs, or one is filed under the other's name."
    ),
    reference="https://arxiv.org/abs/2211.17192",
    formula="acceptance_rate_unconditional at i = product of acceptance_rate_conditional at 1 ... i",
    tolerance="1 % and the printed digits of every factor",
    kinds=("benchmark",),
    needs=((CONDITIONAL,), (UNCONDITIONAL,)),
    check=check,
)
