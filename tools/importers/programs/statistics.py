"""The words that programs have for figures of a distribution, as statistics of the vocabulary."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from tools.importers.programs.point import Point
from tools.importers.tree import Tree
from tools.schema.vocabulary import vocabulary

_WORDS = {
    "mean": "mean",
    "avg": "mean",
    "average": "mean",
    "median": "p50",
    "std": "std",
    "min": "min",
    "max": "max",
}
_PERCENTILE = re.compile(r"p([0-9]{1,2}(?:\.[0-9]+)?)")


def statistic_of(word: str) -> str | None:
    """The statistic that a word means; None for one that the vocabulary does not have."""
    percentile = _PERCENTILE.fullmatch(word)
    name = f"p{float(percentile[1]):g}" if percentile else _WORDS.get(word)
    return name if name in vocabulary().statistics else None


def figures(values: Mapping[str, object], name: str, suffix: str) -> Iterator[tuple[str, str]]:
    """The keys `<word>_<name><suffix>` of an object, each with its word, the mean and the median before percentiles."""
    tail = f"_{name}{suffix}"
    found = [(key.removesuffix(tail), key) for key in values if key.endswith(tail)]
    ranked = sorted(found, key=lambda pair: pair[0].startswith("p"))
    yield from ((word, key) for word, key in ranked if word in _WORDS or _PERCENTILE.fullmatch(word))


def add_figures(
    point: Point, metric: str, name: str, suffix: str, unit: str, said: str | None = None, **more: Tree
) -> None:
    """Adds every figure of one quantity; a std beside no mean is none, and 0 of a single request."""
    for word, key in figures(point.values, name, suffix):
        statistic = statistic_of(word)
        if statistic is None:
            point.take(key)
            point.draft.remark(f"the vocabulary has no statistic {word}: left out")
        else:
            point.result(metric, key, unit, statistic=statistic, said=said, **more)
