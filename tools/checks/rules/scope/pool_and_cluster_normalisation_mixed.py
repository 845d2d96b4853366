"""Rates of split serving that are divided by different pools under one name."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.identities import input_plus_output
from tools.checks.point import OperatingPoint, operating_point
from tools.checks.quantity import shown
from tools.checks.recount import PER_ACCELERATOR, accelerators, tolerance_of
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules.scope.shares import is_split, shares_off
from tools.finding import Level

_INPUT, _OUTPUT, _TOTAL = (PER_ACCELERATOR[rate] for rate in ("input_tok_s", "tps_aggregate", "total_tok_s"))


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    if "disaggregation" not in record.value:
        return
    point = operating_point(record)
    if not is_split(point):
        return
    found = [share for share in shares_off(point) if share.fits_another_pool]
    for share in found:
        yield Fault(share.figure.quantity.pointer, share.message, share.hint)
    if not found:
        yield from _parts(point)


def _parts(point: OperatingPoint) -> Iterator[Fault]:
    figures = [figure for metric in (_INPUT, _OUTPUT, _TOTAL) if (figure := point.figure(metric))]
    both = input_plus_output(point, _INPUT, _OUTPUT)
    if len(figures) < 3 or both is None or both.value <= 0:
        return
    inputs, outputs, total = figures
    if both.agrees(total.quantity, tolerance_of(*figures)):
        return
    hint = "divide all three by all accelerators, or name the pool in the metric: per prefill, per decode accelerator"
    prefill = point.number("/disaggregation/prefill_accelerators")
    decode = point.number("/disaggregation/decode_accelerators")
    count = accelerators(point)
    if prefill and decode and count:
        pooled = inputs.quantity.value * prefill.value + outputs.quantity.value * decode.value
        if abs(pooled / (total.quantity.value * count.value or 1) - 1) <= tolerance_of(*figures):
            hint = (
                f"with the pools it adds up ({prefill.text} x {shown(inputs.quantity.value)} + {decode.text} x "
                f"{shown(outputs.quantity.value)} = {count.text} x {shown(total.quantity.value)}): refile the parts as "
                "`input_tok_s_per_prefill_accelerator` and `output_tok_s_per_decode_accelerator`"
            )
    yield Fault(
        inputs.quantity.pointer,
        f"{both.text} per accelerator, but {_TOTAL} says {total.quantity.text}: they are not divided by the same "
        "accelerators",
        hint,
    )


RULE = Rule(
    name="pool-and-cluster-normalisation-mixed",
    level=Level.ERROR,
    summary="Rates of split serving are divided by different pools under one name.",
    why=(
        "With prefill and decode in pools of their own there are three denominators: the prefill pool for "
        "input tokens, the decode pool for output tokens, and all accelerators. Both conventions are in use, and "
        "one dashboard changed from one to the other. Divided by its own pool a rate looks better than the same rate "
        "of an unsplit deployment, and input and output no longer add up to the total. So the denominator "
        "is part of the metric's name, and what is filed per accelerator is divided by all of them."
    ),
    reference="SemiAnalysisAI/InferenceX#131, SemiAnalysisAI/InferenceX#299, SemiAnalysisAI/InferenceX#912",
    formula=(
        "with `disaggregation`: input_tok_s_per_accelerator + output_tok_s_per_accelerator = "
        "total_tok_s_per_accelerator; "
        "and no rate per accelerator or per pool equals the rate of the deployment over another denominator"
    ),
    tolerance=(
        "3 %, with the rounding of the operands; the parts of 47 rows per accelerator in the InferenceX repository add "
        "up to all digits"
    ),
    kinds=("benchmark",),
    needs=(("/disaggregation",),),
    check=check,
)
