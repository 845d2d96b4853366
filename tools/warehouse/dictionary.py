"""docs/data-dictionary.md, from the comments that the database itself has.

An empty warehouse is made in memory and asked what it says of its tables, views and macros, so that the page and the
file cannot tell two stories.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tools.warehouse.layout import relations
from tools.warehouse.load import create, derive
from tools.warehouse.storage import OLDEST_CLIENT

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_HEAD = f"""# Data dictionary

Written by `tools generate` from the comments of the warehouse; do not edit. `tools build` writes it as one DuckDB file,
`generated/ledger.duckdb`, which any DuckDB from {OLDEST_CLIENT} on opens:

```sql
ATTACH 'generated/ledger.duckdb' AS ledger (READ_ONLY);
USE ledger;
SELECT table_name, comment FROM duckdb_tables();
```

An empty field means that the record, or its source, does not say. A value is always in the unit of its column or of
the column `unit` beside it. Results that bound a range have `is_point` false and belong into no average. `lint_level`
is the worst level of the findings that count: none, info, warning or error; errors are there only in a file built with
`--allow-errors`, which `warehouse.has_errors` tells.

All keys of the tables are checked by the database; derived tables are worked out from them when the file is built, and
have none. The same input gives the same `table_hashes`.
"""

_SECTIONS = (
    ("Tables", "TABLE", False),
    ("Derived tables", "TABLE", True),
    ("Views", "VIEW", True),
    ("Macros", "MACRO", True),
)
"""Heading, kind of relation, and whether it follows from other tables."""


def data_dictionary() -> str:
    """The page."""
    import duckdb

    with duckdb.connect(config={"threads": 1}) as connection:
        # One transaction: each of a thousand comments would be one of its own.
        connection.execute("BEGIN")
        create(connection)
        derive(connection)
        return _HEAD + "".join(_sections(connection))


def _sections(connection: DuckDBPyConnection) -> Iterator[str]:
    comments, types = _columns(connection)
    keys = _keys(connection)
    said, macros = _said(connection), _macros(connection)
    for heading, kind, is_derived in _SECTIONS:
        yield f"\n## {heading}\n"
        for relation in relations():
            if (relation.kind, relation.is_derived) != (kind, is_derived):
                continue
            name, described = relation.name, dict(comments.get(relation.name, {}))
            if kind == "MACRO":
                comment, parameters = macros[name]
                yield _section(f"{name}({', '.join(parameters)})", comment)
                # The database keeps no comments for what a macro gives.
                described = {column.name: column.comment for column in relation.columns}
                columns = _given(connection, name, parameters)
            else:
                yield _section(name, said[name])
                columns = types[name]
            for column, sql_type in columns:
                words = [described.get(column, ""), keys.get((name, column), "")]
                meaning = " ".join(filter(None, words)).replace("|", "\\|")
                yield f"| {column} | {sql_type} | {meaning} |\n"


def _section(heading: str, comment: str) -> str:
    return f"\n### {heading}\n\n{comment}\n\n| column | type | meaning |\n|---|---|---|\n"


def _columns(
    connection: DuckDBPyConnection,
) -> tuple[dict[str, dict[str, str]], dict[str, list[tuple[str, str]]]]:
    """The comments and the types of the columns of each table and view."""
    rows = connection.execute(
        "SELECT table_name, column_name, data_type, comment FROM duckdb_columns() WHERE NOT internal "
        "ORDER BY table_name, column_index"
    ).fetchall()
    types: dict[str, list[tuple[str, str]]] = {}
    comments: dict[str, dict[str, str]] = {}
    for table, name, sql_type, comment in rows:
        types.setdefault(table, []).append((name, sql_type))
        comments.setdefault(table, {})[name] = comment or ""
    return comments, types


def _keys(connection: DuckDBPyConnection) -> dict[tuple[str, str], str]:
    """What the keys say of each column."""
    said: dict[tuple[str, str], str] = {}
    for table, kind, own, other, names in connection.execute(
        "SELECT table_name, constraint_type, constraint_column_names, referenced_table, referenced_column_names "
        "FROM duckdb_constraints() WHERE constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY') ORDER BY constraint_index"
    ).fetchall():
        for place, name in enumerate(own):
            words = "Primary key." if kind == "PRIMARY KEY" else f"References {other}.{names[place]}."
            said[table, name] = f"{said[table, name]} {words}" if (table, name) in said else words
    return said


def _macros(connection: DuckDBPyConnection) -> dict[str, tuple[str, list[str]]]:
    """Comment and parameters of each macro."""
    rows = connection.execute(
        "SELECT function_name, comment, parameters FROM duckdb_functions() WHERE function_type = 'table_macro' "
        "AND NOT internal"
    ).fetchall()
    return {name: (comment, parameters) for name, comment, parameters in rows}


def _said(connection: DuckDBPyConnection) -> dict[str, str]:
    """The comment of each table and view."""
    rows = connection.execute(
        "SELECT table_name, comment FROM duckdb_tables() UNION ALL "
        "SELECT view_name, comment FROM duckdb_views() WHERE NOT internal"
    ).fetchall()
    return dict(rows)


def _given(connection: DuckDBPyConnection, macro: str, parameters: list[str]) -> list[tuple[str, str]]:
    """The columns that a macro gives."""
    arguments = ", ".join("NULL" for _ in parameters)
    rows = connection.execute(f"DESCRIBE SELECT * FROM {macro}({arguments})").fetchall()
    return [(name, sql_type) for name, sql_type, *_ in rows]
