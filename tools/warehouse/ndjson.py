"""Rows on their way into the database: one file of JSON lines for each table and worker chunk.

Parsing records takes more time than all the rest, so it is done in forked workers that inherit the setting; files are
read in the order of the chunks, which makes the order of rows the same whatever the number of workers. JSON lines keep
lists, empty columns and text with line breaks apart without rules of their own, and DuckDB reads them in parallel with
the types of the columns given.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tools.checks.workers import Workers
from tools.records.catalog import Entry
from tools.records.garbage import uncollected
from tools.records.parse import Document, parse
from tools.records.read import read_file
from tools.warehouse.rows.record import record_rows
from tools.warehouse.rows.setting import Filled, Setting

if TYPE_CHECKING:
    from tools.checks.run import Progress

CHUNK = 1000
"""Records of one worker task, and of one file of lines."""

_encode = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",", ":")).encode


def write_rows(folder: Path, name: str, filled: Filled) -> None:
    """The rows as JSON lines in `folder`, a file `<table>.<name>.ndjson` for each table that has any."""
    lines: dict[str, list[str]] = {}
    for table, row in filled:
        lines.setdefault(table, []).append(_encode(row))
    for table, texts in lines.items():
        # Half a character cannot be written; the finding about it shows where it stands.
        content = "\n".join(texts).encode("utf-8", "replace") + b"\n"
        (folder / f"{table}.{name}.ndjson").write_bytes(content)


def files_of(folder: Path, table: str) -> list[str]:
    """The files of a table, in the order of their rows."""
    return [str(path) for path in sorted(folder.glob(f"{table}.*.ndjson"))]


def write_records(
    folder: Path, root: Path, setting: Setting, entries: Sequence[Entry], jobs: int, progress: Progress
) -> None:
    """The rows of every record, by as many processes as `jobs` says (0 for one per core) where there are many."""

    def write(numbered: tuple[int, Sequence[Entry]]) -> int:
        number, chunk = numbered
        with uncollected():
            write_rows(folder, f"{number:06d}", _rows(root, setting, chunk))
        return len(chunk)

    chunks = (entries[start : start + CHUNK] for start in range(0, len(entries), CHUNK))
    with Workers(write, jobs, chunk=1, serial_limit=2) as workers:
        for numbered in enumerate(chunks):
            for done in workers.give(numbered):
                progress(done)
        for done in workers.finish():
            progress(done)


def _rows(root: Path, setting: Setting, entries: Iterable[Entry]) -> Filled:
    prefix = f"{root}{os.sep}"
    for entry in entries:
        content = read_file(entry.path)
        document = parse(content) if isinstance(content, bytes) else Document(None, "", [], broken=True)
        yield from record_rows(setting, entry, entry.path.removeprefix(prefix), document)
