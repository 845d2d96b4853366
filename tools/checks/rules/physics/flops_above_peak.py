"""More arithmetic than the accelerators have: a token rate above the dense peak."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks import limits
from tools.checks.limits import Lack
from tools.checks.point import operating_point
from tools.checks.quantity import shown
from tools.checks.recount import told_by_totals
from tools.checks.rule import Fault, Ledger, Record, Rule, Skip
from tools.finding import Level

_OUTPUT = (
    "tps_aggregate",
    "decode_tok_s",
    "output_tok_s_per_accelerator",
    "decode_tok_s_per_accelerator",
    "output_tok_s_per_decode_accelerator",
)
_WITH_PROMPTS = ("total_tok_s", "mixed_phase_tok_s", "total_tok_s_per_accelerator")
_TOLERANCE = 0.05


def check(record: Record, ledger: Ledger) -> Iterator[Fault | Skip]:
    point = operating_point(record)
    for name in (*_OUTPUT, *_WITH_PROMPTS):
        figure = point.figure(name)
        if figure is None or told_by_totals(point, name):
            continue
        quantity, has_prompts = figure.quantity, name in _WITH_PROMPTS
        if has_prompts and record.get("/conditions/prefix_cache") != "disabled":
            # Tokens served from a cache cost no arithmetic.
            continue
        count = 1.0 if figure.definition.scope != "system" else None
        if count is None and point.accelerators is not None:
            count = point.accelerators.value
        if count is None:
            yield Skip(quantity.pointer, "`hardware.accelerator_count` of the run")
            return
        limit = limits.token_rate(point, ledger, count, prompt=has_prompts)
        if isinstance(limit, Lack):
            yield Skip(quantity.pointer, limit.what)
            return
        over = quantity.value / limit.value if limit.value > 0 else 0.0
        if over > 1 + _TOLERANCE + quantity.slack:
            yield Fault(
                quantity.pointer,
                f"{limit.text} is the most that arithmetic allows, but {name} says {quantity.text}: "
                f"{shown(over)} times as much",
                "look which tokens are counted, whether the figure covers one accelerator or all, and in which "
                "format the run computed (`precision.activations`)",
            )
            return


RULE = Rule(
    name="flops-above-peak",
    level=Level.ERROR,
    summary="A token rate needs more arithmetic than the accelerators have.",
    why=(
        "Every token costs a multiply and an add for each active parameter, so a rate times twice the active "
        "parameters is a lower bound of the arithmetic done, and the dense peak of the format is an upper bound of "
        "what can be done. Batching helps bandwidth but not this limit, which is why it catches what the memory "
        "limit cannot: totals over many requests, offline rates without a stated load, prompt tokens counted as "
        "output. Real decoding reaches a third of it. Prompt tokens take part only where the prefix "
        "cache is known to be off, since a cached token costs nothing."
    ),
    reference="AlexsJones/llmfit#1038, karpathy/nanoGPT#464",
    formula=(
        "2 x active parameters x rate <= dense matrix peak x accelerators, for output rates (tps_aggregate, "
        "decode_tok_s, per accelerator) and, with prefix_cache: disabled, for total_tok_s and mixed_phase_tok_s"
    ),
    tolerance=(
        "5 % and the printed digits. The highest ratios seen are 0.33 in 838 serving runs of the ML.ENERGY "
        "leaderboard and 0.30 in 542 output rates of the TensorRT-LLM performance pages."
    ),
    kinds=("benchmark",),
    needs=((*_OUTPUT, *_WITH_PROMPTS),),
    check=check,
)
