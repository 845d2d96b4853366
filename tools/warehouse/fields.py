"""Fields of a record as values of a column: what is not of the column's type is left empty.

Records are loaded before it is certain that they are valid (`tools build --allow-errors`), so every reader takes
anything. A word where a number belongs, or the id of a record that is not there, gives an empty column; the finding
beside the row says what stands in the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import TypeAlias

from tools.checks.quantity import number
from tools.records.parse import Json
from tools.warehouse.layout import Relation, refers_to

Row: TypeAlias = dict[str, Json]
"""A row by column; an empty column may be left out."""

Known: TypeAlias = Mapping[str, frozenset[str]]
"""The ids of the ledger by kind, and all of them under `any`."""

_INTEGER, _BIGINT = 2**31, 2**63
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")

Coerce: TypeAlias = Callable[[Json], Json]


def text(value: Json) -> Json:
    """The value where it is text."""
    return value if isinstance(value, str) else None


def _within(limit: int) -> Coerce:
    def whole(value: Json) -> Json:
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        return value if is_whole and isinstance(value, int) and -limit <= value < limit else None

    return whole


def truth(value: Json) -> Json:
    """The value where it is true or false."""
    return value if isinstance(value, bool) else None


def day(value: Json) -> Json:
    """The value where it is a day of the calendar, YYYY-MM-DD."""
    if not isinstance(value, str) or not _DAY.fullmatch(value):
        return None
    try:
        return date.fromisoformat(value).isoformat()
    except ValueError:
        return None


def _listed(coerce: Coerce) -> Coerce:
    def items(value: Json) -> Json:
        if not isinstance(value, list):
            return None
        kept = [coerce(item) for item in value]
        return [item for item in kept if item is not None]

    return items


_COERCE: dict[str, Coerce] = {
    "VARCHAR": text,
    "DOUBLE": number,
    "INTEGER": _within(_INTEGER),
    "BIGINT": _within(_BIGINT),
    "BOOLEAN": truth,
    "DATE": day,
    "VARCHAR[]": _listed(text),
    "DOUBLE[]": _listed(number),
}


def _known(coerce: Coerce, ids: frozenset[str]) -> Coerce:
    def reference(value: Json) -> Json:
        found = coerce(value)
        if isinstance(found, list):
            return [item for item in found if item in ids]
        return found if found in ids else None

    return reference


class Fields:
    """The columns of a table that hold a field of a record as it is, read below one place of it."""

    def __init__(self, table: Relation, below: str, known: Known) -> None:
        # Looking below a mapping that is not there is the greater part of all that would be asked.
        self._groups: dict[tuple[str, ...], dict[str, list[tuple[str, Coerce]]]] = {}
        for column in table.columns:
            if not column.field.startswith(f"{below}/"):
                continue
            coerce = _COERCE[column.type]
            kind = refers_to(column.field)
            if kind is not None:
                coerce = _known(coerce, known[kind])
            keys = tuple(column.field.removeprefix(f"{below}/").split("/"))
            self._groups.setdefault(keys[:-1], {}).setdefault(keys[-1], []).append((column.name, coerce))

    def read(self, value: Mapping[str, Json]) -> Row:
        """The columns that a mapping fills."""
        row: Row = {}
        for path, columns in self._groups.items():
            inner: Json = value  # type: ignore[assignment]
            for key in path:
                inner = inner.get(key) if isinstance(inner, dict) else None
            if not isinstance(inner, dict):
                continue
            # A mapping holds few of the keys that it may hold.
            for key in inner.keys() & columns.keys():
                for name, coerce in columns[key]:
                    found = coerce(inner[key])
                    if found is not None:
                        row[name] = found
        return row


def mappings(value: Json) -> Sequence[tuple[int, dict[str, Json]]]:
    """(place, mapping) for each mapping of a list; anything else is left out."""
    if not isinstance(value, list):
        return ()
    return [(index, item) for index, item in enumerate(value) if isinstance(item, dict)]


def below(value: Json, *keys: str) -> Json:
    """What stands below some keys, or None."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value
