"""Reasoning tokens added to a count that holds them already."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.point import operating_point
from tools.checks.quantity import shown
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.finding import Level

_TOLERANCE = 0.01


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    point = operating_point(record)
    reasoning = point.count("reasoning_tokens")
    completion = point.count("completion_tokens") if reasoning else None
    if reasoning is None or completion is None or reasoning.value <= 0:
        return
    inclusive = record.get("/counts/usage_inclusive")
    if inclusive is False:
        return
    if reasoning.value > completion.value:
        yield Fault(
            reasoning.pointer,
            f"{reasoning.text} reasoning tokens cannot be among {completion.text} completion tokens",
            "the server reports them apart: say so with usage_inclusive: false",
            level=Level.ERROR if inclusive is True else Level.WARNING,
        )
        return
    output = point.count("output_tokens")
    total = completion.value + reasoning.value
    if output is None or abs(output.value / total - 1) > _TOLERANCE:
        return
    if abs(output.value - completion.value) <= abs(output.value - total):
        return
    yield Fault(
        output.pointer,
        f"{completion.text} completion + {reasoning.text} reasoning = {shown(total)} tokens, which is the output of "
        f"{output.text}; but completion tokens hold the reasoning already",
        f"output is {completion.text} where the usage block includes reasoning; a server that reports them apart "
        "is marked with usage_inclusive: false",
    )


RULE = Rule(
    name="reasoning-double-count",
    level=Level.ERROR,
    summary="Reasoning tokens were added to completion tokens that hold them already.",
    why=(
        "The usual usage block reports the reasoning as part of the completion. A client that adds the two counts "
        "the reasoning twice and inflates output, and every rate made of it, by the share of reasoning. Some servers "
        "do report them apart; then the sum is right, and `usage_inclusive: false` says so. More reasoning than "
        "completion shows the same."
    ),
    reference="tugot17/tokenomics#16, sgl-project/genai-bench#81",
    formula=(
        "counts.output_tokens = completion_tokens + reasoning_tokens, unless usage_inclusive is false; "
        "reasoning_tokens <= completion_tokens where they are included"
    ),
    tolerance="1 %, and nearer to the sum than to the completion tokens alone",
    kinds=("benchmark",),
    other_levels=(Level.WARNING,),
    needs=(("/counts/reasoning_tokens",), ("/counts/completion_tokens",)),
    check=check,
)
