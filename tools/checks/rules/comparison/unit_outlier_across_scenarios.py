"""One scenario of a system counted in requests whose number is that of its siblings' tokens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import median

from tools.checks.point import operating_point
from tools.checks.quantity import shown
from tools.checks.rule import Ledger, PlacedFault, Record, Rule
from tools.checks.setting import SCENARIO, Sighting, kept, rates, seen, setting
from tools.finding import Level
from tools.records.catalog import Catalog
from tools.records.parse import Json

SHORTEST = 16
LEAST, MOST = 0.1, 10.0


def gather(record: Record, _: Ledger) -> Json:
    if record.text("/conditions/scenario") is None:
        return None
    tokens = [found for found in rates(record, ("tok/s",)) if found.definition.token_kind != "input"]
    requests = rates(record, ("req/s", "samples/s"))
    if not tokens and not requests:
        return None
    length = operating_point(record).length("output")
    return {
        "setting": setting(record, *SCENARIO, "client.name", "conditions.output_length.nominal"),
        "length": length.quantity.value if length else None,
        "tokens": [*(kept(figure) for figure in tokens[:1])],
        "requests": [*(kept(figure) for figure in requests)],
    }


def survey(facts: Mapping[str, Json], _: Catalog) -> Iterator[PlacedFault]:
    tokens: dict[Json, list[Sighting]] = {}
    lengths: dict[Json, list[float]] = {}
    requests: list[tuple[Json, float | None, Sighting]] = []
    for file, fact in facts.items():
        assert isinstance(fact, dict)
        key, length = fact["setting"], fact["length"]
        for figure in _list(fact["tokens"]):
            tokens.setdefault(key, []).append(seen(file, figure))
        if isinstance(length, (int, float)):
            lengths.setdefault(key, []).append(length)
        for figure in _list(fact["requests"]):
            requests.append(
                (key, float(length) if isinstance(length, (int, float)) else None, seen(file, figure))
            )
    for key, length, request in requests:
        siblings = [figure.value for figure in tokens.get(key, ()) if figure.file != request.file]
        length = length if length is not None else median(lengths[key]) if key in lengths else None
        if not siblings or length is None or length < SHORTEST:
            continue
        usual = median(siblings)
        if usual > 0 and LEAST <= request.value / usual <= MOST:
            yield request.fault(
                f"{request.text} is {shown(request.value / usual)} x the {shown(usual)} tok/s of the system's other "
                f"scenarios; at {shown(length)} tokens a request it would be "
                f"{shown(request.value * length)} tok/s",
                "looks like tokens per second: ask for the raw log, and correct metric and unit by an audit entry",
            )


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


RULE = Rule(
    name="unit-outlier-across-scenarios",
    level=Level.ERROR,
    summary="One scenario is in requests per second at the size of its siblings' tokens per second.",
    why=(
        "In a published round all eight interactive rows of an 8B model were labelled queries per second; their "
        "values lay at 0.78 to 0.95 of the same systems' server values in tokens per second, so they are token rates. "
        "A checker had no unit for the new scenario. A request of many tokens cannot come as often as the tokens do: "
        "beside siblings of one system, model and publication the two differ by the output length, or the unit is "
        "wrong."
    ),
    reference=(
        "mlcommons/inference_results_v5.1 summary_results.json, mlcommons/inference#2564, mlcommons/inference#2551"
    ),
    formula=(
        "requests_per_s or samples_per_s / median of the siblings' token rate lies outside 0.1 to 10 where the mean "
        "output length is 16 or more (expected: 1 / length)"
    ),
    tolerance=(
        "a factor of ten either way: on the language-model rows of MLPerf Inference v3.1 to v6.1 as printed it finds "
        "the eight mislabelled rows of v5.1 and nothing else"
    ),
    kinds=("benchmark",),
    gather=gather,
    survey=survey,
)
