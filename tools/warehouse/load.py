"""Rows into tables, comments onto them, and a hash of what each holds.

The types of columns are given, never guessed, so a column means the same whatever the rows are; keys are checked by the
database as the rows come in.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tools.warehouse.layout import Relation, derived, loaded, relations, tables
from tools.warehouse.ndjson import files_of
from tools.warehouse.pattern import literally
from tools.warehouse.unchanged import RECORD_KEYS, TakenOver

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

UNHASHED = ("warehouse", "table_hashes")
"""Tables that tell of the file rather than of the ledger."""

_HASH = """
SELECT count(*),
    printf('%032x%032x', coalesce(sum(upper), 0)::HUGEINT, coalesce(sum(lower), 0)::HUGEINT)
FROM (
    SELECT md5_number_upper(line) AS upper, md5_number_lower(line) AS lower
    FROM (SELECT to_json(t)::VARCHAR AS line FROM {name} t)
)
"""


def create(connection: DuckDBPyConnection) -> None:
    """Makes the tables that rows are loaded into, with their comments."""
    connection.execute(loaded())
    _describe(connection, is_derived=False)


def derive(connection: DuckDBPyConnection) -> None:
    """Makes the tables, views and macros that follow from them, with their comments."""
    for text in derived():
        connection.execute(text)
    _describe(connection, is_derived=True)


def _describe(connection: DuckDBPyConnection, *, is_derived: bool) -> None:
    described = (relation for relation in relations() if relation.is_derived == is_derived)
    connection.execute("".join(statement for relation in described for statement in _comments(relation)))


def _comments(relation: Relation) -> list[str]:
    said = [f"COMMENT ON {relation.described_as} IS {_quoted(relation.comment)};"]
    if relation.kind == "MACRO":
        return said
    return said + [
        f'COMMENT ON COLUMN {relation.name}."{column.name}" IS {_quoted(column.comment)};'
        for column in relation.columns
    ]


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def fill(connection: DuckDBPyConnection, folder: Path, taken_over: TakenOver | None = None) -> None:
    """Loads the lines of every table that has some, and the rows that are taken over, in the order of the tables."""
    if taken_over:
        taken_over.attach(connection)
    for table in tables().values():
        if table.is_derived:
            continue
        names = ", ".join(f'"{column.name}"' for column in table.columns)
        parts, values = [], {}
        files = files_of(folder, table.name)
        if files:
            parts.append(
                f"SELECT {names} FROM "
                "read_json($files, format = 'newline_delimited', columns = $types, maximum_object_size = 67108864)"
            )
            values = {
                "files": list(map(literally, files)),
                "types": {column.name: column.type for column in table.columns},
            }
        is_of_records = _is_of_records(table)
        if taken_over and is_of_records:
            parts.append(f"SELECT {names} FROM {taken_over.rows_of(table)}")
        if parts:
            # The same order, whatever was taken over; no key of these tables has more than three columns.
            ordered = " ORDER BY 1, 2, 3" if is_of_records else ""
            connection.execute(
                f"INSERT INTO {table.name} ({names}) {' UNION ALL '.join(parts)}{ordered}", values
            )


def _is_of_records(table: Relation) -> bool:
    """Whether rows are loaded into it that belong to a record."""
    return not table.is_derived and table.columns[0].name in RECORD_KEYS


def content_of(connection: DuckDBPyConnection, table: str) -> tuple[int, str]:
    """The number of rows of a table and the hash of what they hold, whatever their order."""
    found = connection.execute(_HASH.format(name=table)).fetchone()
    assert found is not None
    return found[0], found[1]


def is_as_built(path: Path, *, of_records: bool = False) -> bool:
    """Whether the tables of a warehouse have the content that its build noted; not so where it cannot be read.

    With `of_records` only those are asked whose rows belong to a record and are taken over.
    """
    import duckdb

    try:
        with duckdb.connect(str(path), read_only=True) as connection:
            noted = {name: told for name, *told in connection.execute("FROM table_hashes").fetchall()}
            return all(
                noted.get(name) == list(content_of(connection, name))
                for name, table in tables().items()
                if name not in UNHASHED and (_is_of_records(table) or not of_records)
            )
    except duckdb.Error:
        return False


def hash_tables(connection: DuckDBPyConnection) -> None:
    """Writes the number of rows and the content hash of each table into `table_hashes`."""
    for name in tables():
        if name not in UNHASHED:
            connection.execute(
                "INSERT INTO table_hashes VALUES (?, ?, ?)", [name, *content_of(connection, name)]
            )
