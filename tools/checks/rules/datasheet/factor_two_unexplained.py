"""Two sources that differ by a factor of two or a thousand, with no word why."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.quantity import number, shown
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.finding import Level
from tools.records.parse import Json

_TOLERANCE = 0.01
_FACTORS = {
    2.0: "the sparse rate, both directions, two cards or two dies",
    1000.0: "a unit a thousand times larger or smaller",
}
_FIGURES = (
    "/memory/capacity",
    "/memory/bandwidth",
    "/power/tdp",
    "/interconnect/per_direction",
)


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    figures = [(path, record.get(path)) for path in _FIGURES]
    for path, figure in (*figures, *record.mappings("/peaks")):
        if isinstance(figure, dict) and "disputed" in figure and "note" not in figure:
            yield from _unexplained(path, figure)


def _unexplained(path: str, figure: dict[str, Json]) -> Iterator[Fault]:
    own, others = number(figure.get("value")), figure["disputed"]
    if own is None or own <= 0 or not isinstance(others, list):
        return
    for index, item in enumerate(others):
        other = number(item.get("value")) if isinstance(item, dict) and "note" not in item else None
        if other is None or other <= 0:
            continue
        ratio = max(own, other) / min(own, other)
        for factor, usually in _FACTORS.items():
            if abs(ratio / factor - 1) <= _TOLERANCE:
                yield Fault(
                    f"{path}/disputed/{index}/value",
                    f"this is {shown(other / own)} of the {shown(own)} of the record, and no note says why: "
                    f"usually {usually}",
                    "find out which of the two is meant and say it in the `note` of the other value",
                )


RULE = Rule(
    name="factor-two-unexplained",
    level=Level.WARNING,
    summary="Sources differ by a factor of two or a thousand, and no note says why.",
    why=(
        "Sources that disagree by a few per cent round differently. Sources that disagree by exactly two mean "
        "different things: dense and sparse, one direction and both, a die and a package, a card and a pair of "
        "cards; a factor of a thousand is a unit. Left unexplained, nobody knows whether the record took the right "
        "one. The reason goes into the `note` of the other value."
    ),
    reference="Lightning-AI/pytorch-lightning#21743, allenai/OLMo-core#614",
    formula="value / disputed value is not 2, 1/2, 1000 or 1/1000, unless one of the two has a note",
    tolerance="1 %, since a doubled figure is doubled exactly, up to rounding.",
    kinds=("accelerator",),
    check=check,
)
