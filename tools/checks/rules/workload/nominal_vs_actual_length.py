"""A length on the label that is not the length that was run."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.point import OperatingPoint, operating_point
from tools.checks.quantity import shown
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules.workload.lengths import (
    DRIFT,
    is_cap,
    is_one_token,
    over_nominal,
    stopped_early,
    swapped,
)
from tools.finding import Level

_TOKENS = 1
"""A difference of one token is a begin or end token, however short the text."""


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    point = operating_point(record)
    for side in ("input", "output"):
        ratio = over_nominal(point, side)
        if ratio is None or abs(ratio - 1) <= DRIFT or _said_elsewhere(point, side):
            continue
        nominal, measured = point.nominal_length(side), point.measured_length(side)
        assert nominal is not None
        assert measured is not None
        if abs(measured.value - nominal.value) <= _TOKENS or (ratio < 1 and is_cap(point, side)):
            continue
        yield Fault(
            f"/conditions/{side}_length",
            f"{nominal.text} of {side} were asked for and {shown(measured.value)} were run "
            f"({measured.pointer}): {shown(100 * ratio)} %",
            "state what the nominal length is (kind: cap, upper or mean, and the distribution), and compare by the "
            "measured one; the label goes into the title",
        )


def _said_elsewhere(point: OperatingPoint, side: str) -> bool:
    """Whether another rule knows what this difference is."""
    return swapped(point) is not None or (side == "output" and (is_one_token(point) or stopped_early(point)))


RULE = Rule(
    name="nominal-vs-actual-length",
    level=Level.WARNING,
    summary="The measured length differs from the one on the label.",
    why=(
        "A label such as `8k in, 1k out` is what was asked of a generator. One draws lengths between 80 and 100 % of "
        "it, another around half of it, a third adds the chat template, and the mean of the run is 7,373 or 4,096 or "
        "8,240. Throughput and latency follow the lengths that were run, so two runs with one label may not be "
        "comparable. The record keeps both: the nominal length with its kind, and the measured mean. A cap that "
        "answers did not reach is no fault; a drift of a few tokens from encoding the prompt again is normal."
    ),
    reference="SemiAnalysisAI/InferenceX#356, vllm-project/vllm#10847, vllm-project/vllm#24937",
    formula="|measured mean length / nominal length - 1| of input or output; below 1 only where it is no cap",
    tolerance=(
        "5 %, and one token. Of 182 InferenceX client files with both lengths 172 agree within 0.5 % and 10 lie at "
        "0.90, as lengths drawn from 0.8 to 1 times the label do."
    ),
    kinds=("benchmark",),
    needs=(("/conditions/input_length", "/conditions/output_length"),),
    check=check,
)
