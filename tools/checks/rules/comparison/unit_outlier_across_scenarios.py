"""One scenario of a system counted in requests whose number is that of its siblings' tokens."""

from __future__ import annotations

from bisect import bisect_left
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
APART = 50.0
"""Request rates of two scenarios of one system are at most 32.4 apart in MLPerf Inference v3.1 to v6.1 (an interactive
one beside offline), and 301 and more where one of them counts tokens."""


def gather(record: Record, _: Ledger) -> Json:
    if record.text("/conditions/scenario") is None:
        return None
    tokens = [found for found in rates(record, ("tok/s",)) if found.definition.token_kind != "input"]
    if not (requests := rates(record, ("req/s", "samples/s"))) and not tokens:
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
    requests: dict[Json, list[Sighting]] = {}
    lengths: dict[Json, list[float]] = {}
    own: dict[str, float] = {}
    for file, fact in facts.items():
        assert isinstance(fact, dict)
        key, length = fact["setting"], fact["length"]
        for found, name in ((tokens, "tokens"), (requests, "requests")):
            figures = fact[name]
            assert isinstance(figures, list)
            found.setdefault(key, []).extend(seen(file, figure) for figure in figures)
        if isinstance(length, (int, float)):
            lengths.setdefault(key, []).append(length)
            own[file] = length
    for key, asked in requests.items():
        positive = (figure for figure in asked if figure.value > 0)
        smallest = min(positive, key=lambda figure: figure.value, default=None)
        ordered = sorted(figure.value for figure in tokens[key])
        beside_requests = {figure.file: figure.value for figure in tokens[key]}
        typical = median(lengths[key]) if key in lengths else None
        for request in asked:
            usual = _median_without(ordered, beside_requests.get(request.file))
            length = own.get(request.file, typical)
            if length is not None and length < SHORTEST:
                continue
            if usual and LEAST <= request.value / usual <= MOST:
                beside = f"{shown(request.value / usual)} x the {shown(usual)} tok/s of the system's other scenarios"
                yield _fault(request, beside, length)
            elif usual is None and smallest is not None and request.value >= APART * smallest.value:
                times = shown(request.value / smallest.value)
                yield _fault(
                    request, f"{times} x the {smallest.text} of another scenario of the system", length
                )


def _median_without(ordered: list[float], own: float | None) -> float | None:
    """The median of rising values, one of them left out; None of no other value."""
    count = len(ordered) - (own is not None)
    if count == 0:
        return None
    left_out = len(ordered) if own is None else bisect_left(ordered, own)
    middle = [ordered[place + (place >= left_out)] for place in ((count - 1) // 2, count // 2)]
    return sum(middle) / 2


def _fault(request: Sighting, beside: str, length: float | None) -> PlacedFault:
    message = f"{request.text} is {beside}"
    if length is not None:
        message += f"; at {shown(length)} tokens a request it would be {shown(request.value * length)} tok/s"
    hint = "looks like tokens per second: ask for the raw log, and correct metric and unit by an audit entry"
    return request.fault(message, hint, Level.WARNING if length is None else None)


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
    reference="mlcommons/inference_results_v5.1, mlcommons/inference#2564, mlcommons/inference#2551",
    formula=(
        "requests_per_s or samples_per_s / median of the siblings' token rate lies outside 0.1 to 10 where the mean "
        "output length is 16 or more (expected: 1 / length), and below 50 x the smallest request rate of the siblings "
        "where none is in tokens; a warning where no length is stated"
    ),
    tolerance=(
        "a factor of ten either way, and 50 among request rates: siblings differ by 32.4 at most in MLPerf Inference "
        "v3.1 to v6.1, but by 301 and more where one of them counts tokens. Of 42 token rates that the summaries of "
        "those rounds print as rates of samples it finds the 32 that have a sibling in the right unit"
    ),
    other_levels=(Level.WARNING,),
    kinds=("benchmark",),
    needs=(("/conditions/scenario",),),
    gather=gather,
    survey=survey,
)
