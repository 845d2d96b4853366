"""Values judged against a schema: compiled once per kind, every fault reported, each in a sentence of ours.

`jsonschema_rs` decides; `failure`, `unions` and `wording` turn what it reports into faults. Its pattern
engine is the linear one, so no text can make a check slow. Values come from the parser: text that is not
Unicode and numbers that are not finite are refused there.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

from tools.records.parse import Json
from tools.schema.failure import Failure
from tools.schema.load import Schema, bundle
from tools.schema.sentences import Written
from tools.schema.unions import settle
from tools.schema.wording import SchemaFault, explain

if TYPE_CHECKING:
    from jsonschema_rs import ValidationError, Validator

__all__ = ["CompiledSchema", "SchemaFault", "compiled", "faults"]

MOST_FAULTS = 200
"""Faults told of one record; a remark says when there are more."""

MOST_ITEMS = 500
"""List items of all depths that are judged one by one; a full record of one run has about a hundred."""

FIRST_ITEMS = 50
"""Items of each list that are judged where there are more than `MOST_ITEMS` in all."""


class CompiledSchema:
    """A self-contained schema (see `tools.schema.load.bundle`), ready to judge any number of values."""

    def __init__(self, document: Schema) -> None:
        # Loading it costs 50 ms, which commands that check nothing do not pay.
        from jsonschema_rs import RegexOptions, validator_for

        self.document = document
        self._validator: Validator = validator_for(document, pattern_options=RegexOptions())

    def faults(self, value: Json, written: Written | None = None) -> list[SchemaFault]:
        """All that is wrong with a value, at most one fault for each value and each missing or unknown key.

        `written` gives the text of a scalar as the file has it, so that a hint can say `quote it: "0.10"`
        where the value is only 0.1.
        """
        try:
            if self._validator.is_valid(value):
                return []
            errors, remark = self._errors(value)
        except (ValueError, RecursionError) as error:
            return [_unreadable(error)]
        found = (
            fault
            for error in errors
            for leaf in settle(Failure.of(self.document, value, error))
            for fault in explain(leaf, written or _not_known)
        )
        told = _most_telling(islice(found, MOST_FAULTS))
        if next(found, None) is not None:
            remark = f"there are more than {MOST_FAULTS} faults; only the first are listed"
        elif not told:
            remark = "the record does not fit its schema"
        return [*told, SchemaFault("", False, remark, "mend the others first", "cut")] if remark else told

    def _errors(self, value: Json) -> tuple[list[ValidationError], str]:
        """What the validator has against a value, with a remark when that may not be all.

        All the errors of a megabyte of wrong list items would fill gigabytes. Where there are very many
        items, the first ones of each list are judged instead of all; if these are in order, the first error
        is told.
        """
        from jsonschema_rs import ValidationError

        items = _count_items(value)
        if items <= MOST_ITEMS:
            return list(self._validator.iter_errors(value)), ""
        remark = f"the record has {items:,} list items; not all of them were judged"
        few = _shortened(value)
        if not self._validator.is_valid(few):
            return list(self._validator.iter_errors(few)), remark
        try:
            self._validator.validate(value)
        except ValidationError as error:
            return [error], remark
        return [], remark


@cache
def compiled(kind: str) -> CompiledSchema:
    """The compiled schema of a record kind; worth calling before a process forks."""
    return CompiledSchema(bundle(kind))


def faults(kind: str, value: Json, written: Written | None = None) -> list[SchemaFault]:
    """All that is wrong with a record of a kind; see `CompiledSchema.faults`."""
    return compiled(kind).faults(value, written)


def _not_known(_pointer: str) -> str:
    return ""


def _count_items(value: Json) -> int:
    if isinstance(value, list):
        return len(value) + sum(map(_count_items, value))
    return sum(map(_count_items, value.values())) if isinstance(value, dict) else 0


def _shortened(value: Json) -> Json:
    if isinstance(value, list):
        return [_shortened(item) for item in value[:FIRST_ITEMS]]
    if isinstance(value, dict):
        return {key: _shortened(item) for key, item in value.items()}
    return value


def _unreadable(error: Exception) -> SchemaFault:
    """What the parser keeps away, said all the same: lone surrogates, nesting beyond 255 levels."""
    what = "has text that is not Unicode" if isinstance(error, UnicodeError) else "is nested too deep"
    return SchemaFault("", False, f"the record {what}", "write it anew", "input")


# Of several faults of one value the first of these is told; the others mostly follow from it.
_TELLING = ("null", "minLength", "minItems", "dimension", "binding", "enum", "const", "type", "pattern")


def _most_telling(found: Iterable[SchemaFault]) -> list[SchemaFault]:
    """The faults without repetitions, one for each value, in the order found."""
    distinct = list(dict.fromkeys(found))
    best: dict[str, SchemaFault] = {}
    for fault in distinct:
        if _about_value(fault) and (fault.pointer not in best or _rank(fault) < _rank(best[fault.pointer])):
            best[fault.pointer] = fault
    return [fault for fault in distinct if not _about_value(fault) or best[fault.pointer] is fault]


def _about_value(fault: SchemaFault) -> bool:
    return not fault.at_key or fault.keyword == "null"


def _rank(fault: SchemaFault) -> int:
    return _TELLING.index(fault.keyword) if fault.keyword in _TELLING else len(_TELLING)
