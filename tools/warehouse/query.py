"""Asking a saved question: the answer, the records it rests on, what was left out and why, and what cannot be said."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tools.errors import InternalError, ToolsError
from tools.schema.spelling import nearest
from tools.warehouse.query_file import ANSWER, CANDIDATES, CANNOT_SAY, USED, Query
from tools.warehouse.query_parameter import KINDS, Value, accelerators_of
from tools.warehouse.sandbox import DAMAGED, limited, named_values

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_DROPPED = f"SELECT dropped, {{}} FROM {CANDIDATES} WHERE dropped IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1"
SECONDS = 60.0
"""Time that one statement of a saved question may take."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """Records that were left out for one reason."""

    reason: str
    records: int


@dataclass(frozen=True, slots=True)
class Answer:
    """What a saved question found; `cannot_say` has the reasons why the ledger cannot answer, whole or in part."""

    query: Query
    values: Mapping[str, Value]
    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    used: tuple[str, ...]
    dropped: tuple[Dropped, ...]
    cannot_say: tuple[str, ...]
    seconds: float


def answer(connection: DuckDBPyConnection, query: Query, values: Mapping[str, Value]) -> Answer:
    """Asks a question with every parameter bound.

    Raises `ToolsError` where a parameter names a record that is not there. Temporary tables of an earlier question
    on the same connection are replaced.
    """
    started = time.perf_counter()
    _require_records(connection, query, values)
    for name, statement in query.statements.items():
        if not statement.is_inlined:
            _carry_out(connection, query, f"CREATE OR REPLACE TEMP TABLE {name} AS ", statement.text, values)
    cursor = connection.execute(f"FROM {ANSWER}")
    columns = tuple(str(column[0]) for column in cursor.description or [])
    rows = cursor.fetchall()
    documented = tuple(column.name for column in query.columns)
    if columns != documented:
        raise InternalError(f"the saved question `{query.name}` gives {columns}, and documents {documented}")
    # Telling the ids of 100,000 records apart takes longer than all the rest; inlined candidates have each id once.
    once = query.statements[CANDIDATES].is_inlined
    counted = "count(*)" if once else "count(DISTINCT record_id)"
    dropped = _carry_out(connection, query, "", _DROPPED.format(counted), values)
    kept = USED if USED in query.statements else f"{CANDIDATES} WHERE dropped IS NULL"
    used = _carry_out(connection, query, "", f"SELECT record_id FROM {kept}", values)
    because = connection.execute(f"FROM {CANNOT_SAY}").fetchall()
    return Answer(
        query,
        values,
        columns,
        rows,
        # Ids begin alike, which makes sorting them dear for the database.
        tuple(sorted({str(row[0]) for row in used})),
        tuple(Dropped(str(reason), int(count)) for reason, count in dropped),
        tuple(str(row[0]) for row in because),
        time.perf_counter() - started,
    )


def _carry_out(
    connection: DuckDBPyConnection, query: Query, before: str, text: str, values: Mapping[str, Value]
) -> list[tuple[Any, ...]]:
    """Carries out a statement, with those that it names put in and the parameters bound."""
    inlined: list[str] = []
    read = text
    # From the last one back: what is put in may itself read one that stands before it.
    for name, statement in reversed(list(query.statements.items())):
        if statement.is_inlined and re.search(rf"\b{name}\b", read):
            inlined.insert(0, f"{name} AS NOT MATERIALIZED ({statement.text})")
            read += statement.text
    whole = before + (f"WITH {', '.join(inlined)} " if inlined else "") + text
    with limited(connection, SECONDS, DAMAGED):
        return connection.execute(whole, named_values(connection, whole, values)).fetchall()


def _require_records(connection: DuckDBPyConnection, query: Query, values: Mapping[str, Value]) -> None:
    for parameter in query.parameters:
        value = values[parameter.name]
        if parameter.type in KINDS and isinstance(value, str):
            _require(connection, parameter.type, value, parameter.option)
        for accelerator in accelerators_of(value):
            _require(connection, "accelerator", accelerator, parameter.option)


def _require(connection: DuckDBPyConnection, kind: str, record_id: str, option: str) -> None:
    named = "SELECT record_id FROM records WHERE kind = ?"
    if connection.execute(f"{named} AND record_id = ?", [kind, record_id]).fetchone():
        return
    near = nearest(record_id, [str(row[0]) for row in connection.execute(named, [kind]).fetchall()])
    raise ToolsError(
        f"{option}: there is no {kind} `{record_id}` in the warehouse",
        f"did you mean `{near}`?" if near else f'`tools sql "FROM {kind}s"` lists them',
    )
