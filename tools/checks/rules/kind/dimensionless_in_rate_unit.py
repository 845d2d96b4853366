"""A relative score filed as a rate."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.limits import Lack, decode_rate
from tools.checks.point import Figure, OperatingPoint, operating_point
from tools.checks.quantity import shown
from tools.checks.rule import Fault, Ledger, Record, Rule, Skip
from tools.checks.rules.kind.captions import texts_about, words_of_multiple
from tools.finding import Level
from tools.schema.vocabulary import vocabulary

HIGHEST = 50
SHARE_OF_BOUND = 0.01
RATES = ("token rate", "request rate", "sample rate")
RATIOS = ("speedup_ratio", "dimensionless_ratio")
TYPICAL = ("mean", "", "unstated", "p50")
MOST_PROMPT = 16
"""Prompt tokens for each output token up to which an aggregate rate is mostly decoding."""


def check(record: Record, ledger: Ledger) -> Iterator[Fault | Skip]:
    point = operating_point(record)
    low = [figure for figure in point.figures if 0 < figure.quantity.value < HIGHEST and _is_rate(figure)]
    if not low:
        return
    has_ratio = any(item.get("metric") in RATIOS for _, item in record.mappings("/results"))
    parts = point.accelerators.value if point.accelerators else None
    told = False
    for figure in low:
        value = figure.quantity.value
        words = words_of_multiple(texts_about(record, figure.result, of_record=not has_ratio), value, parts)
        if words is not None:
            told = True
            yield Fault(
                figure.quantity.pointer,
                f"{figure.metric} is {figure.quantity.text}, but the source's words for it speak of a multiple: "
                f"`{words}`",
                "if it is relative to another system, file it as speedup_ratio with its baseline; without an "
                "absolute value of that baseline there is no rate to file",
            )
    if not told:
        yield from _far_below_bound(point, low, ledger)


def _is_rate(figure: Figure) -> bool:
    return vocabulary().units[str(figure.result["unit"])].dimension in RATES


def _far_below_bound(point: OperatingPoint, low: list[Figure], ledger: Ledger) -> Iterator[Fault | Skip]:
    for figure in low:
        rate = _of_deployment(point, figure)
        if rate is None:
            continue
        if point.accelerators is None:
            yield Skip(figure.pointer, "how many accelerators took part, in `hardware` of this record")
            return
        bound = decode_rate(point, ledger, 1.0, point.accelerators.value)
        if isinstance(bound, Lack):
            yield Skip(figure.pointer, bound.what)
        elif rate < SHARE_OF_BOUND * bound.value:
            yield Fault(
                figure.quantity.pointer,
                f"{figure.metric} of {figure.quantity.text} is {shown(rate / bound.value * 100)} % of what "
                f"bandwidth allows a single request: {bound.text}",
                "see whether the source means a multiple of something else, or thousands of tokens per second",
                level=Level.WARNING,
            )
        return


def _of_deployment(point: OperatingPoint, figure: Figure) -> float | None:
    """The decode rate of all requests together; None where the figure does not tell it."""
    value = figure.quantity.value
    if figure.statistic not in TYPICAL:
        return None
    if figure.metric == "decode_tok_s":
        return value
    if point.in_flight is None:
        return None
    if figure.metric == "tok_s_per_user":
        return value * point.in_flight.value
    prompt, answer = point.length("input"), point.length("output")
    if figure.metric != "tps_aggregate" or prompt is None or answer is None:
        return None
    # With long prompts and short answers the time goes into prefill, and a low output rate is no wonder.
    return value if prompt.quantity.value <= MOST_PROMPT * answer.quantity.value else None


RULE = Rule(
    name="dimensionless-in-rate-unit",
    level=Level.ERROR,
    summary="A relative score carries the unit of a rate.",
    why=(
        "In a dispute between two vendors a chart of relative latency was turned into absolute throughput by the other "
        "side; release tables put a bare `Tput` of about 1 beside an output rate of about 110. A value of 1.6 in "
        "tok/s looks like a slow machine, and a slow machine is possible. What gives it away are the source's words "
        "(relative, normalised, speedup, 1.6x) or that the hardware would be used to less than a hundredth."
    ),
    reference=(
        "https://www.techspot.com/news/101238-amd-mi300x-ai-accelerator-faster-than-nvidia-h100.html, "
        "vllm-project/vllm-ascend#776"
    ),
    formula=(
        "fires if a rate is below 50 and a caption, note, definition or original name says relative, normalised, "
        "speedup, `n times` or `n x`; warns without such words if a decode rate is below 1 % of bandwidth x "
        "accelerators / (active parameters x bytes)"
    ),
    tolerance=(
        "50 and 1 % are those of the catalogue of cases; in 838 runs of the ML.ENERGY leaderboard the output rate is "
        "at least 10.7 % of that bound. A single user's speed at thousands of requests falls to 0.08 % of it, so it is "
        "taken times the requests in flight"
    ),
    kinds=("benchmark",),
    other_levels=(Level.WARNING,),
    check=check,
)
