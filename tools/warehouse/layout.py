"""The SQL files of the warehouse as values: which tables and columns there are, and what is said of each.

Rows are loaded into the tables of `tables.sql`; what `views/` makes follows from them. There, what is dear to work out
or often asked is a table (CREATE TABLE ... AS), the rest a view or a macro.

A statement is preceded by comment lines that describe what it makes, and each column has its comment behind it. A
comment that begins with `@` names a schema field: `@benchmark/engine/version` is a field of a record kind, through
lists as through mappings; `@record#citation/locator` one of a definition. The description is then the schema's own, and
words that follow are added to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tools.errors import InternalError
from tools.schema.load import Schema, bundle, documents, in_place, join_documents

LAYOUT = 1
"""Version of tables and views: raised when a column goes, or changes its meaning."""

_FOLDER = Path(__file__).resolve().parent
_CREATE = re.compile(r"CREATE (TABLE|VIEW|MACRO) (\w+)(?:\(.*\))?( AS)?")
_COLUMN = re.compile(r'    "?(\w+)"?\s+([A-Z]+(?:\[\])?)(?: PRIMARY KEY| NOT NULL)?,?\s*-- (.+)')
_OUTPUT = re.compile(r'\s.*?"?(\w+)"?,?\s*-- (.+)')


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its SQL type (empty where it follows from a query), the schema field it holds (`kind/path`, or empty),
    and what is said of it."""

    name: str
    type: str
    field: str
    comment: str


@dataclass(frozen=True, slots=True)
class Relation:
    """A table, view or macro with its description; `is_derived` unless rows are loaded into it."""

    kind: str
    name: str
    comment: str
    columns: tuple[Column, ...]
    is_derived: bool

    @property
    def described_as(self) -> str:
        """How COMMENT ON names it."""
        return f"{'MACRO TABLE' if self.kind == 'MACRO' else self.kind} {self.name}"


def loaded() -> str:
    """The SQL of the tables that rows are loaded into."""
    return (_FOLDER / "tables.sql").read_text(encoding="utf-8")


def derived() -> list[str]:
    """The SQL of what follows from these, file by file in their order."""
    return [path.read_text(encoding="utf-8") for path in sorted((_FOLDER / "views").glob("*.sql"))]


@cache
def relations() -> tuple[Relation, ...]:
    """Everything that the SQL files make, in their order."""
    return tuple(relation for text in (loaded(), *derived()) for relation in _read(text))


@cache
def tables() -> Mapping[str, Relation]:
    """The tables by name, in the order in which they are filled; derived ones come last."""
    return {relation.name: relation for relation in relations() if relation.kind == "TABLE"}


def _read(text: str) -> Iterator[Relation]:
    above: list[str] = []
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith("-- "):
            above.append(line[3:])
            continue
        made = _CREATE.match(line)
        if made is None:
            above = above if line.startswith("--") else []
            continue
        kind, name, is_derived = made[1], made[2], made[3] is not None
        pattern = _OUTPUT if is_derived else _COLUMN
        columns = tuple(_column(found) for row in _body(lines) if (found := pattern.match(row)))
        yield Relation(kind, name, " ".join(above), columns, is_derived)
        above = []


def _body(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        yield line
        if line.endswith(";"):
            return


def _column(found: re.Match[str]) -> Column:
    *_, said = found.groups()
    name, sql_type = found[1], found[2] if found.re is _COLUMN else ""
    field, text = "", said
    if said.startswith("@"):
        field, _, more = said[1:].partition(" ")
        text = f"{described(field)} {more}".rstrip()
    return Column(name, sql_type, field, text)


def described(field: str) -> str:
    """What a schema says of one of its fields. Raises `InternalError` for a field that is not there."""
    found = _field(field)
    for part in found:
        if "description" in part:
            return str(part["description"])
    raise InternalError(f"the schemas say nothing of `{field}`, which a column of the warehouse names")


def refers_to(field: str) -> str | None:
    """The kind of record whose id a field holds, or None."""
    return next((str(part["x-refers-to"]) for part in _field(field) if "x-refers-to" in part), None)


@cache
def _field(field: str) -> tuple[Schema, ...]:
    """The schemas that judge a field, outermost first."""
    head, *path = field.split("/")
    kind, _, definition = head.partition("#")
    document = bundle(kind) if "kind" in documents()[kind].get("properties", {}) else _joined(kind)
    parts = list(in_place(document, document["$defs"][definition] if definition else document))
    for key in path:
        below = [part["properties"][key] for part in parts if key in part.get("properties", {})]
        if not below:
            raise InternalError(f"there is no field `{field}` in the schemas")
        parts = [part for schema in below for part in in_place(document, schema)]
        parts += [part for outer in parts if "items" in outer for part in in_place(document, outer["items"])]
    return tuple(parts)


@cache
def _joined(stem: str) -> Schema:
    return join_documents(documents(), stem)
