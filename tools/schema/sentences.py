"""What is wrong with one value, as a sentence per schema keyword, with the hint that belongs to it.

The counterpart for keys (missing, unknown, out of place) is in `tools.schema.wording`, which also decides
where a fault points.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from tools.records.parse import Json
from tools.schema import hints
from tools.schema.binding import dimensions, is_other_dimension
from tools.schema.failure import Failure, schema_at
from tools.schema.load import Schema
from tools.schema.spelling import listed, number, proposal, shown

Words: TypeAlias = tuple[str, str]
"""A message and its hint."""

Written: TypeAlias = Callable[[str], str]
"""Gives the text of a scalar as the file has it, by JSON Pointer; empty where that is not known."""

_TYPES = {
    "object": "a mapping",
    "array": "a list",
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "`true` or `false`",
    "null": "empty",
}


def sentence_for(failure: Failure, written: Written) -> Words:
    """The message and hint for a keyword that refused a value."""
    if failure.keyword == "type":
        return _type(failure, written)
    return _SENTENCES.get(failure.keyword, not_fitting)(failure)


def not_fitting(failure: Failure) -> Words:
    """For keywords without words of their own."""
    return f"{failure.name} does not fit the schema ({failure.keyword})", hints.sentence(failure.about)


def _type(failure: Failure, written: Written) -> Words:
    value = failure.value
    allowed = failure.limit if isinstance(failure.limit, list) else [failure.limit]
    expected = [*allowed, *_other_form(failure)]
    if isinstance(value, int) and not isinstance(value, bool) and {"integer", "number"} & set(expected):
        return f"{failure.name} is {number(value)}, more than can be read", hints.sentence(failure.about)
    words = " or ".join(_TYPES.get(name, name) for name in expected)
    got = f"the text {shown(value)}" if isinstance(value, str) and value else shown(value)
    text = written(failure.pointer) if isinstance(value, bool | int | float) else ""
    return f"{failure.name} must be {words}, not {text or got}", hints.write_as(failure, expected, text)


def _other_form(failure: Failure) -> list[str]:
    """The type that an `if` sends another way: a value of it is judged by `then`, not by this keyword."""
    if len(failure.route) < 2 or failure.route[-2] != "else":
        return []
    around = schema_at(failure.document, failure.route[:-2])
    form = around.get("if", {}).get("type")
    return [form] if isinstance(form, str) else []


def _enum(failure: Failure) -> Words:
    branches: list[Schema] = failure.schema.get("oneOf", [])
    options: list[Json] = failure.schema.get("enum") or [branch["const"] for branch in branches]
    value, tag = failure.value, failure.tag
    if tag is not None:
        verb = "is measured in" if failure.at[-1] == "unit" else f"goes with {failure.name}"
        message = f"{tag[0]} {shown(tag[1])} {verb} {_choice(options)}, not {shown(value)}"
        if is_of_other_dimension(failure):
            own, other = dimensions(str(tag[1]), str(value))
            message += f": {other} is another kind of number than {own}"
        return message, hints.other_unit(failure)
    if len(options) == 1:
        return f"{failure.name} must be {_choice(options)}, not {shown(value)}", hints.sentence(failure.about)
    is_tag = failure.keyword == "tag"
    message = (
        f"{shown(value)} is no {failure.at[-1]}" if is_tag else f"{failure.name} cannot be {shown(value)}"
    )
    word, about = hints.meant(value, options, branches)
    return message + proposal(word), about or f"choose {_choice(options)}"


def is_of_other_dimension(failure: Failure) -> bool:
    """Whether a unit was refused because it measures something else than the metric beside it."""
    if failure.tag is None or failure.tag[0] != "metric" or not failure.at or failure.at[-1] != "unit":
        return False
    return isinstance(failure.tag[1], str) and is_other_dimension(failure.tag[1], failure.value)


def _choice(options: list[Json]) -> str:
    return listed([option if isinstance(option, str) else shown(option).strip("`") for option in options])


def _const(failure: Failure) -> Words:
    message = f"{failure.name} must be {shown(failure.limit)}, not {shown(failure.value)}"
    return message, hints.sentence(failure.about)


def _pattern(failure: Failure) -> Words:
    says = failure.schema.get("x-pattern-says") or "written as the schema says"
    hint = hints.mended(failure) or hints.sentence(failure.about)
    return f"{failure.name} must be {says}, not {shown(failure.value)}", hint


def _bound(words: str) -> Callable[[Failure], Words]:
    def said(failure: Failure) -> Words:
        message = (
            f"{failure.name} is {shown(failure.value)}; it must be {words.format(number(failure.limit))}"
        )
        return message, hints.as_share(failure)

    return said


def _size(unit: str, at_least: bool) -> Callable[[Failure], Words]:
    def said(failure: Failure) -> Words:
        value, limit = failure.value, failure.limit
        has = len(value) if isinstance(value, str | list | dict) else 0
        if has == 0:
            return f"{failure.name} is {shown(value)}", hints.leave_out(failure)
        needs = f"it needs at least {limit:,}" if at_least else f"at most {limit:,} are allowed"
        plural = unit if has == 1 else f"{unit}s"
        return f"{failure.name} has {has:,} {plural}; {needs}", hints.sentence(failure.about)

    return said


def _one_of(failure: Failure) -> Words:
    about = hints.sentence(failure.schema.get("description") or failure.about)
    if failure.keys:
        return f"{failure.name} needs {listed(failure.keys)}", about
    return f"{failure.name} fits none, or more than one, of the forms allowed here", about


_SENTENCES: dict[str, Callable[[Failure], Words]] = {
    "enum": _enum,
    "tag": _enum,
    "const": _const,
    "pattern": _pattern,
    "minimum": _bound("{} or more"),
    "maximum": _bound("{} or less"),
    "exclusiveMinimum": _bound("more than {}"),
    "exclusiveMaximum": _bound("less than {}"),
    "minLength": _size("character", at_least=True),
    "maxLength": _size("character", at_least=False),
    "minItems": _size("item", at_least=True),
    "maxItems": _size("item", at_least=False),
    "minProperties": _size("key", at_least=True),
    "maxProperties": _size("key", at_least=False),
    "anyOf": _one_of,
    "oneOf": _one_of,
}
