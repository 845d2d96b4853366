"""A measured value that is another one times the number of accelerators."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import PurePath

from tools.checks.point import operating_point
from tools.checks.quantity import shown
from tools.checks.rule import Ledger, PlacedFault, Record, Rule
from tools.checks.setting import (
    COUNT,
    LOAD,
    Sighting,
    is_measured,
    kept,
    rates,
    seen,
    setting,
    significant_digits,
)
from tools.finding import Level
from tools.records.catalog import Catalog
from tools.records.parse import Json

TOLERANCE = 0.0005
_FEWEST_DIGITS = 4
_OFFERED = ("server", "interactive", "open_loop", "trace_replay")
_MOST_HOLDERS = 8
"""Records of one share that are kept for comparison, those of the fewest accelerators; keeps the pass linear."""

_BUCKET = math.log1p(TOLERANCE)


def gather(record: Record, _: Ledger) -> Json:
    count = operating_point(record).accelerators
    if count is None or not is_measured(record) or record.text("/conditions/scenario") in _OFFERED:
        return None
    figures: dict[str, Json] = {
        figure.metric: kept(figure)
        for figure in rates(record, ("tok/s", "req/s", "samples/s"))
        if figure.quantity.value / count.value > 0 and significant_digits(figure) >= _FEWEST_DIGITS
    }
    if not figures:
        return None
    run = record.text("/run_id")
    return {"setting": setting(record, *COUNT, *LOAD), "count": count.value, "run": run, "figures": figures}


def survey(facts: Mapping[str, Json], _: Catalog) -> Iterator[PlacedFault]:
    by_share: dict[tuple[Json, str, int], list[tuple[float, Json, Sighting]]] = {}
    for file, fact in sorted(facts.items(), key=_by_count):
        assert isinstance(fact, dict)
        count, figures, told = fact["count"], fact["figures"], False
        assert isinstance(count, (int, float))
        assert isinstance(figures, dict)
        for metric, kept_figure in figures.items():
            figure = seen(file, kept_figure)
            share = figure.value / count
            bucket = math.floor(math.log(share) / _BUCKET)
            smaller = [
                other
                for near in (bucket - 1, bucket, bucket + 1)
                for other in by_share.get((fact["setting"], metric, near), ())
                if other[0] < count
                and abs(share * other[0] / other[2].value - 1) <= TOLERANCE
                and (other[1] is None or other[1] != fact["run"])
            ]
            if smaller and not told:
                told = True
                yield _fault(figure, count, smaller[0])
            holders = by_share.setdefault((fact["setting"], metric, bucket), [])
            if len(holders) < _MOST_HOLDERS:
                holders.append((count, fact["run"], figure))


def _by_count(item: tuple[str, Json]) -> tuple[float, str]:
    file, fact = item
    count = fact["count"] if isinstance(fact, dict) else 0
    return (float(count) if isinstance(count, (int, float)) else 0.0, file)


def _fault(figure: Sighting, count: float, parent: tuple[float, Json, Sighting]) -> PlacedFault:
    factor = count / parent[0]
    return figure.fault(
        f"{figure.text} on {shown(count)} accelerators is {shown(figure.value / parent[2].value)} x the "
        f"{parent[2].text} that `{PurePath(parent[2].file).stem}` has on {shown(parent[0])}",
        f"if it was computed, set `evidence: extrapolated` and in `derived_from` the record and the formula "
        f"({shown(factor)} x); no measured run scales to four digits",
    )


RULE = Rule(
    name="extrapolated-as-measured",
    level=Level.ERROR,
    summary="A measured rate is exactly that of fewer accelerators times their number.",
    why=(
        "A published comparison needed two accelerators on each side and doubled the curve of one; a leaderboard's top "
        "rows had no run behind them. Real scaling loses something, and even independent replicas do not repeat to "
        "four digits. A rate that is another record's times the ratio of the counts was computed, and is filed as "
        "extrapolated with its parent. Runs under an offered load are left alone: their targets are set in proportion."
    ),
    reference=(
        "https://blog.runpod.io/amd-mi300x-vs-nvidia-h100-sxm-performance-comparison-on-mixtral-8x7b-inference/, "
        "TIGER-AI-Lab/ClawBench#221, mlcommons/inference#1720"
    ),
    formula=(
        "same conditions but accelerators and load, both measured, each rate of 4 digits or more: "
        "(value 2 / value 1) / (accelerators 2 / accelerators 1) is not within 0.05 % of 1"
    ),
    tolerance=(
        "0.05 %: of 101 offline pairs of one submitter, model and part in MLPerf Inference v3.1 to v6.1 none is that "
        "near (11 within 0.5 %); of 95 server pairs two are, by their target rates"
    ),
    kinds=("benchmark",),
    needs=(("/hardware/accelerator_count",),),
    gather=gather,
    survey=survey,
)
