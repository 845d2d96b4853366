"""Whether a unit can hold what a metric measures: one of the metric's dimension can, even if it is not its own.

A time to first token given in seconds is the right kind of number in the wrong unit, and converts. One given in
requests per second is another kind of number, and nothing can be computed from it. A figure per generated token may
be written as a time or as a time per token: both say how long one token takes.
"""

from __future__ import annotations

from tools.schema.vocabulary import Metric, Vocabulary, vocabulary

_PER_TOKEN = {"time", "time per token"}


def is_other_dimension(metric: str, unit: object) -> bool:
    """Whether a known unit measures something else than a known metric; False where either is unknown."""
    words = vocabulary()
    if not isinstance(unit, str) or metric not in words.metrics or unit not in words.units:
        return False
    definition = words.metrics[metric]
    return not any(_is_like(words, definition, unit, own) for own in definition.units)


def dimensions(metric: str, unit: str) -> tuple[str, str]:
    """The dimensions of a known metric's own unit and of a known unit, in words."""
    words = vocabulary()
    return words.units[words.metrics[metric].units[0]].dimension, words.units[unit].dimension


def converted(value: float, unit: str, target: str, metric: str) -> float:
    """The value in one of the metric's units; raises `UnitError` where it measures something else or is too large."""
    words = vocabulary()
    definition = words.metrics.get(metric)
    if definition is not None and unit in words.units and _is_like(words, definition, unit, target):
        per_token = {words.units[unit].dimension, words.units[target].dimension} == _PER_TOKEN
        if per_token:
            # Seconds and seconds per token have the same factor: the value changes by the prefix alone.
            return words.convert(value, unit.removesuffix("/tok"), target.removesuffix("/tok"))
    return words.convert(value, unit, target)


def _is_like(words: Vocabulary, metric: Metric, unit: str, own: str) -> bool:
    found, wanted = words.units[unit].dimension, words.units[own].dimension
    if found == wanted:
        return True
    return {found, wanted} == _PER_TOKEN and metric.scope == "user" and metric.token_kind == "output"
