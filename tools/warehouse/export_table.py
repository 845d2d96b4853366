"""The tables of a warehouse as an export sees them: columns with type and comment, keys, and how many rows there are.

They are read from the database's own catalog, so that an export says what the file says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


@dataclass(frozen=True, slots=True)
class ExportedColumn:
    """A column: its SQL type, what is said of it, and whether it is never empty."""

    name: str
    type: str
    comment: str
    is_required: bool

    @property
    def is_list(self) -> bool:
        """Whether it holds lists."""
        return self.type.endswith("[]")


@dataclass(frozen=True, slots=True)
class Reference:
    """Columns whose values are those of another table's."""

    columns: tuple[str, ...]
    table: str
    other_columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its files, from the folder of the export."""

    name: str
    comment: str
    columns: tuple[ExportedColumn, ...]
    key: tuple[str, ...]
    references: tuple[Reference, ...]
    rows: int

    @property
    def csv(self) -> str:
        """Its CSV file."""
        return f"tables/{self.name}.csv"

    @property
    def parquet(self) -> str:
        """Its Parquet file."""
        return f"tables/{self.name}.parquet"


def exported_tables(connection: DuckDBPyConnection) -> list[Table]:
    """Every table of the warehouse, in the order in which they were made."""
    named = connection.execute(
        "SELECT table_name, comment FROM duckdb_tables() WHERE NOT internal AND NOT temporary ORDER BY table_oid"
    ).fetchall()
    return [_table(connection, str(name), str(comment or "")) for name, comment in named]


def _table(connection: DuckDBPyConnection, name: str, comment: str) -> Table:
    columns = connection.execute(
        "SELECT column_name, data_type, coalesce(comment, ''), NOT is_nullable FROM duckdb_columns() "
        "WHERE table_name = ? AND NOT internal ORDER BY column_index",
        [name],
    ).fetchall()
    constraints = connection.execute(
        "SELECT constraint_type, constraint_column_names, referenced_table, referenced_column_names "
        "FROM duckdb_constraints() WHERE table_name = ? ORDER BY constraint_index",
        [name],
    ).fetchall()
    counted = connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()
    return Table(
        name,
        comment,
        tuple(ExportedColumn(*row) for row in columns),
        next((tuple(row[1]) for row in constraints if row[0] == "PRIMARY KEY"), ()),
        tuple(
            Reference(tuple(row[1]), row[2], tuple(row[3])) for row in constraints if row[0] == "FOREIGN KEY"
        ),
        int(counted[0]) if counted else 0,
    )
