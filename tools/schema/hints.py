"""What to do about a failure: how to write the value, which word was meant, where a key belongs.

Empty when there is nothing better to say than the message does.
"""

from __future__ import annotations

import re

from tools.records.parse import Json
from tools.schema.binding import converted
from tools.schema.failure import Failure
from tools.schema.fields import fields_at, homes, is_required
from tools.schema.load import Schema
from tools.schema.spelling import LONGEST_TEXT, listed, nearest, number, quoted, shown
from tools.schema.vocabulary import UnitError, vocabulary

_NUMBER = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?")

# What stands in front of a number in text, and the key of the same mapping that says it.
_MARKS = {
    "~": ("approximate", "true"),
    "≈": ("approximate", "true"),
    "<": ("bound", "upper"),
    "≤": ("bound", "upper"),
    ">": ("bound", "lower"),
    "≥": ("bound", "lower"),
}
_MARKED = "".join(_MARKS) + "= "


def sentence(text: str) -> str:
    """A description as the tail of a hint: without its full stop."""
    return text.removesuffix(".")


def leave_out(failure: Failure) -> str:
    """For a key without a value: leave it out, and where a condition rests on it, declare that absent.

    A key that has to be there gets the words on what it holds instead.
    """
    document, pointer = failure.document, failure.pointer
    if is_required(document, failure.at):
        about = sentence(failure.about)
        return f"it has to be there: {about}" if about else "it has to be there"
    if "absent" in document.get("properties", {}):
        resting = [
            condition.name
            for condition in vocabulary().conditions.values()
            if any(place == pointer or place.startswith(pointer + "/") for place in condition.stated_by)
        ]
        if resting:
            return f"leave the key out and declare {listed(resting, 'and')} in `absent`"
    return "leave the key out"


def write_as(failure: Failure, expected: list[str], written: str) -> str:
    """How to write a value that has another type than the expected ones; `written`: its text in the file."""
    value = failure.value
    if "string" in expected and isinstance(value, bool | int | float):
        if isinstance(value, float) and not written:
            return f'quote it as printed: "{number(value)}" (zeros at the end are lost without quotes)'
        text = written or shown(value).strip("`")
        return f'quote it: "{text}"'
    if isinstance(value, str) and {"number", "integer"} & set(expected):
        return _number_alone(failure, value.strip())
    if expected == ["array"]:
        return "write it as a list, each item on a line of its own after a dash"
    if expected == ["object"]:
        keys = fields_at(failure.document, failure.at)
        return f"its keys are {listed(keys, 'and')}" if keys else ""
    return sentence(failure.about)


def _number_alone(failure: Failure, text: str) -> str:
    """How to write a number that was given as text, with a mark in front or a unit behind it."""
    found = _NUMBER.match(text.lstrip(_MARKED))
    if not found:
        return sentence(failure.about)
    if found[0] == text:
        return f"write it without quotes: {text}"
    key, word = _MARKS.get(text[0], ("", ""))
    if key in fields_at(failure.document, failure.at[:-1]):
        return f"write {found[0]}, with `{key}: {word}` beside it"
    return f"write the number alone ({found[0]}); the rest belongs under keys of its own"


def missing(failure: Failure, key: str) -> str:
    """What a missing key would hold."""
    about = fields_at(failure.document, failure.at).get(key, {}).get("description", "")
    return f"{quoted(key)}: {sentence(about)}" if about else ""


def unknown(failure: Failure, key: str) -> tuple[str | None, str]:
    """For an unknown key: the known one that was probably meant, and what to do."""
    elsewhere = homes(failure.document, key)
    if elsewhere:
        return None, f"it belongs at {listed(elsewhere)}"
    known = fields_at(failure.document, failure.at)
    near = nearest(key, list(known))
    if near is not None:
        return near, sentence(known[near].get("description", ""))
    return None, f"the keys here are {listed(known, 'and')}" if known else "take it out"


def meant(value: Json, options: list[Json], branches: list[Schema]) -> tuple[str | None, str]:
    """The option that was probably meant, and what it stands for."""
    names = [option for option in options if isinstance(option, str)]
    titles = {branch["const"]: branch.get("title", "") for branch in branches}
    found = nearest(value, names, titles) if isinstance(value, str) else None
    about = next((branch.get("description", "") for branch in branches if branch["const"] == found), "")
    return found, f"{quoted(found)}: {sentence(about)}" if found and about else ""


def other_unit(failure: Failure) -> str:
    """For a unit that is not the metric's: the value converted, or the metrics which have that unit."""
    unit, allowed = failure.value, failure.limit
    if not isinstance(unit, str) or not isinstance(allowed, list):
        return ""
    holder = failure.holder
    value = holder.get("value") if isinstance(holder, dict) else None
    amount = value if isinstance(value, int | float) and not isinstance(value, bool) else None
    metric = str(failure.tag[1]) if failure.tag else ""
    for target in allowed:
        try:
            in_target = converted(1 if amount is None else amount, unit, target, metric)
        except UnitError:
            continue
        if amount is None:
            return f"convert the value to {quoted(target)}"
        return (
            f"{number(amount)} {unit} = {number(in_target)} {target}; "
            "keep what the source prints in `derived_from.original`"
        )
    others = vocabulary().metrics_in(unit)
    if others:
        metrics = f"in {quoted(unit)} there are the metrics {listed(others, 'and', most=4)}"
        return f"{metrics}; restate the metric or the unit as the source has it, not both"
    return f"give the value in {listed(allowed)}"


def mended(failure: Failure) -> str:
    """For text that does not match a pattern: a spelling of it that does, if there is an obvious one."""
    value, pattern = failure.value, failure.limit
    if not isinstance(value, str) or not isinstance(pattern, str) or len(value) > LONGEST_TEXT:
        return ""
    joined = " ".join(value.split())
    small = joined.lower()
    tries = [joined, small, re.sub(r"[^a-z0-9.]+", "-", small).strip("-."), small.replace("/", "-")]
    for candidate in tries:
        if re.search(pattern, candidate):
            return f"write {quoted(candidate)}"
    return ""


def as_share(failure: Failure) -> str:
    """For a percentage where a share of 1 is wanted: the share."""
    value, least = failure.value, failure.schema.get("minimum", failure.schema.get("exclusiveMinimum"))
    if failure.limit == 1 and least == 0 and isinstance(value, int | float) and 1 < value <= 100:
        return f"write it as a share of 1: {value / 100:g}"
    return sentence(failure.about)
