"""A first repeat that is much slower than the others."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from tools.checks.point import Figure, operating_point
from tools.checks.quantity import number, shown
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.finding import Level
from tools.schema.vocabulary import vocabulary

_SLOWER = 1.5
_STEADY = 2.0
"""Spread of the other repeats up to which the first one can be told apart; beyond it no run is like another."""
_OF_THE_START = ("cold_start_ttft_ms", "load_time_ms")
_TIMED = ("time", "token rate", "request rate", "sample rate", "time per token")


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    repeated = [
        (pointer, result)
        for pointer, result in record.mappings("/results")
        if isinstance(result.get("repeats"), list)
    ]
    if not repeated or record.get("/conditions/warmup/handling") == "included":
        return
    figures = {figure.pointer: figure for figure in operating_point(record).figures}
    for pointer, result in repeated:
        values = [number(value) for value in result["repeats"]]  # type: ignore[union-attr]
        runs = [value for value in values if value is not None and value > 0]
        if len(runs) != len(values) or len(runs) < 2:
            continue
        fault = _first_is_cold(figures.get(pointer), runs)
        if fault:
            yield fault
            return


def _dimension(figure: Figure) -> str:
    return vocabulary().units[str(figure.result["unit"])].dimension


def _first_is_cold(figure: Figure | None, runs: list[float]) -> Fault | None:
    if figure is None or figure.metric in _OF_THE_START or _dimension(figure) not in _TIMED:
        return None
    first, rest = runs[0], median(runs[1:])
    if max(runs[1:]) > _STEADY * min(runs[1:]):
        return None
    slower = first / rest if figure.definition.direction == "lower" else rest / first
    if slower <= _SLOWER:
        return None
    return Fault(
        f"{figure.pointer}/repeats/0",
        f"the first repeat, {shown(first)}, is {shown(slower)} times slower than the median of the others, "
        f"{shown(rest)}",
        "if kernels were compiled or caches filled in it, file the later repeats alone, or it as `cold_start_ttft_ms`; "
        "if the start belongs to the measurement, `warmup: {handling: included}`",
    )


RULE = Rule(
    name="cold-first-run",
    level=Level.WARNING,
    summary="The first repeat is much slower than the others.",
    why=(
        "Kernels that are compiled when first needed depend on the shape, so one warm-up prompt does not cover them: "
        "three sweeps in a row had mean TTFTs of 582, 202 and 196 ms, and elsewhere 24 s of compilation lay in the "
        "first batch. A mean over such repeats is of no state of the server."
    ),
    reference="ai-dynamo/aisimulate#287, ROCm/ATOM#302, mlcommons/endpoints#86",
    formula=(
        "repeats[0] > 1.5 x median of the other repeats (for rates: < median / 1.5), unless warmup.handling is "
        "included or the others spread by more than a factor of 2"
    ),
    tolerance="factor 1.5; the public case was 582 to 199, a factor of 2.9, where the warm repeats differ by 3 %",
    kinds=("benchmark",),
    needs=(("/results/*/repeats",),),
    check=check,
)
