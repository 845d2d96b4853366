"""Repeated runs that do not repeat."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.quantity import number, shown
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.finding import Level

FEWEST = 3
MOST = 2.0


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    for pointer, result in record.mappings("/results"):
        repeats = result.get("repeats")
        if not isinstance(repeats, list) or len(repeats) < FEWEST:
            continue
        values = [value for item in repeats if (value := number(item)) is not None]
        low, high = min(values, default=0.0), max(values, default=0.0)
        if len(values) == len(repeats) and low >= 0 and high > MOST * low:
            spread = f", {shown(high / low)} x" if low > 0 else ""
            yield Fault(
                f"{pointer}/repeats",
                f"{len(values)} runs from {shown(low)} to {shown(high)} {result.get('unit', '')}{spread}",
                "keep the runs and file their median; look for swapping, throttling or a cold first run, and keep the "
                "number out of rankings",
            )


RULE = Rule(
    name="unstable-runs",
    level=Level.WARNING,
    summary="Three or more repeated runs spread by more than a factor of two.",
    why=(
        "A laptop that had begun to swap spread 50-fold over three runs; their mean entered a public collection and "
        "moved the median of the model. Numbers that far apart are not samples of one quantity, and their mean is a "
        "property of the accident. Differences of 10 or 15 % are normal for a desk machine."
    ),
    reference="AlexsJones/llmfit#910, JustVugg/colibri#718",
    formula="3 repeats or more: largest / smallest <= 2",
    tolerance="2: the catalogue's limit; a desk machine spreads by about 12 %, the disputed runs by 50 times",
    kinds=("benchmark",),
    needs=(("/results/*/repeats",),),
    check=check,
)
