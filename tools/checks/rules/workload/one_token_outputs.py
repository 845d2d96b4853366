"""One token in each answer where a text was asked for."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.point import operating_point
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules.workload.lengths import is_one_token
from tools.finding import Level


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    point = operating_point(record)
    if not is_one_token(point):
        return
    asked, measured = point.nominal_length("output"), point.measured_length("output")
    assert asked is not None
    assert measured is not None
    yield Fault(
        measured.pointer,
        f"each answer has one token ({measured.text}) where {asked.text} were asked for",
        "look whether the client had a tokenizer to set the output length with; the run is at most a measurement of "
        "prefill, to be filed with a nominal output length of 1",
    )


RULE = Rule(
    name="one-token-outputs",
    level=Level.ERROR,
    summary="Every answer has one token although a text was asked for.",
    why=(
        "A client without a tokenizer set the output length to 1 and said nothing. The dashboard then showed 1 tok/s "
        "per accelerator for a server that decoded thousands, because the run was nothing but prefill. As many "
        "output tokens as completed requests is never a coincidence. A test that asks for one token is a fair "
        "measurement of prefill, and a classifier that answers real questions with a word under a cap is one of "
        "classification."
    ),
    reference="vllm-project/perf-eval#20",
    formula="counts.output_tokens = counts.completed (or a measured mean output length of 1), nominal length above 1",
    tolerance="none: the count is exact",
    kinds=("benchmark",),
    needs=(("/conditions/output_length",),),
    check=check,
)
