"""Prompts processed faster than the accelerators can compute."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks import limits
from tools.checks.limits import Lack
from tools.checks.point import WHOLE_RUN, Figure, OperatingPoint, operating_point
from tools.checks.quantity import shown
from tools.checks.recount import borne_out
from tools.checks.rule import Fault, Ledger, Record, Rule, Skip
from tools.checks.thousandfold import latency_slip
from tools.finding import Level

_OF_SYSTEM = ("prefill_tok_s", "input_tok_s")
_OF_ACCELERATOR = ("input_tok_s_per_accelerator", "input_tok_s_per_prefill_accelerator")
_TIMES = ("ttft_ms", "prefill_latency_ms")
_TOLERANCE = 0.05


def check(record: Record, ledger: Ledger) -> Iterator[Fault | Skip]:
    point = operating_point(record)
    rates = borne_out(point, *_OF_SYSTEM, *_OF_ACCELERATOR)
    times = [found for name in _TIMES if (found := point.figure(name, *WHOLE_RUN, "p50"))]
    figures = [*rates, *times]
    computed = _computed_share(record) if figures else None
    if computed is None:
        return
    share, surely = computed
    for figure in figures:
        answer = _judge(figure, point, ledger, share)
        if isinstance(answer, Fault) and not surely:
            answer = Fault(answer.pointer, answer.message, answer.hint, level=Level.WARNING)
        if answer is not None:
            if isinstance(answer, Skip) or figure in rates or not latency_slip(point):
                yield answer
            return


def _computed_share(record: Record) -> tuple[float, bool] | None:
    """The share of prompt tokens that were computed, and whether the record says so; None where a cache of unknown
    effect was on."""
    hits = record.get("/conditions/cache_hit_rate")
    if isinstance(hits, (int, float)) and not isinstance(hits, bool):
        return (1 - hits, True) if hits < 1 else None
    state = record.get("/conditions/prefix_cache")
    return None if state == "enabled" else (1.0, state == "disabled")


def _judge(figure: Figure, point: OperatingPoint, ledger: Ledger, share: float) -> Fault | Skip | None:
    quantity, name = figure.quantity, figure.metric
    count = 1.0 if name in _OF_ACCELERATOR else (point.accelerators.value if point.accelerators else None)
    if quantity.value <= 0:
        return None
    if count is None:
        return Skip(quantity.pointer, "`hardware.accelerator_count` of the run")
    limit = limits.token_rate(point, ledger, count, prompt=True)
    if isinstance(limit, Lack):
        return Skip(quantity.pointer, limit.what)
    if limit.value <= 0:
        return None
    says = f"{name} says {quantity.text}"
    tokens = quantity.value
    if name in _TIMES:
        length = point.length("input")
        if length is None:
            return None
        prompts = point.condition("batch_size") if name == "prefill_latency_ms" else None
        tokens = length.quantity.value * (prompts.value if prompts else 1) / quantity.value
        says += f" for {shown(tokens * quantity.value)} prompt tokens, {shown(tokens)} tok/s"
    over = tokens * share / limit.value
    if over <= 1 + _TOLERANCE + quantity.slack:
        return None
    cached = f" with {shown(share)} of them computed" if share != 1 else ""
    return Fault(
        quantity.pointer,
        f"{limit.text} is the most that arithmetic allows, but {says}{cached}: {shown(over)} times as fast",
        "look whether prompts came from a prefix cache, which unit the figure has, how long the prompts really were, "
        "and whether it covers one accelerator or all",
    )


RULE = Rule(
    name="prefill-above-peak",
    level=Level.ERROR,
    summary="Prompts were processed faster than the accelerators can compute.",
    why=(
        "Prefill is bound by arithmetic: each prompt token costs two operations for each active parameter (the "
        "output matrix aside, which works for the last token only), so length times that over the dense peak is the "
        "shortest possible time to first token. A TTFT below it means that the prompt was not computed: a prefix "
        "cache answered, the prompts were shorter than the nominal length, or seconds were filed as milliseconds. "
        "Where the record does not say whether a prefix cache was on, this is a warning; where one was on "
        "and the hit rate is unknown, nothing can be said."
    ),
    reference="vllm-project/vllm#10753, vllm-project/vllm#52884, karpathy/nanoGPT#464",
    formula=(
        "prefill_tok_s, input_tok_s (and per accelerator) x computed share <= dense matrix peak x accelerators / "
        "(2 x parameters at work); ttft_ms and prefill_latency_ms >= prompt tokens / that rate"
    ),
    tolerance=(
        "5 % and the printed digits. The highest ratio in 68 prompt rates of the llama.cpp tables of "
        "XiongjieDai/GPU-Benchmarks-on-LLM-Inference is 0.48, counting FP16 accumulation on GeForce."
    ),
    kinds=("benchmark",),
    other_levels=(Level.WARNING,),
    needs=((*_OF_SYSTEM, *_OF_ACCELERATOR, *_TIMES),),
    check=check,
)
