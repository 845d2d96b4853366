"""The same long number under different conditions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePath

from tools.checks.point import operating_point
from tools.checks.rule import Ledger, PlacedFault, Record, Rule
from tools.checks.setting import is_computed, is_measured, kept, said, seen, significant_digits
from tools.finding import Level
from tools.records.catalog import Catalog
from tools.records.parse import Json

_FEWEST_DIGITS = 5
_SURE_DIGITS = 7
_MOST_HOLDERS = 8  # Remembered of one number, so that the pass stays linear when it is everywhere.
_UNITS = frozenset({"tok/s", "req/s", "samples/s", "ms", "ms/tok", "W", "kW", "J", "J/tok", "J/req", "tok/J"})
_OFFERED = ("server", "interactive", "open_loop", "trace_replay")
_CONDITIONS = {
    "model": "model_id",
    "accelerators": "accelerator_ids",
    "accelerator count": "hardware.accelerator_count",
    "concurrency": "conditions.concurrency",
    "batch size": "conditions.batch_size",
    "request rate": "conditions.request_rate",
    "input length": "conditions.input_length.nominal",
    "output length": "conditions.output_length.nominal",
}


def gather(record: Record, _: Ledger) -> Json:
    if not is_measured(record):
        return None
    figures: list[Json] = [
        [figure.metric, figure.statistic, _document(record, digits), *kept(figure)]
        for figure in operating_point(record).figures
        if figure.result["unit"] in _UNITS
        and (digits := significant_digits(figure)) >= _FEWEST_DIGITS
        and not is_computed(figure)
    ]
    if not figures:
        return None
    return {
        "run": record.text("/run_id"),
        "offered": record.text("/conditions/scenario") in _OFFERED,
        "conditions": {
            name: str(found) for name, at in _CONDITIONS.items() if (found := said(record, at)) is not None
        },
        "figures": figures,
    }


def _document(record: Record, digits: int) -> str:
    """The document that a number of few digits has to share with another: chance makes them meet across documents."""
    return "" if digits >= _SURE_DIGITS else record.text("/sources/0/source_id") or ""


def survey(facts: Mapping[str, Json], _: Catalog) -> Iterator[PlacedFault]:
    first: dict[tuple[Json, ...], list[tuple[str, dict[str, Json]]]] = {}
    for file, fact in sorted(facts.items()):
        assert isinstance(fact, dict)
        told = False
        figures = fact["figures"]
        assert isinstance(figures, list)
        for metric, statistic, document, *figure in (item for item in figures if isinstance(item, list)):
            holders = first.setdefault((metric, statistic, document, figure[1]), [])
            for other, standing in holders:
                differing = _differing(fact, standing)
                if differing and not told:
                    told = True
                    yield seen(file, figure).fault(
                        f"{figure[2]} is {metric} of `{PurePath(other).stem}` to the last digit, "
                        f"although the {differing} {'differ' if ' and ' in differing else 'differs'}",
                        "open the cited document at both places; where one run stands for both, give both its run_id",
                    )
                    break
            if len(holders) < _MOST_HOLDERS:
                holders.append((file, fact))


def _differing(fact: dict[str, Json], other: dict[str, Json]) -> str:
    """The conditions in which two records differ, in words; empty where equal numbers have a good reason."""
    if fact["run"] is not None and fact["run"] == other["run"]:
        return ""
    mine, theirs = fact["conditions"], other["conditions"]
    assert isinstance(mine, dict)
    assert isinstance(theirs, dict)
    names = [name for name in _CONDITIONS if name in mine and name in theirs and mine[name] != theirs[name]]
    if fact["offered"] and other["offered"] and "request rate" not in names:
        return ""  # The rate of such a run is the target that it was offered.
    return " and ".join(names)


RULE = Rule(
    name="copied-value",
    level=Level.WARNING,
    summary="Two measured records share a number of five digits or more under different conditions.",
    why=(
        "Two runs do not agree to five digits, so an equal number under another model, part or load was pasted from "
        "the next row or filed twice, and survives review because it looks plausible. Equal values have good reasons "
        "too: one run filed under two accuracy targets (records that share a `run_id`), and runs under an offered "
        "load, whose rate is the target's: those are left alone unless their targets differ."
    ),
    reference="LiveBench/LiveBench#488, EuroEval/EuroEval#1970, mlcommons/inference_results_v5.1",
    formula=(
        "measured values of one metric and statistic and one cited document, equal to 5 significant digits or more "
        "(7 across documents), with another model, accelerator, count, load or length and another run_id"
    ),
    tolerance=(
        "5 digits: 14 such groups among 1,412 language-model rows of MLPerf Inference v3.1 to v6.1; 12 are server runs "
        "(target rates), one a run under two names of its model, one a copied offline value (one and four H100 with "
        "51.7954 samples/s in v3.1). Across documents six digits met once by chance among 3,900 records"
    ),
    kinds=("benchmark",),
    gather=gather,
    survey=survey,
)
