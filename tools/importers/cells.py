"""Cells of a row as values: tests on them, templates of them, and rules that read one value each.

A rule that finds nothing gives None, which states nothing; a cell that says something else than its rule can read
is a `CellError`, which refuses the row. Rules are compiled once for a map and then called for each row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from tools.importers.printed import Printed, read_number
from tools.schema.spelling import quoted
from tools.schema.vocabulary import convert

Row: TypeAlias = Mapping[str, str]
"""The cells of a row by column, those of joined tables too; an empty cell is empty text."""

Test: TypeAlias = Callable[[Row], bool]
Reader: TypeAlias = Callable[[Row], Any]
Writer: TypeAlias = Callable[[Row], "str | None"]

HOLE = re.compile(r"\{([^{}|]+)(?:\|([^{}]*))?\}")
_FLAGS = {"true": True, "false": False, "1": True, "0": False, "yes": True, "no": False}


class CellError(Exception):
    """A cell that does not say what its rule reads; the text is the reason for refusing the row."""


def test(when: Mapping[str, Any] | None) -> Test:
    """Whether a row is one that a rule is for."""
    if not when:
        return lambda _: True
    tests = [_test(column, wanted) for column, wanted in when.items()]
    if len(tests) == 1:
        return tests[0]
    return lambda row: all(holds(row) for holds in tests)


def _test(column: str, wanted: Any) -> Test:
    if isinstance(wanted, str):
        return lambda row: row[column] == wanted
    if isinstance(wanted, list):
        texts = frozenset(wanted)
        return lambda row: row[column] in texts
    tests: list[Test] = []
    if "not" in wanted:
        refused = frozenset(wanted["not"])
        tests.append(lambda row: row[column] not in refused)
    if "matches" in wanted:
        whole = re.compile(wanted["matches"]).fullmatch
        tests.append(lambda row: whole(row[column]) is not None)
    if "blank" in wanted:
        is_blank: bool = wanted["blank"]
        tests.append(lambda row: (row[column] == "") is is_blank)
    for key, holds in (("above", lambda n, limit: n > limit), ("below", lambda n, limit: n < limit)):
        if key in wanted:
            tests.append(_compared(column, wanted[key], holds))
    return lambda row: all(one(row) for one in tests)


def _compared(column: str, limit: float, holds: Callable[[float, float], bool]) -> Test:
    def compare(row: Row) -> bool:
        number = read_number(row[column])
        return number is not None and holds(number.value, limit)

    return compare


def template(text: str) -> Writer:
    """The text with the cells of a row in it; None for a row that lacks one of them."""
    holes = list(HOLE.finditer(text))
    if not holes:
        return lambda _: text
    ends = [0, *(hole.end() for hole in holes)]
    parts = [(text[end : hole.start()], hole[1], hole[2]) for end, hole in zip(ends, holes, strict=False)]
    tail = text[ends[-1] :]

    def write(row: Row) -> str | None:
        written = []
        for before, column, otherwise in parts:
            cell = row[column]
            if not cell:
                if otherwise is None:
                    return None
                cell = otherwise
            written += [before, cell]
        return "".join(written) + tail

    return write


def reader(rule: Mapping[str, Any], wanted: str) -> Reader:
    """What a rule reads of a row; `wanted` is text, integer, number or boolean.

    The value of a table of values and a constant come as the map has them; numbers read from a cell come as
    `Printed`. Raises `CellError` when it is called with a row whose cell is something else.
    """
    if "value" in rule:
        constant = rule["value"]
        return lambda _: constant
    if "quotient" in rule or "product" in rule:
        return _computed(rule)
    if "template" in rule:
        text_of, about = template(rule["template"]), rule["template"]
    else:
        column = rule["column"]
        text_of, about = (lambda row: row[column] or None), column
    return _after(text_of, about, rule, wanted)


def _after(text_of: Writer, about: str, rule: Mapping[str, Any], wanted: str) -> Reader:
    whole = re.compile(rule["pattern"]).fullmatch if "pattern" in rule else None
    values, default = rule.get("values"), rule.get("default")
    keeps, lowers, glue = rule.get("keep", False), rule.get("lower", False), rule.get("glue", "")

    def read(row: Row) -> Any:
        text = text_of(row)
        if text is None:
            return None
        if lowers:
            text = text.lower()
        if whole is not None:
            found = whole(text)
            text = glue.join(filter(None, found.groups())) if found is not None else ""
            if not text:
                return None
        if values is not None:
            if text in values:
                return values[text]
            if default is not None:
                return default
            if not keeps:
                raise CellError(f"{quoted(about)} is {quoted(text)}, which the map does not list")
        return typed(text, wanted, about)

    return read


def typed(text: str, wanted: str, about: str) -> Any:
    """A text as a value of a kind. Raises `CellError` where it is none."""
    if wanted == "text":
        return " ".join(text.split())
    if wanted == "boolean":
        if text.lower() not in _FLAGS:
            raise CellError(f"{quoted(about)} is {quoted(text)}, which is neither true nor false")
        return _FLAGS[text.lower()]
    number = read_number(text)
    if number is None:
        raise CellError(f"{quoted(about)} is {quoted(text)}, which is no number")
    if wanted == "integer":
        if number.value != int(number.value):
            raise CellError(f"{quoted(about)} is {quoted(text)}, which is no whole number")
        return int(number.value)
    return number


def _computed(rule: Mapping[str, Any]) -> Reader:
    divides = "quotient" in rule
    columns = rule["quotient"] if divides else rule["product"]

    def read(row: Row) -> Any:
        cells = [row[column] for column in columns]
        if not all(cells):
            return None
        one, other = (
            typed(cell, "number", column).exact for cell, column in zip(cells, columns, strict=True)
        )
        if divides:
            if other == 0:
                raise CellError(f"{quoted(columns[1])} is 0, by which nothing is divided")
            return Printed(float(one / other))
        product = one * other
        return int(product) if product.denominator == 1 else float(product)

    return read


def formula(rule: Mapping[str, Any]) -> str | None:
    """The computation of a rule in words, or None for one that computes nothing."""
    for key, sign in (("quotient", "/"), ("product", "x")):
        if key in rule:
            return f" {sign} ".join(rule[key])
    return None


def converted(value: Any, unit: str, into: str) -> Any:
    """A number in another unit; the same number where the unit is the same."""
    if value is None or unit == into:
        return value
    return convert(value.exact if isinstance(value, Printed) else value, unit, into)
