"""A client that counts other output tokens than the server."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.point import operating_point
from tools.checks.quantity import shown
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.finding import Level

_TOLERANCE = 0.02


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    point = operating_point(record)
    again = point.count("output_tokens_retokenized")
    if again is None:
        return
    counted = point.count("output_tokens")
    if counted is None or counted.value <= 0 or abs(again.value / counted.value - 1) <= _TOLERANCE:
        return
    yield Fault(
        again.pointer,
        f"the client counts {again.text} tokens in the text and the run has {counted.text}: "
        f"{shown(100 * again.value / counted.value)} %",
        "the server's count is the one to keep; say in client.count_side whose count the rates use, and look for "
        "text that the client did not get (reasoning, tool calls, blanks)",
    )


RULE = Rule(
    name="retokenized-count-mismatch",
    level=Level.WARNING,
    summary="Server and client disagree on the number of output tokens.",
    why=(
        "A client that encodes the answer again does not get the tokens the model emitted: runs of blanks merge (100 "
        "became 7), pieces split at the borders of stream events, and reasoning or tool calls never reach its text. "
        "One model produced 900 tokens and the report said 516. Half a per cent is ordinary loss of the round trip; "
        "more means that every rate of one of the two is wrong."
    ),
    reference="CentML/flexible-inference-bench#66, vllm-project/vllm-omni#4459, eugr/llama-benchy#18",
    formula="|counts.output_tokens_retokenized / counts.output_tokens - 1|",
    tolerance=(
        "2 %. Two SGLang client files differ by 0 and 1 of some thousands of tokens; a third has 16,265 of 26,009."
    ),
    kinds=("benchmark",),
    needs=(("/counts/output_tokens_retokenized",),),
    check=check,
)
