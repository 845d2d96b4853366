"""A map of a table: read from YAML, judged, and every name in it looked up before a row is touched.

The shape is `schemas/import/table-map.schema.json`. What a schema cannot say is judged here: that columns are in the
table, fields in the benchmark schema, metrics, units, statistics and conditions in the vocabulary. Each fault has
the line of the map and the nearest name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from tools.errors import ToolsError
from tools.finding import Finding, Level
from tools.importers.cells import HOLE
from tools.records import pointer as pointers
from tools.records.parse import Document, parse
from tools.records.read import read_file
from tools.schema.fields import fields_at
from tools.schema.load import bundle, directory
from tools.schema.spelling import nearest, proposal, quoted
from tools.schema.validate import CompiledSchema
from tools.schema.vocabulary import vocabulary

RULE = "table-map"
WAYS = ("column", "value", "template", "quotient", "product")
_CITED = ("source", "locator")


@dataclass
class Mapping:
    """A map that was read; `content` is what it says, `document` knows where."""

    path: Path
    document: Document
    content: dict[str, Any]
    faults: list[Finding] = field(default_factory=list)

    @property
    def joins(self) -> list[dict[str, Any]]:
        """The tables that are joined."""
        return list(self.content.get("joins", ()))

    def fault(self, pointer: str, message: str, hint: str = "", *, at_key: bool = False) -> None:
        """Notes a fault of the map at a place in it."""
        location = self.document.locate(pointer, key=at_key)
        self.faults.append(
            Finding(
                RULE,
                Level.ERROR,
                str(self.path),
                location,
                message,
                hint,
                pointer,
                excerpt=self.document.line(location.line),
            )
        )


@cache
def _compiled() -> CompiledSchema:
    text = (directory() / "import" / "table-map.schema.json").read_text(encoding="utf-8")
    return CompiledSchema(json.loads(text))


def read_mapping(path: Path) -> Mapping:
    """The map in a file with what its schema has against it. Raises `ToolsError` for a file that is not there."""
    content = read_file(str(path))
    if not isinstance(content, bytes):
        raise ToolsError(f"{path}: {content.message}", content.hint)
    document = parse(content)
    value = document.value
    mapping = Mapping(path, document, value if isinstance(value, dict) else {})
    for problem in document.problems:
        mapping.faults.append(
            Finding(problem.rule, Level.ERROR, str(path), problem.location, problem.message, problem.hint)
        )
    if not document.broken:
        for fault in _compiled().faults(value, document.spelling):
            mapping.fault(fault.pointer, fault.message, fault.hint, at_key=fault.at_key)
    return mapping


def judge(mapping: Mapping, columns: Sequence[str]) -> None:
    """Adds the faults that only the table and the vocabulary show; `columns` are those of all tables."""
    known = list(columns)
    for pointer, column in _columns(mapping.content):
        if column not in known:
            mapping.fault(
                pointer,
                f"the table has no column {quoted(column)}{proposal(nearest(column, known))}",
                "the columns are named in the first line of the table",
            )
    for pointer, word, kind in _words(mapping.content):
        words = _vocabulary(kind)
        if word not in words:
            mapping.fault(pointer, f"there is no {kind} {quoted(word)}{proposal(nearest(word, words))}")
    for pointer, named, base in _fields(mapping.content):
        _judge_field(mapping, pointer, named, base)
    for pointer, pattern in _patterns(mapping.content, ""):
        try:
            groups = re.compile(pattern).groups
        except re.error as error:
            mapping.fault(pointer, f"{quoted(pattern)} is no regular expression: {error}")
            continue
        if pointer.endswith("/pattern") and groups < 1:
            mapping.fault(pointer, f"{quoted(pattern)} has no group", "put the wanted part into ( )")
    for pointer, rule in _rules(mapping.content):
        _judge_rule(mapping, pointer, rule)


def _judge_rule(mapping: Mapping, pointer: str, rule: dict[str, Any]) -> None:
    ways = [way for way in WAYS if way in rule]
    if len(ways) > 1:
        mapping.fault(
            f"{pointer}/{ways[1]}", f"the value comes from {ways[0]} and {ways[1]}", "name one", at_key=True
        )
    if "default" in rule and "values" not in rule:
        mapping.fault(f"{pointer}/default", "a default needs a table of values", at_key=True)
    if ("unit" in rule) != ("as" in rule) and "metric" not in rule:
        mapping.fault(
            pointer, "a conversion names `unit` and `as`, the one of the cell and the one of the field"
        )
    if "unit" in rule and "as" in rule and rule["as"] not in vocabulary().units_like(rule["unit"]):
        mapping.fault(
            f"{pointer}/as", f"{quoted(rule['unit'])} cannot be converted into {quoted(rule['as'])}"
        )
    if "metric" in rule and isinstance(rule.get("unit"), str):
        metric = vocabulary().metrics.get(rule["metric"])
        units = vocabulary().units_like(rule["unit"])
        if metric is not None and units and not set(units) & set(metric.units):
            mapping.fault(
                f"{pointer}/unit",
                f"{quoted(rule['metric'])} is not measured in {quoted(rule['unit'])}",
                f"its units are {', '.join(metric.units)}",
            )


def _judge_field(mapping: Mapping, pointer: str, named: str, base: tuple[str | int, ...]) -> None:
    try:
        tokens = pointers.split(named)
    except pointers.PointerError as error:
        mapping.fault(
            pointer, f"{quoted(named)} is no JSON Pointer: {error}", "such as /conditions/concurrency"
        )
        return
    at = [*base, *(int(token) if token.isdigit() else token for token in tokens)]
    for depth in range(len(base), len(at)):
        step = at[depth]
        if isinstance(step, int):
            continue
        known = fields_at(bundle("benchmark"), at[:depth])
        if step not in known:
            place = pointers.join(at[len(base) : depth]) or ("a result" if base else "a benchmark")
            mapping.fault(
                pointer, f"{place} has no field {quoted(step)}{proposal(nearest(step, list(known)))}"
            )
            return


def _vocabulary(kind: str) -> list[str]:
    words = vocabulary()
    tables: dict[str, Iterable[str]] = {
        "metric": words.metrics,
        "unit": words.units,
        "statistic": words.statistics,
        "condition": words.conditions,
        "reason of an absence": words.enumerations["absence_reason"],
        "audit action": words.audit_actions,
        "reading": words.enumerations["reading"],
    }
    return list(tables[kind])


def _listed(content: dict[str, Any], key: str) -> Iterator[tuple[str, dict[str, Any]]]:
    items = content.get(key)
    for index, item in enumerate(items if isinstance(items, list) else ()):
        if isinstance(item, dict):
            yield f"/{key}/{index}", item


def _rules(content: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Everything in the map that states a value."""
    for key, inner in (("fields", ""), ("results", "fields"), ("audit", "before")):
        for pointer, item in _listed(content, key):
            if key != "audit":
                yield pointer, item
            for below, rule in _listed(item, inner):
                yield pointer + below, rule


