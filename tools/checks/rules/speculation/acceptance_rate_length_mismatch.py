"""An acceptance rate and an acceptance length that cannot be of one run."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.point import OperatingPoint, operating_point
from tools.checks.quantity import Quantity, shown
from tools.checks.rule import Fault, Ledger, Record, Rule, Skip
from tools.checks.rules.speculation.acceptance import (
    ALWAYS_FULL,
    CHAINS,
    LENGTHS,
    RATES,
    lengths_of,
    rates_of,
)
from tools.finding import Level

_TOLERANCE = 0.05
_FITS = 0.02
"""How near a number has to come to another reading for the message to propose it."""


def check(record: Record, _: Ledger) -> Iterator[Fault | Skip]:
    point = operating_point(record)
    rates = rates_of(point)
    lengths = lengths_of(point) if rates else []
    if not lengths:
        return
    proposed = _proposed(point)
    if proposed is None:
        yield Skip(
            "/technique", "the draft's shape (topology, with gamma for a chain and tree_nodes for a tree)"
        )
        return
    if proposed.value <= 0:
        return
    rate, length = rates[0], lengths[0]
    expected = (length.value - 1) / proposed.value
    allowed = (
        _TOLERANCE * max(expected, rate.value)
        + rate.slack * rate.value
        + length.slack * length.value / proposed.value
    )
    text = f"({length.text} - 1) / {proposed.text} {proposed.name} = {shown(expected)}"
    if rate.value < expected - allowed:
        yield Fault(
            rate.pointer,
            f"{text} of the proposed tokens were accepted at the least, but the acceptance rate is {rate.text}",
            "look whether the rate is per node of a tree, and whether both figures are of one run",
        )
    elif (
        rate.value > expected + allowed
        and proposed.name != "nodes"
        and record.text("/technique/kind") in ALWAYS_FULL
    ):
        yield Fault(
            rate.pointer,
            f"{text}, but the acceptance rate is {rate.text}{_reading(rate, length, proposed)}",
            "the rate is accepted over proposed tokens, and the length has the target's own token in it; a chance "
            "that one token is accepted, given those before it, is acceptance_rate_conditional",
            level=Level.WARNING,
        )


def _proposed(point: OperatingPoint) -> Quantity | None:
    """Draft tokens of a step: the nodes of a tree, else the depth of a chain."""
    nodes, topology = point.number("/technique/tree_nodes", "nodes"), point.record.get("/technique/topology")
    if nodes or topology == "tree":
        return nodes
    if topology == "chain" or point.record.text("/technique/kind") in CHAINS:
        return point.number("/technique/gamma", "draft tokens")
    return None


def _reading(rate: Quantity, length: Quantity, proposed: Quantity) -> str:
    """What the rate would fit, if it fits something."""
    alpha, gamma = rate.value, proposed.value
    if abs(alpha * gamma / length.value - 1) < _FITS:
        return ": the length looks counted without the target's token"
    if not 0 <= alpha <= 1:
        return ""
    chained = gamma + 1 if alpha == 1 else (1 - alpha ** (gamma + 1)) / (1 - alpha)
    if abs(chained / length.value - 1) < _FITS:
        return ": it looks like the chance of a single token, for (1 - a^(gamma + 1)) / (1 - a) is the length"
    return ""


RULE = Rule(
    name="acceptance-rate-length-mismatch",
    level=Level.ERROR,
    summary="The acceptance rate does not fit the acceptance length.",
    why=(
        "A step that emits 2.25 tokens has accepted 1.25 of its draft; with 3 proposed that is a rate of 0.417. The "
        "rate cannot be lower, and it is higher only where steps propose less than gamma (look-up methods, adaptive "
        "drafts). Three things go under the name of acceptance rate: accepted over proposed, which is what the "
        "ledger means; the chance of one token given those before it; and the length over gamma. And a length "
        "without the target's own token is 1 short. A tree proposes its nodes, so its rate falls while its length "
        "rises."
    ),
    reference="https://arxiv.org/abs/2211.17192, vllm-project/vllm (1 + accepted / drafts)",
    formula=(
        "acceptance_rate >= (acceptance_length - 1) / gamma (tree: / tree_nodes); equal for chains of techniques "
        "that always propose a whole draft"
    ),
    tolerance=(
        "5 % and the printed digits. A chain of 3 in SpecDecode-Bench has 2.25 and 0.415 (0.4 % off), its tree of 21 "
        "nodes 2.92 and 0.095 (4 %: nodes may count the root)."
    ),
    kinds=("benchmark",),
    other_levels=(Level.WARNING,),
    needs=(RATES, LENGTHS),
    check=check,
)
