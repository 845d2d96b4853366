"""Answers to made-up prompts that end when the model likes."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.point import operating_point
from tools.checks.quantity import shown
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules.workload.lengths import is_one_token, over_nominal, stopped_early, swapped
from tools.finding import Level


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    point = operating_point(record)
    if not stopped_early(point) or is_one_token(point) or swapped(point):
        return
    asked, measured = point.nominal_length("output"), point.measured_length("output")
    ratio = over_nominal(point, "output")
    assert asked is not None
    assert measured is not None
    assert ratio is not None
    stated = record.get("/conditions/ignore_eos") is False
    yield Fault(
        "/conditions/ignore_eos" if stated else "/conditions/output_length",
        f"answers to made-up prompts end at {shown(measured.value)} of {asked.text} ({shown(100 * ratio)} %), and "
        f"the end token is {'not ignored' if stated else 'not said to be ignored'}",
        f"file it with an output length of {shown(measured.value)} and compare it only with runs under the same "
        "rule, or run again with the end token ignored",
    )


RULE = Rule(
    name="eos-not-ignored",
    level=Level.WARNING,
    summary="Answers to made-up prompts stop before the length asked for.",
    why=(
        "On random prompts a model stops early or late at whim: 771 of 1,024 tokens in one run, a fraction of them "
        "in others, and another build of the same engine stops elsewhere. A comparison at fixed length needs the end "
        "token ignored on both sides. Real prompts are another matter: there an answer of 240 tokens under a cap of "
        "1,024 is the workload itself."
    ),
    reference="vllm-project/vllm#28227, ai-dynamo/dynamo#3731, ROCm/ATOM#688",
    formula=(
        "synthetic prompts (dataset_kind, or a generator's name), ignore_eos not true, measured mean output length "
        "< 0.95 x nominal; not with a stated distribution or upper end, or where inputs are short by the same share"
    ),
    tolerance="5 %, as for nominal-vs-actual-length",
    kinds=("benchmark",),
    needs=(("/conditions/output_length",),),
    check=check,
)
