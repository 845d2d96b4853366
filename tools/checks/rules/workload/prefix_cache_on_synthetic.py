"""Random prompts that were found in the cache."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.point import operating_point
from tools.checks.quantity import shown
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules.workload.lengths import is_synthetic
from tools.finding import Level

_TOLERANCE = 0.01
_HINT = (
    "run again with the cache off, another seed or a flushed cache; where reuse is the test, state the hit rate it "
    "was made to have (intended_cache_hit_rate) or file the prompts as shared_prefix"
)


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    point = operating_point(record)
    hits, state = point.condition("cache_hit_rate"), record.get("/conditions/prefix_cache")
    if hits is None and state != "enabled":
        return
    intended = point.condition("intended_cache_hit_rate")
    if not is_synthetic(point) or (intended and intended.value > 0):
        return
    if hits is None:
        yield Fault(
            "/conditions/prefix_cache",
            "prefix caching is on for made-up prompts, and nobody says how often they were found in the cache",
            f"state cache_hit_rate; {_HINT}",
            level=Level.WARNING,
        )
    elif hits.value > _TOLERANCE:
        yield Fault(
            hits.pointer,
            f"{shown(100 * hits.value)} % of the tokens of made-up prompts came from the cache",
            _HINT,
        )


RULE = Rule(
    name="prefix-cache-on-synthetic",
    level=Level.ERROR,
    summary="Made-up prompts were served from the prefix cache.",
    why=(
        "Random prompts have nothing in common, so a cache hit means that they were not random: all alike in one "
        "offline test (152 instead of 96 requests per second), or drawn with the same seed as the run before against "
        "the same server, which gave up to 86 % more throughput. The work that was saved is the work that was to be "
        "measured. Where reuse is the subject, the prompts share a prefix on purpose and the intended rate is stated."
    ),
    reference=(
        "vllm-project/vllm#10753, vllm-project/vllm#52884, SemiAnalysisAI/InferenceX#926, "
        "SemiAnalysisAI/InferenceX#970"
    ),
    formula=(
        "synthetic prompts, no intended_cache_hit_rate: cache_hit_rate > 0.01 is an error, prefix_cache enabled with "
        "an unknown hit rate a warning"
    ),
    tolerance="1 %: a common first token or template",
    kinds=("benchmark",),
    other_levels=(Level.WARNING,),
    needs=(("/conditions/prefix_cache", "/conditions/cache_hit_rate"),),
    check=check,
)
