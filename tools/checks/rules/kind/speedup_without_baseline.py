"""A speedup that does not say over what."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.finding import Level


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    for pointer, result in record.mappings("/results"):
        if result.get("metric") == "speedup_ratio" and "baseline" not in result:
            yield Fault(
                f"{pointer}/metric",
                "this speedup does not say over what",
                "add `baseline`: the record it was divided by, its technique, or the source's words for it",
            )


RULE = Rule(
    name="speedup-without-baseline",
    level=Level.ERROR,
    summary="A speedup does not name its baseline.",
    why=(
        "A speedup is a new rate over an old one, and the old one is half of it: 2.2 over plain decoding of "
        "the same engine and 2.2 over another library on another part are different claims. `baseline` names "
        "the other side, by a benchmark record where there is one, else by its decoding technique or by the "
        "source's own words. A baseline that says none of the three is refused by the schema."
    ),
    kinds=("benchmark",),
    check=check,
)