def _fields(content: dict[str, Any]) -> Iterator[tuple[str, str, tuple[str | int, ...]]]:
    for pointer, rule in _rules(content):
        if isinstance(named := rule.get("field"), str):
            result = pointer.startswith("/results/")
            if pointer.startswith("/audit/"):
                result = "metric" in content["audit"][int(pointer.split("/")[2])]
            yield f"{pointer}/field", named, ("results", 0) if result else ()


def _words(content: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    plain_words = {"metric": "metric", "statistic": "statistic", "unit": "unit", "as": "unit"}
    for pointer, rule in [*_rules(content), *_listed(content, "audit")]:
        for key, kind in plain_words.items():
            if isinstance(word := rule.get(key), str):
                yield f"{pointer}/{key}", word, kind
        if isinstance(unit := rule.get("unit"), dict) and isinstance(unit.get("values"), dict):
            for text, word in unit["values"].items():
                if isinstance(word, str):
                    yield pointer + pointers.join(["unit", "values", text]), word, "unit"
    for pointer, item in _listed(content, "absent"):
        yield f"{pointer}/condition", str(item.get("condition")), "condition"
        yield f"{pointer}/reason", str(item.get("reason")), "reason of an absence"
    for pointer, item in _listed(content, "audit"):
        yield f"{pointer}/action", str(item.get("action")), "audit action"
    for pointer, item in _listed(content, "cite"):
        if isinstance(word := item.get("read_from"), str):
            yield f"{pointer}/read_from", word, "reading"


def _columns(content: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Every column that the map names, and where."""
    yield from _columns_in(content, "")
    for index, column in enumerate(content.get("group") or ()):
        if isinstance(column, str):
            yield f"/group/{index}", column


_TEXTS = ("template", "locator", "id", "note", "said", "reason")


def _columns_in(node: Any, pointer: str) -> Iterator[tuple[str, str]]:
    if isinstance(node, list):
        for index, item in enumerate(node):
            yield from _columns_in(item, f"{pointer}/{index}")
        return
    if not isinstance(node, dict):
        return
    for key, inner in node.items():
        place = pointer + pointers.join([key])
        if key in ("names", "values", "value", "joins"):
            continue
        if key == "column" and isinstance(inner, str):
            yield place, inner
        elif key in ("quotient", "product") and isinstance(inner, list):
            yield from ((f"{place}/{index}", str(column)) for index, column in enumerate(inner))
        elif key == "when" and isinstance(inner, dict):
            yield from ((place + pointers.join([column]), column) for column in inner)
        elif key in _TEXTS and isinstance(inner, str):
            yield from ((place, hole[1]) for hole in HOLE.finditer(inner) if hole[1] not in ("#", "row"))
        else:
            yield from _columns_in(inner, place)


def _patterns(node: Any, pointer: str) -> Iterator[tuple[str, str]]:
    if isinstance(node, dict):
        for key, inner in node.items():
            place = pointer + pointers.join([key])
            if key in ("pattern", "matches") and isinstance(inner, str):
                yield place, inner
            elif key not in ("values", "value"):
                yield from _patterns(inner, place)
    elif isinstance(node, list):
        for index, item in enumerate(node):
            yield from _patterns(item, f"{pointer}/{index}")
