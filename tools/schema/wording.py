"""Failures of a schema as faults a contributor can act on: the place, one sentence of ours, and what to do.

A message is in the words of the field, with the numbers; it never holds a schema, and long values are cut.
This module decides where a fault points and words what is wrong with keys; what is wrong with values is
worded in `tools.schema.sentences`, and the hints are in `tools.schema.hints`. Which failures there are is
decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from tools.records.parse import Json
from tools.records.pointer import join
from tools.schema import hints
from tools.schema.failure import Failure
from tools.schema.sentences import Written, is_of_other_dimension, not_fitting, sentence_for
from tools.schema.spelling import listed, proposal, quoted, shown


@dataclass(frozen=True, slots=True)
class SchemaFault:
    """One place where a record does not fit its schema.

    `at_key` tells that the key at `pointer` is meant rather than its value: of a missing key, the key of the
    mapping that lacks it. `keyword` is the JSON Schema keyword that refused; or `null` for an empty value,
    `binding` for a value that does not go with the tag beside it (a unit with its metric), `dimension` for a unit
    that measures something else than its metric, `cut` for a remark
    that not all faults are listed, `input` for a value that no parser of ours makes.
    """

    pointer: str
    at_key: bool
    message: str
    hint: str
    keyword: str


_ABOUT_THE_MAPPING = ("minProperties", "maxProperties")


def explain(failure: Failure, written: Written) -> Iterator[SchemaFault]:
    """The faults behind the failure of one keyword: mostly one; one per key for missing and unknown keys."""
    if failure.value is None:
        yield _no_value(failure)
    elif failure.keyword in ("required", "dependentRequired"):
        yield from (_missing(failure, key) for key in failure.keys)
    elif failure.keyword == "additionalProperties":
        yield from (_unknown(failure, key) for key in failure.keys)
    elif failure.keyword == "not":
        yield from _out_of_place(failure)
    elif failure.keyword == "uniqueItems":
        yield _repeated(failure)
    else:
        yield SchemaFault(
            failure.pointer,
            failure.keyword in _ABOUT_THE_MAPPING or bool(failure.keys),
            *sentence_for(failure, written),
            _keyword(failure),
        )


def _keyword(failure: Failure) -> str:
    if is_of_other_dimension(failure):
        return "dimension"
    if failure.tag is not None:
        return "binding"
    return "enum" if failure.keyword == "tag" else failure.keyword


def _no_value(failure: Failure) -> SchemaFault:
    message = f"{failure.name} has no value"
    if failure.at and isinstance(failure.at[-1], str):
        return SchemaFault(failure.pointer, True, message, hints.leave_out(failure), "null")
    hint = "take the item out, or give it a value" if failure.at else "write the record, or delete the file"
    return SchemaFault(failure.pointer, False, message, hint, "null")


def _missing(failure: Failure, key: str) -> SchemaFault:
    message = f"{failure.name} has no {quoted(key)}"
    if failure.keyword == "dependentRequired" and isinstance(failure.value, dict):
        asking = [asks for asks, needs in failure.limit.items() if asks in failure.value and key in needs]
        message += f", which {listed(asking, 'and')} asks for"
    elif failure.circumstances:
        message += f", required {failure.circumstances}"
    return SchemaFault(failure.pointer, True, message, hints.missing(failure, key), "required")


def _unknown(failure: Failure, key: str) -> SchemaFault:
    word, hint = hints.unknown(failure, key)
    message = f"{quoted(key)} is no key of {failure.name}" + proposal(word)
    return SchemaFault(join((*failure.at, key)), True, message, hint, "additionalProperties")


def _out_of_place(failure: Failure) -> Iterator[SchemaFault]:
    """For `not: {required: [...]}`: each of the keys that do not belong; else a plain refusal."""
    is_rule_on_keys = isinstance(failure.limit, dict) and isinstance(failure.value, dict)
    refused = failure.limit.get("required", ()) if is_rule_on_keys else ()
    for key in refused:
        message = f"{quoted(key)} has no place in {failure.name}"
        if failure.circumstances:
            message += f" {failure.circumstances}"
        yield SchemaFault(join((*failure.at, key)), True, message, "take it out", "not")
    if not refused:
        yield SchemaFault(failure.pointer, False, *not_fitting(failure), "not")


def _repeated(failure: Failure) -> SchemaFault:
    """Points at the second of two equal items."""
    met: set[Hashable] = set()
    for place, item in enumerate(failure.value if isinstance(failure.value, list) else []):
        identity = _identity(item)
        if identity in met:
            message = f"{failure.name} lists {shown(item)} twice"
            return SchemaFault(
                join((*failure.at, place)), False, message, "list each item once", "uniqueItems"
            )
        met.add(identity)
    return SchemaFault(failure.pointer, False, *not_fitting(failure), "uniqueItems")


def _identity(value: Json) -> Hashable:
    """The same for equal JSON values only: 1 is 1.0, but true is not 1."""
    if isinstance(value, list):
        return tuple(map(_identity, value))
    if isinstance(value, dict):
        return frozenset((key, _identity(item)) for key, item in value.items())
    return isinstance(value, bool), value
