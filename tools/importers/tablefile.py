"""Tables as rows of text: CSV, Parquet and XLSX, cell by cell as they are printed, and nothing guessed about types.

Cells come as text because a type guessed from the first rows changes digits (`1.10`), dates and empty cells. Rows
are numbered from 1 below the header.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.errors import ToolsError

FORMATS = {".csv": "csv", ".tsv": "tsv", ".parquet": "parquet", ".pq": "parquet", ".xlsx": "xlsx"}
_CHUNK = 4096


@dataclass(frozen=True, slots=True)
class Table:
    """A table in memory: its column names and its rows, an empty cell being empty text."""

    path: Path
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


def read_table(path: Path, sheet: str | None = None, limit: int | None = None) -> Table:
    """The table in a file, by its ending; of a workbook one sheet, by default the first.

    Raises `ToolsError` for a file that is not there, no table, or damaged, and for a header with a name twice.
    """
    kind = FORMATS.get(path.suffix.lower())
    if kind is None:
        raise ToolsError(f"{path.name} is no table that can be read", f"a table ends in {', '.join(FORMATS)}")
    if not path.is_file():
        raise ToolsError(f"no such file: {path}", "check the spelling; paths are relative to this folder")
    if kind == "xlsx":
        columns, rows = _workbook(path, sheet)
    else:
        columns, rows = _by_duckdb(path, kind)
    names = [name.strip() for name in columns]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ToolsError(
            f"{path.name} has the column `{twice[0]}` twice", "give every column a name of its own"
        )
    if not any(names):
        raise ToolsError(f"{path.name} is empty", "a table has a line with the names of its columns")
    taken: list[tuple[str, ...]] = []
    for row in rows:
        if limit is not None and len(taken) == limit:
            break
        taken.append(row)
    return Table(path, tuple(names), taken)


def _by_duckdb(path: Path, kind: str) -> tuple[Sequence[str], Iterator[tuple[str, ...]]]:
    import duckdb

    connection = duckdb.connect(config={"autoinstall_known_extensions": "false"})
    try:
        if kind == "parquet":
            relation = connection.execute(
                "select * from read_parquet(?, hive_partitioning => false, file_row_number => false)",
                [_literally(path)],
            )
        else:
            # The names come from the first line as it stands; duckdb renames what is there twice.
            relation = connection.execute(
                "select * from read_csv(?, all_varchar => true, header => false, delim => ?, quote => '\"', "
                "escape => '\"', auto_detect => false, columns => ?, hive_partitioning => false, "
                "max_line_size => 8388608, null_padding => false, nullstr => '', skip => 0)",
                [_literally(path), *_dialect(path, kind)],
            )
        found = [column[0] for column in relation.description]
        if kind == "parquet":
            return found, _texts(relation, path)
        rows = _texts(relation, path)
        return list(next(rows, ())), rows
    except duckdb.Error as error:
        raise _unreadable(path, str(error)) from error


def _dialect(path: Path, kind: str) -> tuple[str, dict[str, str]]:
    """Delimiter, and one column of text for each cell of the first line."""
    delimiter = "\t" if kind == "tsv" else ","
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            head = next(csv.reader(stream, delimiter=delimiter), [])
    except (UnicodeDecodeError, csv.Error) as error:
        raise _unreadable(path, str(error)) from error
    if not head:
        raise ToolsError(f"{path.name} is empty", "a table has a line with the names of its columns")
    return delimiter, {f"c{index}": "VARCHAR" for index in range(len(head))}


def _texts(relation: Any, path: Path) -> Iterator[tuple[str, ...]]:
    import duckdb

    try:
        while chunk := relation.fetchmany(_CHUNK):
            for row in chunk:
                yield tuple(map(_text, row))
    except duckdb.Error as error:
        raise _unreadable(path, str(error)) from error


def _workbook(path: Path, sheet: str | None) -> tuple[Sequence[str], Iterator[tuple[str, ...]]]:
    try:
        import openpyxl  # type: ignore[import-untyped]
    except ImportError as error:
        raise ToolsError(
            "reading XLSX needs openpyxl, which is not installed", "pip install 'inference-ledger[xlsx]'"
        ) from error
    import zipfile

    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    except (zipfile.BadZipFile, KeyError, ValueError, OSError) as error:
        raise _unreadable(path, str(error)) from error
    if sheet is not None and sheet not in book.sheetnames:
        raise ToolsError(
            f"{path.name} has no sheet `{sheet}`", f"its sheets are {', '.join(book.sheetnames)}"
        )
    lines = (tuple(map(_text, row)) for row in book[sheet or book.sheetnames[0]].iter_rows(values_only=True))
    head = next(lines, ())
    while head and not head[-1]:
        head = head[:-1]
    width = len(head)
    return head, (row[:width] + ("",) * (width - len(row)) for row in lines if any(row))


def _text(cell: object) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    return str(cell)


def _literally(path: Path) -> str:
    """The path with the letters that a pattern of files would read otherwise put into brackets."""
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in str(path.absolute()))


def _unreadable(path: Path, reason: str) -> ToolsError:
    lines = io.StringIO(reason).read().splitlines()
    return ToolsError(
        f"{path.name} cannot be read: {lines[0] if lines else 'damaged'}", "write it anew as UTF-8 CSV"
    )
