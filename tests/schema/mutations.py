"""Records changed at random in the ways that records go wrong: seeded, so that a failure can be repeated."""

import copy
from collections.abc import Iterator
from random import Random
from typing import Any

SCALARS: list[Any] = [
    None,
    True,
    False,
    0,
    1,
    -1,
    0.0,
    1.0,
    -0.5,
    1e300,
    2.5,
    10**30,
    -(10**30),
    2**53 + 1,
    2**64,
    "",
    " ",
    "a",
    "x" * 200,
    "ok\n",
    "a\r",
    "\n",
    "2026-01-02\n",
    "٣٢",
    "２０２６-01-02",
    "a²",
    "é",
    "e\u0301",
    "\u2028",
    "a\u0085b",
    "İ",
    "ſ",
    "\U0001f600",
    "inf",
    "null",
    "1",
    "1.0",
    [],
    {},
    [[]],
    [None],
    {"": None},
    {"min": 1, "max": 2},
    {"min": None},
]


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value inside a record, the record itself left out."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*at, key)
        yield from places(inner, (*at, key))


def mutated(random: Random, record: Any, words: list[str]) -> Any:
    """A copy of a record with one to three changes; `words` are used as values and keys among others."""
    record = copy.deepcopy(record)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        ways = list(places(record))
        if not ways:
            break
        *above, last = random.choice(ways)
        holder = record
        for step in above:
            holder = holder[step]
        random.choice(CHANGES)(random, holder, last, words)
    return record


def _drop(_random: Random, holder: Any, last: Any, _words: list[str]) -> None:
    del holder[last]


def _replace(random: Random, holder: Any, last: Any, words: list[str]) -> None:
    holder[last] = copy.deepcopy(random.choice(SCALARS)) if random.random() < 0.7 else random.choice(words)


def _rename(random: Random, holder: Any, last: Any, words: list[str]) -> None:
    if isinstance(holder, dict):
        holder[random.choice([*words, f"{last} ", last.upper(), last[:-1]])] = holder.pop(last)


def _add(random: Random, holder: Any, last: Any, words: list[str]) -> None:
    if isinstance(holder, dict):
        holder[random.choice(words)] = copy.deepcopy(random.choice(SCALARS))
    else:
        holder.append(copy.deepcopy(holder[last]))


def _stretch(random: Random, holder: Any, last: Any, _words: list[str]) -> None:
    value = holder[last]
    if isinstance(value, bool) or value is None:
        holder[last] = str(value)
    elif isinstance(value, str):
        holder[last] = random.choice(
            [value + "\n", value.upper(), "٣" + value, value + "²", value[:-1], [value]]
        )
    elif isinstance(value, int | float):
        holder[last] = random.choice([-value, float(value), str(value), value * 10**25, value + 0.5, [value]])
    elif isinstance(value, list):
        holder[last] = random.choice([value * 2, [], value[:1], dict(enumerate(map(str, value)))])
        if isinstance(holder[last], dict):
            holder[last] = {str(key): inner for key, inner in holder[last].items()}
    else:
        holder[last] = random.choice([[value], {}, list(value), str(value)])


CHANGES = (_drop, _replace, _replace, _rename, _add, _stretch)
