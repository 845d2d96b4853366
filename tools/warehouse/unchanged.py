"""What a build takes over from the warehouse that it replaces: the rows of records that did not change.

Most of a build is parsing records. The rows of one follow from its file, from what was found in it and from the
program (`rows_digest`, `program_digest`), and from which ids there are: those that a record names are there in every
ledger without errors, so nothing is taken over from or into another one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tools.warehouse.layout import Relation
from tools.warehouse.storage import stamp_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

RECORD_KEYS = frozenset({"record_id", "source_id", "engine_id", "model_id", "accelerator_id"})
"""First columns of the tables whose rows belong to a record: its id."""

_BEFORE, _KEPT = "before", "taken_over"


@dataclass(frozen=True, slots=True)
class TakenOver:
    """Records whose rows stand in the warehouse at `file` as they would be made again."""

    file: Path
    ids: frozenset[str]

    def attach(self, connection: DuckDBPyConnection) -> None:
        """Lets a connection read those rows."""
        place = str(self.file).replace("'", "''")
        connection.execute(f"ATTACH '{place}' AS {_BEFORE} (READ_ONLY)")
        connection.execute(
            f"CREATE TEMP TABLE {_KEPT} AS SELECT unnest($ids::VARCHAR[]) AS id", {"ids": sorted(self.ids)}
        )

    def rows_of(self, table: Relation) -> str:
        """What stands behind FROM for the rows of a table."""
        return f"{_BEFORE}.{table.name} SEMI JOIN {_KEPT} ON {_KEPT}.id = {table.columns[0].name}"


def unchanged(warehouse: Path, program: str, digests: Mapping[str, str]) -> TakenOver | None:
    """The records whose rows a build with these digests can take over; None for none, or from a damaged file.

    The ledger that is built must have no errors.
    """
    import duckdb

    stamp = stamp_of(warehouse)
    if stamp is None or stamp.has_errors or stamp.program_digest != program:
        return None
    try:
        with duckdb.connect(str(warehouse), read_only=True) as connection:
            rows = connection.execute("SELECT record_id, rows_digest FROM records").fetchall()
    except duckdb.Error:
        return None
    ids = frozenset(name for name, digest in rows if digests.get(name) == digest)
    return TakenOver(warehouse, ids) if ids else None
