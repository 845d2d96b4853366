"""A throughput that falls where more load should raise it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import groupby, zip_longest
from pathlib import PurePath

from tools.checks.point import OperatingPoint, operating_point
from tools.checks.quantity import shown
from tools.checks.rule import Ledger, PlacedFault, Record, Rule
from tools.checks.rules.provenance.lost_digit import LEAST, restored
from tools.checks.setting import LOAD, Sighting, kept, rates, seen, setting
from tools.finding import Level
from tools.records.catalog import Catalog
from tools.records.parse import Json

_FIELDS = ("concurrency", "batch_size", "request_rate")
_VARIED = (*LOAD, "client.name", "conditions.scenario_note")


def gather(record: Record, _: Ledger) -> Json:
    point = operating_point(record)
    load = next((found for name in _FIELDS if (found := point.condition(name))), None)
    if load is None or load.value <= 0 or not point.accelerator_ids or record.text("/model_id") is None:
        return None
    figures: dict[str, Json] = {
        figure.metric: kept(figure)
        for figure in rates(record, ("tok/s", "req/s", "samples/s"), ("system", "accelerator"))
        if figure.quantity.value > 0
    }
    key = f"{load.name} {record.text('/sweep_id') or ''} {_lengths(point)} {setting(record, *_VARIED)}"
    return {"setting": key, "load": load.value, "figures": figures} if figures else None


def _lengths(point: OperatingPoint) -> str:
    """The workload by its mean lengths where none was asked for: they may differ by some per cent within a sweep."""
    found = []
    for side in ("input", "output"):
        mean = None if point.nominal_length(side) else point.measured_length(side)
        found.append(str(round(math.log2(max(mean.value, 1)) * 2)) if mean else "")
    return "x".join(found)


def survey(facts: Mapping[str, Json], _: Catalog) -> Iterator[PlacedFault]:
    sweeps: dict[tuple[Json, str], list[tuple[float, Sighting]]] = {}
    for file, fact in facts.items():
        assert isinstance(fact, dict)
        load, figures = fact["load"], fact["figures"]
        assert isinstance(load, (int, float))
        assert isinstance(figures, dict)
        for metric, figure in figures.items():
            sweeps.setdefault((fact["setting"], metric), []).append((float(load), seen(file, figure)))
    told: set[str] = set()
    for (key, _metric), points in sweeps.items():
        yield from _falls(sorted(points), str(key).partition(" ")[0], told)


def _falls(points: list[tuple[float, Sighting]], name: str, told: set[str]) -> Iterator[PlacedFault]:
    """A fault per record whose rate is under 0.8 of the best at a smaller load; `told` are the records with one."""
    steps = [
        (load, [point[1] for point in group]) for load, group in groupby(points, key=lambda point: point[0])
    ]
    best: tuple[float, Sighting] | None = None
    for (load, figures), (_, later) in zip_longest(steps, steps[1:], fillvalue=(0.0, [])):
        following = max((figure.value for figure in later), default=None)
        for figure in figures:
            if best is not None and figure.value < LEAST * best[1].value and figure.file not in told:
                told.add(figure.file)
                yield _fault(figure, load, name, best, following)
        top = max(figures, key=lambda figure: figure.value)
        if best is None or top.value > best[1].value:
            best = (load, top)


def _fault(
    figure: Sighting, load: float, name: str, best: tuple[float, Sighting], following: float | None
) -> PlacedFault:
    whole = restored(figure.value, best[1].value, load / best[0], following)
    proposal = f"looks like a lost leading digit ({whole:,g}?): " if whole else ""
    return figure.fault(
        f"{figure.text} at {name} {shown(load)} is {shown(figure.value / best[1].value)} x the {best[1].text} at "
        f"{shown(best[0])} in `{PurePath(best[1].file).stem}`",
        f"{proposal}compare the digits with the source as printed; overload and cache thrash do collapse, and then "
        "the record says so",
        Level.ERROR if whole else Level.WARNING,
    )


RULE = Rule(
    name="load-monotonicity",
    level=Level.WARNING,
    summary="A throughput at a larger load is under 0.8 of that at a smaller one.",
    why=(
        "Seven cells of a published table had lost their first digit (721 became 21, 1403 became 403). Most look "
        "plausible alone; next to the column of the smaller batch they do not. More requests in flight keep the "
        "accelerator at least as busy, and a saturated server loses a tenth, not a fifth. Where one digit in front "
        "would lift the number above that of the smaller load, within what the load can have done, it is an error: "
        "the source is quoted as printed and the record marked as disputed. A real collapse (overload, cache thrash) "
        "is possible and is only asked about."
    ),
    reference="lm-sys/lm-sys.github.io#392",
    formula=(
        "same conditions but load: rate at the larger >= 0.8 x best rate at a smaller; error where d x 10^k + rate "
        "(d = 1 to 9) lies above it, at most in proportion to the load, the next point does not contradict, and "
        "the rate has at most 10 digits"
    ),
    tolerance=(
        "0.8: of 81 steps in batch or concurrency of the token rates in a table of published figures on speculative "
        "decoding (26 sources) none falls under it, with or without speculation; speedup ratios do fall and are no "
        "rates. Of 838 ML.ENERGY serving runs 3 fall (0.59 to 0.71, batches of 512 and more), none as an error"
    ),
    kinds=("benchmark",),
    other_levels=(Level.ERROR,),
    needs=(tuple(f"/conditions/{name}" for name in _FIELDS),),
    gather=gather,
    survey=survey,
)
