"""An acceptance that its own counters do not give."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.point import operating_point
from tools.checks.quantity import Quantity, shown
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules.speculation.acceptance import depth_of, lengths_of, rates_of, reach
from tools.finding import Level

_TOLERANCE = 0.01


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    point = operating_point(record)
    accepted = point.count("accepted_tokens")
    proposed, drafts = point.count("draft_tokens"), point.count("drafts")
    if proposed and drafts:
        yield from _within_depth(record, proposed, drafts)
    if accepted is None:
        return
    if proposed and accepted.value > proposed.value:
        yield Fault(
            accepted.pointer,
            f"{accepted.text} draft tokens were accepted of only {proposed.text} proposed",
            "look whether the target's own tokens are among the accepted ones, or the counters are of different "
            "times",
        )
    elif proposed and proposed.value > 0:
        share = accepted.value / proposed.value
        for rate in rates_of(point):
            if abs(rate.value - share) > _TOLERANCE * share + reach(rate):
                yield _differs(rate, "rate", f"{accepted.text} accepted / {proposed.text} proposed", share)
    if drafts and drafts.value > 0:
        emitted = 1 + accepted.value / drafts.value
        for length in lengths_of(point):
            if abs(length.value - emitted) > _TOLERANCE * emitted + reach(length):
                yield _differs(
                    length, "length", f"1 + {accepted.text} accepted / {drafts.text} drafts", emitted
                )


def _within_depth(record: Record, proposed: Quantity, drafts: Quantity) -> Iterator[Fault]:
    """Faults of more draft tokens than the drafts can hold."""
    point = operating_point(record)
    nodes, depth = point.number("/technique/tree_nodes"), depth_of(point)
    if depth is None or nodes or record.get("/technique/topology") == "tree":
        return
    if proposed.value > drafts.value * depth.tokens * (1 + _TOLERANCE):
        most = shown(drafts.value * depth.tokens)
        yield Fault(
            proposed.pointer,
            f"{proposed.text} draft tokens were proposed, but {drafts.text} drafts x {depth.text} = {most} at most",
            "look whether gamma is the depth of this run's drafts",
        )


def _differs(found: Quantity, name: str, text: str, value: float) -> Fault:
    return Fault(
        found.pointer,
        f"{text} = {shown(value)}, but the acceptance {name} is {found.text}",
        "look whether the printed figure is of this run or a running average of the server since its start",
    )


RULE = Rule(
    name="acceptance-does-not-recompute",
    level=Level.ERROR,
    summary="An acceptance rate or length does not follow from the run's own counters.",
    why=(
        "Servers count drafts, proposed and accepted tokens, and the rate and the length are two quotients of these. "
        "Printed figures often are not of the run: one engine reports its average since start-up, warm-up and "
        "earlier runs included. Accepted tokens are part of the proposed ones, and a draft proposes no more than its "
        "depth."
    ),
    reference="vllm-project/vllm bench serve (spec_decode_* counters), sgl-project/sglang (accept_length)",
    formula=(
        "acceptance_rate = accepted_tokens / draft_tokens; acceptance_length = 1 + accepted_tokens / drafts; "
        "accepted_tokens <= draft_tokens <= drafts x gamma (chains)"
    ),
    tolerance="1 % and the printed digits; a vLLM client file recomputes to 0.5179 and 2.5536, all its digits",
    kinds=("benchmark",),
    needs=(("/counts/accepted_tokens", "/counts/draft_tokens"),),
    check=check,
)
