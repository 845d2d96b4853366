"""Members inside members, under one name each, so that a number can be read and cited by its path.

`{"latency": {"mean": 1.5}}` becomes `latency.mean`. Lists stay what they are. A distribution is a block of such
members (`latency.mean`, `latency.p99`); its words are those of `statistics` and those that a format adds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

from tools.importers.printed import Printed
from tools.importers.programs.content import ContentError, Digits
from tools.importers.programs.point import Point, RefusedError, agrees
from tools.importers.programs.statistics import statistic_of
from tools.importers.tree import Tree
from tools.schema.spelling import listed

_OF_LENGTHS = ("mean", "p50", "min", "max", "std")


def flat(values: Mapping[str, Any], above: str = "") -> dict[str, Any]:
    """The members by their path. Raises `ContentError` where two of them have one path."""
    found: dict[str, Any] = {}
    for path, leaf in _leaves(values, above):
        if path in found:
            raise ContentError(f"`{path}` is there twice")
        found[path] = leaf
    return found


def _leaves(values: Mapping[str, Any], above: str) -> Iterator[tuple[str, Any]]:
    for key, value in values.items():
        path = f"{above}.{key}" if above else key
        if isinstance(value, dict) and value:
            yield from _leaves(value, path)
        else:
            yield path, value


def inner(values: Any, *keys: str | int) -> Any:
    """What stands below members and items; None where one of them is not there."""
    for key in keys:
        if isinstance(key, int):
            values = values[key] if isinstance(values, list) and key < len(values) else None
        else:
            values = values.get(key) if isinstance(values, Mapping) else None
    return values


def number_of(value: Any) -> Printed | None:
    """The number that a member is; None for anything else, and for the placeholder -1."""
    number = value.number if isinstance(value, Digits) else None
    return number if number is not None and number.value >= 0 else None


def whole_of(value: Any) -> int | None:
    """The whole number that a member is; None for anything else."""
    number = number_of(value)
    return int(number.value) if number is not None and number.value == int(number.value) else None


def text_of(value: Any) -> str | None:
    """The text that a member is, on one line; None for anything else and for empty text."""
    return " ".join(value.split()) or None if type(value) is str else None


def add_block(
    point: Point,
    metric: str,
    path: str,
    unit: str,
    words: Mapping[str, str] | None = None,
    said: str | None = None,
    **more: Tree,
) -> Printed | None:
    """Adds every figure of a distribution and gives its mean.

    `words` are those that only this format has, each with its statistic; an empty one says that the vocabulary has
    none. The first word of a statistic counts. `said` is the unit in the words of the file.
    """
    mean, seen = None, set()
    for word in _words(point, path):
        key = f"{path}.{word}"
        statistic = (words or {}).get(word, statistic_of(word))
        if not statistic or statistic in seen:
            point.take(key)
            continue
        number = point.result(metric, key, unit, statistic=statistic, said=said, **more)
        if number is not None:
            seen.add(statistic)
            mean = number if statistic == "mean" else mean
    return mean


def add_lengths(point: Point, side: str, path: str, words: Mapping[str, str] | None = None) -> Printed | None:
    """States measured lengths: mean, median, ends and spread as conditions, other percentiles as results."""
    mean, seen = None, set()
    for word in _words(point, path):
        statistic = (words or {}).get(word, statistic_of(word))
        number = point.number(f"{path}.{word}")
        if not statistic or number is None or number.value < 0:
            continue
        if statistic not in _OF_LENGTHS:
            point.add(f"{side}_length_tokens", number, "tokens", key=f"{path}.{word}", statistic=statistic)
        elif statistic not in seen:
            seen.add(statistic)
            point.draft.put(f"/conditions/{side}_length/{statistic}", number)
            mean = number if statistic == "mean" else mean
    if mean is not None and mean.value == 0:
        raise RefusedError(f"{path} is 0 although requests were completed: nobody counted the tokens")
    return mean


def _words(point: Point, path: str) -> list[str]:
    return [key[len(path) + 1 :] for key in point.values if key.startswith(f"{path}.")]


def rounded(number: Fraction) -> Printed:
    """The number nearest to an exact one. Raises `RefusedError` for one that is too large for any."""
    try:
        return Printed(float(number))
    except OverflowError as error:
        raise RefusedError("its numbers make one that is too large to be any") from error


def hold(key: str, said: Printed | None, computed: Fraction | None, slack: float = 1e-6) -> None:
    """Raises `RefusedError` where a number is not what others of the file make it; `slack` is a share of it."""
    if said is not None and computed is not None and not agrees(said, computed, slack):
        raise RefusedError(
            f"{key} is {said.value}, but the other numbers give {rounded(computed).value:g}: "
            "the file contradicts itself"
        )


def skip_below(point: Point, *paths: str) -> None:
    """Says that blocks are known and not wanted."""
    point.skip(*(key for key in point.values if any(f"{key}.".startswith(f"{path}.") for path in paths)))


def tell_unread(point: Point) -> None:
    """Tells the blocks that nobody reads, each once and not figure by figure."""
    unread = point.unread()
    point.skip(*unread)
    if unread:
        point.draft.remark(f"members that nobody reads: {listed(sorted({_block(key) for key in unread}))}")


def _block(key: str) -> str:
    return key.rpartition(".")[0] or key


def day_of_epoch(value: Any) -> str | None:
    """The day, in UTC, of seconds since 1970; None for what is no time of this century."""
    number = number_of(value)
    if number is None or not 946_684_800 <= number.value < 4_102_444_800:
        return None
    return datetime.fromtimestamp(float(number.value), UTC).date().isoformat()
