"""Rows of a table that a program prints as SQL, read as text: nothing is run.

    INSERT INTO llama_bench (build_commit, n_prompt) VALUES ('8cf427ff', '512');

Every value stands between single quotes. llama-bench doubles none that is inside one, so that a value with a quote
leaves a row whose values cannot be told apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from tools.importers.programs.content import Content

_INSERT = re.compile(r"INSERT INTO (\w+) \(([^()]*)\) VALUES \((.*)\);")
_VALUES = re.compile(r"'(?:[^']|'')*'(?:, *'(?:[^']|'')*')*")
_VALUE = re.compile(r"'((?:[^']|'')*)'")
_STATEMENT = re.compile(r"(?i)\s*insert\s+into\b")


UNREADABLE = "the row is cut off, has another number of values than columns, or a quote in a value"


class Inserted(NamedTuple):
    """A row: its line, from 1, and its values by column; None where they cannot be told apart."""

    line: int
    values: Mapping[str, str] | None


def columns(content: Content, table: str) -> frozenset[str]:
    """The columns of the first row of a table; empty where there is none."""
    for line in content.lines:
        found = _INSERT.fullmatch(line)
        if found and found[1] == table:
            return frozenset(_names(found[2]))
    return frozenset()


def rows(content: Content, table: str) -> Iterator[Inserted]:
    """The rows of a table in their order."""
    for number, line in enumerate(content.lines, 1):
        if _STATEMENT.match(line) is None:
            continue
        found = _INSERT.fullmatch(line)
        if found is None:
            yield Inserted(number, None)
        elif found[1] == table:
            yield Inserted(number, _row(_names(found[2]), found[3]))


@lru_cache(maxsize=16)
def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(","))


def _row(names: tuple[str, ...], text: str) -> Mapping[str, str] | None:
    if _VALUES.fullmatch(text) is None:
        return None
    values = [value.replace("''", "'") for value in _VALUE.findall(text)]
    return dict(zip(names, values, strict=True)) if len(values) == len(names) else None
