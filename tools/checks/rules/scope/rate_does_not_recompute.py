"""A filed rate that is not its totals over the duration, its share, or its sum."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.identities import Sum, input_plus_output
from tools.checks.point import Figure, OperatingPoint, operating_point
from tools.checks.recount import (
    PER_ACCELERATOR,
    RATES,
    SYSTEM_RATES,
    against_totals,
    can_be_held,
    share_filed_as_whole,
    tolerance_of,
    window,
)
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules.kind import count_filed_as_rate, total_tokens_filed_as_output
from tools.checks.rules.scope import per_accelerator_filed_as_system, per_user_rate_times_load
from tools.checks.rules.scope.shares import is_split, shares_off
from tools.finding import Level

_SPECIFIC = (
    count_filed_as_rate.check,
    total_tokens_filed_as_output.check,
    per_accelerator_filed_as_system.check,
    per_user_rate_times_load.check,
)

_SUMS = (
    ("input_tok_s", "tps_aggregate", "total_tok_s"),
    tuple(PER_ACCELERATOR[rate] for rate in ("input_tok_s", "tps_aggregate", "total_tok_s")),
)


def check(record: Record, ledger: Ledger) -> Iterator[Fault]:
    point = operating_point(record)
    if not can_be_held(point):
        return
    off = [found for metric in SYSTEM_RATES if (found := against_totals(point, metric))]
    if not off and any(share_filed_as_whole(point, metric) for metric in PER_ACCELERATOR):
        return
    # Shares and sums of a rate that is off would tell the same fault again.
    told = [_off(*found) for found in off] or [*_shares(point), *_sums(point)]
    if told:
        named = _named(record, ledger)
        yield from (fault for fault in told if fault.pointer not in named and (off or not named))


def _named(record: Record, ledger: Ledger) -> set[str]:
    """Places of which a more specific rule speaks."""
    told = (fault for check in _SPECIFIC for fault in check(record, ledger))
    return {fault.pointer for fault in told if isinstance(fault, Fault)}


def _off(figure: Figure, wanted: Sum) -> Fault:
    return Fault(
        figure.quantity.pointer,
        f"{wanted.text}, but {figure.metric} says {figure.quantity.text}",
        "see which of the numbers the source has otherwise; a rate over a part of the run names its `window`",
    )


def _shares(point: OperatingPoint) -> Iterator[Fault]:
    for share in shares_off(point):
        if not share.fits_another_pool:
            yield Fault(share.figure.quantity.pointer, share.message, share.hint)


def _sums(point: OperatingPoint) -> Iterator[Fault]:
    for inputs, outputs, totals in _SUMS:
        figures = [figure for metric in (inputs, outputs, totals) if (figure := point.figure(metric))]
        both = input_plus_output(point, inputs, outputs)
        if len(figures) < 3 or both is None or (totals != "total_tok_s" and is_split(point)):
            continue
        total = figures[2]
        same = len({window(point, figure) for figure in figures}) == 1
        if same and both.value > 0 and not both.agrees(total.quantity, tolerance_of(*figures)):
            yield Fault(
                total.quantity.pointer,
                f"{both.text}, but {totals} says {total.quantity.text}",
                "the total rate counts prompt and generated tokens of the same run over the same time",
            )


RULE = Rule(
    name="rate-does-not-recompute",
    level=Level.ERROR,
    summary="A rate is not what the totals of the run, its share or its parts come to.",
    why=(
        "A rate is a count over a time, and a run that files all three says the same thing twice. When they "
        "disagree, one of them is from another run, another window or another unit, and which one cannot be seen from "
        "the numbers alone. The same holds for a rate per accelerator beside the rate of the deployment, and "
        "for the total rate beside its input and output parts. Where the difference has a name of its own "
        "(a count never divided, input tokens counted in, one accelerator for all), that rule tells it."
    ),
    reference="modelscope/evalscope#1076, SemiAnalysisAI/InferenceX#131",
    formula=(
        "tps_aggregate, input_tok_s, total_tok_s = counts tokens / duration_s, else requests_per_s x measured mean "
        "length; requests_per_s = completed / duration_s; *_per_accelerator = rate / accelerators; "
        "total = input + output"
    ),
    tolerance=(
        "3 %, with the rounding of the operands, and 10 % more for a value marked approximate. In the InferenceX "
        "repository 198 runs recompute exactly from tokens, requests and duration, and the parts of 47 rows per "
        "accelerator add up exactly"
    ),
    kinds=("benchmark",),
    needs=(RATES,),
    check=check,
)
