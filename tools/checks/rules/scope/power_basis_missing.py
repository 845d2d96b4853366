"""Power or energy that does not say which watt, or which token."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.finding import Level
from tools.schema.vocabulary import vocabulary


@cache
def _asked_of() -> dict[str, tuple[str, ...]]:
    """The keys that a metric of power or energy asks for."""
    asked = {}
    for name, metric in vocabulary().metrics.items():
        keys = ["power_basis"] * metric.needs_power_basis + ["token_kind"] * (metric.token_kind == "stated")
        if keys:
            asked[name] = tuple(keys)
    return asked


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    asked_of = _asked_of()
    for pointer, result in record.mappings("/results"):
        metric = result.get("metric")
        missing = (
            [key for key in asked_of.get(metric, ()) if key not in result] if isinstance(metric, str) else []
        )
        if missing:
            says = {"power_basis": "which watt it counts", "token_kind": "which tokens it counts"}
            yield Fault(
                f"{pointer}/metric",
                f"{metric} does not say {' or '.join(says[key] for key in missing)}",
                f"add {' and '.join(f'`{key}`' for key in missing)} as the source states it; a source that does not "
                "say gives no figure that can be ranked",
            )


RULE = Rule(
    name="power-basis-missing",
    level=Level.ERROR,
    summary="Power or energy does not say where it was measured, or which tokens it is per.",
    why=(
        "Published figures of efficiency divide by the board's rated power, by what the accelerators drew, by the "
        "plug of the node or by what the facility sets aside, and these differ by a factor of two. Tokens "
        "per joule of total tokens and of output tokens differ by the length of the prompts. Without "
        "`power_basis`, and `token_kind` where tokens are counted, the figure cannot be held against another."
    ),
    reference=(
        "SemiAnalysisAI/InferenceX#293, huggingface/leaderboards#37, mlcommons/inference#2576, "
        "mlcommons/inference_policies#227"
    ),
    formula="every result in W, J or per either has power_basis; joules_per_token and tokens_per_joule have token_kind",
    tolerance="none",
    kinds=("benchmark",),
    check=check,
)
