"""An answer as text, JSON, CSV, Markdown or Parquet, with what it rests on, what was left out and what cannot be said.

CSV and Parquet hold the rows alone, so that other programs read them; the caller tells the rest beside them.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.checks.reports.words import Style, flat
from tools.errors import ToolsError
from tools.records.json_text import json_text
from tools.warehouse.query import Answer
from tools.warehouse.query_file import ANSWER, Query
from tools.warehouse.table_text import as_json, cell, csv_text, markdown, table

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_ASKING = frozenset({"what", "which", "where", "how"})
_MOST_IDS = 3
"""Ids that a text lists; of more, the rest are counted. JSON has them all."""
_ID = "record_id"
_ALIKE_FROM = 3
"""Rows from which what all of them have is told once."""


def text_report(answer: Answer, style: Style, width: int | None = None) -> str:
    """The answer for a person at a terminal of some width; None for one that has no end.

    What stands in every row, and columns that are empty in all of them, are told above the table. Of a list it has the
    first few items.
    """
    lines = [style(answer.query.title, "strong"), ""]
    if answer.rows:
        alike = _alike(answer) if len(answer.rows) >= _ALIKE_FROM else {}
        kept = [index for index in range(len(answer.columns)) if index not in alike]
        rows = [tuple(_first_few(row[index]) for index in kept) for row in answer.rows]
        columns = [answer.columns[index] for index in kept]
        # An id is of use only whole, and behind the last column there is room.
        whole = {columns[-1], *(name for name in columns if _ID in name)}
        lines += [*_told_once(answer, alike), *table(columns, rows, style, width=width, whole=whole), ""]
    return "\n".join([*lines, *_foot(answer, style)]) + "\n"


def _alike(answer: Answer) -> dict[int, Any]:
    """The columns that have one value in all rows, and this value; the last one only where it is empty."""
    first, last = answer.rows[0], len(answer.columns) - 1
    alike = {
        index: first[index]
        for index in range(last + 1)
        if all(row[index] == first[index] for row in answer.rows) and (index < last or not cell(first[index]))
    }
    return alike if len(alike) <= last else {}


def _told_once(answer: Answer, alike: dict[int, Any]) -> Iterator[str]:
    stated = [f"{answer.columns[index]} {cell(value)}" for index, value in alike.items() if cell(value)]
    empty = [answer.columns[index] for index, value in alike.items() if not cell(value)]
    if stated:
        yield f"in every row: {', '.join(stated)}"
    if empty:
        yield f"empty in every row: {', '.join(empty)}"
    if alike:
        yield ""


def _first_few(value: Any) -> Any:
    if not isinstance(value, list) or len(value) <= _MOST_IDS:
        return value
    return [*value[:_MOST_IDS], f"and {len(value) - _MOST_IDS:,} more"]


def markdown_report(answer: Answer) -> str:
    """The answer for a page."""
    lines = [f"## {answer.query.title}", ""]
    if answer.rows:
        lines += [*markdown(answer.columns, answer.rows), ""]
    return "\n".join([*lines, *(f"- {line}" for line in _foot(answer, lambda text, _: text))]) + "\n"


def csv_report(answer: Answer) -> str:
    """The rows alone."""
    return csv_text(answer.columns, answer.rows)


def foot(answer: Answer, style: Style) -> str:
    """What belongs to the answer beside its rows."""
    return "\n".join(_foot(answer, style))


def json_report(answer: Answer) -> str:
    """Everything, with the units of the columns."""
    query = answer.query
    said: dict[str, Any] = {
        "query": query.name,
        "question": query.question,
        "parameters": as_json(dict(answer.values)),
        "columns": [{"name": c.name, "unit": None if c.unit == "-" else c.unit} for c in query.columns],
        "rows": [dict(zip(answer.columns, map(as_json, row), strict=True)) for row in answer.rows],
        "used": list(answer.used),
        "dropped": [{"reason": item.reason, "records": item.records} for item in answer.dropped],
        "cannot_say": list(answer.cannot_say),
    }
    return json_text(said) + "\n"


def write_parquet(connection: DuckDBPyConnection, answer: Answer, path: Path) -> None:
    """The rows as Parquet, through a connection of its own: the one that asks can write nothing.

    Raises `ToolsError` where the file cannot be written; what lies there then stays as it is.
    """
    import duckdb

    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".{secrets.token_hex(4)}.writing")
    try:
        _copy_rows(connection, answer, temporary)
        temporary.replace(target)
    except duckdb.IOException as error:
        raise _refused(path, " ".join(str(error).split())) from error
    except OSError as error:
        raise _refused(path, error.strerror or str(error)) from error
    finally:
        temporary.unlink(missing_ok=True)


def _refused(path: Path, reason: str) -> ToolsError:
    return ToolsError(f"cannot write {path}: {reason}", "check the disk and who may write there")


def _copy_rows(connection: DuckDBPyConnection, answer: Answer, path: Path) -> None:
    import duckdb

    types = connection.execute(f"DESCRIBE {ANSWER}").fetchall()
    made = ", ".join(f'"{name}" {kind}' for name, kind, *_ in types)
    with duckdb.connect() as writer:
        writer.execute(f"CREATE TABLE {ANSWER} ({made})")
        if answer.rows:
            marks = ", ".join("?" for _ in answer.columns)
            writer.executemany(f"INSERT INTO {ANSWER} VALUES ({marks})", [list(row) for row in answer.rows])
        place = str(path).replace("'", "''")
        writer.execute(f"COPY {ANSWER} TO '{place}' (FORMAT parquet)")


def _foot(answer: Answer, style: Style) -> Iterator[str]:
    for because in answer.cannot_say:
        yield f"{style('the ledger cannot say', 'warning')}{_because(because)}"
    if not answer.rows and not answer.cannot_say:
        yield f"{style('the ledger cannot say', 'warning')}, because no record is left that answers"
    shown = ", ".join(answer.used[:_MOST_IDS])
    more = len(answer.used) - _MOST_IDS
    rest = f" and {more:,} more (--format json lists them)" if more > 0 else ""
    yield f"{len(answer.rows):,} rows from {len(answer.used):,} records{': ' if shown else ''}{shown}{rest}"
    for item in answer.dropped:
        yield f"{item.records:,} records left out: {flat(item.reason)}"


def _because(reason: str) -> str:
    """`, because ...` for a reason; a clause that begins with a question word is itself what cannot be said."""
    first = reason.partition(" ")[0]
    return f" {flat(reason)}" if first in _ASKING else f", because {flat(reason)}"


def listed(query: Query) -> str:
    """The question and its parameters, for the help on one question."""
    lines = [query.title, "", query.question, ""]
    for parameter in query.parameters:
        default = "has to be given" if parameter.default is None else f"default {parameter.default}"
        lines.append(f"  {parameter.option} {parameter.type} ({default}): {parameter.meaning}")
    lines += ["", "columns:"]
    lines += [f"  {c.name}{'' if c.unit == '-' else f' ({c.unit})'}: {c.meaning}" for c in query.columns]
    for head, items in (
        ("it cannot say when:", query.cannot_say),
        ("left out:", query.dropped),
        ("notes:", query.notes),
    ):
        lines += ["", head, *(f"  {item}" for item in items)] if items else []
    return "\n".join(lines)
