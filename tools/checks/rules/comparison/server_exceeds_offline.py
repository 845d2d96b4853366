"""A run under latency limits that outdoes the same system without any."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePath

from tools.checks.quantity import shown
from tools.checks.rule import Ledger, PlacedFault, Record, Rule
from tools.checks.setting import LOAD, SCENARIO, Sighting, kept, rates, seen, setting
from tools.finding import Level
from tools.records.catalog import Catalog
from tools.records.parse import Json

WARNS, TELLS = 1.10, 1.02
_OFFLINE = "offline"
_LIMITED = ("server", "interactive")


def gather(record: Record, _: Ledger) -> Json:
    scenario = record.text("/conditions/scenario")
    if scenario != _OFFLINE and scenario not in _LIMITED:
        return None
    figures = rates(record, ("tok/s", "req/s", "samples/s"), ("system", "accelerator"))
    return {
        "setting": setting(record, *SCENARIO, *LOAD),
        "scenario": scenario,
        "figures": {figure.metric: kept(figure) for figure in figures},
    }


def survey(facts: Mapping[str, Json], _: Catalog) -> Iterator[PlacedFault]:
    offline: dict[tuple[Json, str], Sighting] = {}
    limited: list[tuple[Json, str, dict[str, Sighting]]] = []
    for file, fact in facts.items():
        assert isinstance(fact, dict)
        figures = fact["figures"]
        assert isinstance(figures, dict)
        found = {metric: seen(file, figure) for metric, figure in figures.items()}
        if fact["scenario"] != _OFFLINE:
            limited.append((fact["setting"], str(fact["scenario"]), found))
            continue
        for metric, figure in found.items():
            best = offline.get((fact["setting"], metric))
            if best is None or figure.value > best.value:
                offline[fact["setting"], metric] = figure
    for key, scenario, found in limited:
        pairs = [
            (figure, offline[key, metric]) for metric, figure in found.items() if (key, metric) in offline
        ]
        if not pairs:
            continue
        figure, without = pairs[0]
        ratio = figure.value / without.value if without.value > 0 else 0.0
        if ratio > TELLS:
            yield without.fault(
                f"{scenario} of the same system reaches {figure.text} in `{PurePath(figure.file).stem}`, "
                f"{shown(ratio)} x the {without.text} of offline",
                "look at the offline run first: without latency limits it should be the faster one",
                Level.WARNING if ratio > WARNS else Level.INFO,
            )


RULE = Rule(
    name="server-exceeds-offline",
    level=Level.WARNING,
    summary="A server run is faster than the offline run of the same system.",
    why=(
        "Offline has every request at hand and no latency limit, so nothing should outdo it on one system. Where "
        "server does by more than a tenth, the offline run was weak: in the one public case the offline value is a "
        "fifth under three similar systems. A few per cent are seen in valid submissions, mostly of mixture models on "
        "rack-scale systems, and are only told."
    ),
    reference="mlcommons/inference_results_v5.1 summary_results.json",
    formula="server or interactive rate / offline rate of one system, model, publication and metric <= 1.02",
    tolerance=(
        "672 server and interactive rows with an offline row in MLPerf Inference v3.1 to v6.1: 1 above 1.10 (1.26), "
        "13 between 1.02 and 1.10, 43 between 1.00 and 1.02; so above 1.10 warns and above 1.02 tells"
    ),
    kinds=("benchmark",),
    other_levels=(Level.INFO,),
    needs=(("/conditions/scenario",),),
    gather=gather,
    survey=survey,
)
