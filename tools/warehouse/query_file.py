"""Saved questions: `queries/*.sql`, each with a header that says what it answers, and a few named statements.

The header is the comment at the top of the file: a title, the question, and sections (Parameters, Columns, Cannot say,
Dropped, Notes). Then come statements, each behind a line `-- [name]`, which are carried out in their order; each one
fills a temporary table of its name, so that later ones read earlier ones:

    -- Slowest first token of a model
    --
    -- Which run of a model took longest to its first token?
    --
    -- Parameters:
    --   model  model = any  Model record.
    -- Columns:
    --   record_id  -   The run.
    --   ttft_ms    ms  Median time to first token.
    -- Cannot say:
    --   No run states it.
    -- Dropped:
    --   Runs that are not measured.

    -- [candidates]
    SELECT record_id, unusable AS dropped, ttft_p50_ms AS ttft_ms FROM operating_points WHERE ...;

    -- [answer]
    SELECT record_id, ttft_ms FROM candidates WHERE dropped IS NULL ORDER BY ttft_ms DESC LIMIT 1;

    -- [cannot_say]
    SELECT 'no run of it states the time to first token' AS because WHERE NOT EXISTS (FROM answer);

`candidates` has a row for each record that was looked at: `record_id`, and in `dropped` the reason why it was left out.
What was used follows from it, unless `[used]` (record_id) says so more narrowly. `cannot_say` has a row for each reason
that the ledger cannot answer, whole or in part. A parameter is bound as `$name`, never pasted.

A statement marked `-- [candidates: inlined]` fills no table: it is put into each later one that names it. Where most of
many rows are dropped, looking at them three times takes less time than writing their texts down once. Candidates that
are inlined have one row for each record.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tools.errors import InternalError, ToolsError
from tools.schema.spelling import nearest
from tools.warehouse.query_parameter import Parameter

SHIPPED = Path(__file__).resolve().parents[1] / "_shipped" / "queries"
REPOSITORY = Path(__file__).resolve().parents[2] / "queries"
CANDIDATES, ANSWER, USED, CANNOT_SAY = "candidates", "answer", "used", "cannot_say"
REQUIRED = (CANDIDATES, ANSWER, CANNOT_SAY)
_SECTIONS = ("Parameters", "Columns", "Cannot say", "Dropped", "Notes")
_STATEMENT = re.compile(r"^-- \[(\w+)(: inlined)?\]\s*$", re.MULTILINE)
_PARAMETER = re.compile(r"(\w+)\s+(\S+)(?: = (\S+))?\s+(.+)")
_COLUMN = re.compile(r"(\w+)\s+(\S+)\s+(.+)")


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the answer: its unit (`-` for none) and what it means."""

    name: str
    unit: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement: its text, and whether it is put into those that read it instead of filling a table."""

    text: str
    is_inlined: bool


@dataclass(frozen=True, slots=True)
class Query:
    """A saved question."""

    name: str
    title: str
    question: str
    parameters: tuple[Parameter, ...]
    columns: tuple[Column, ...]
    cannot_say: tuple[str, ...]
    dropped: tuple[str, ...]
    notes: tuple[str, ...]
    statements: Mapping[str, Statement]


def folder() -> Path:
    """Where the saved questions lie: in the repository, else as they were shipped."""
    return SHIPPED if SHIPPED.is_dir() else REPOSITORY


@cache
def queries() -> Mapping[str, Query]:
    """Every saved question by name."""
    files = sorted(folder().glob("*.sql"))
    return {path.stem: read_query(path.stem, path.read_text(encoding="utf-8")) for path in files}


def query_named(name: str) -> Query:
    """The saved question of a name. Raises `ToolsError` where there is none."""
    found = queries().get(name)
    if found is None:
        near = nearest(name, list(queries()))
        raise ToolsError(
            f"there is no saved question `{name}`",
            f"did you mean `{near}`?" if near else "`tools query` lists them",
        )
    return found


def read_query(name: str, text: str) -> Query:
    """A question from the text of its file. Raises `InternalError` where the file is not in the form above."""
    pieces = _STATEMENT.split(text)
    statements = {
        key: Statement(body.strip().removesuffix(";"), mark is not None)
        for key, mark, body in zip(pieces[1::3], pieces[2::3], pieces[3::3], strict=True)
    }
    head = [line.removeprefix("--").removeprefix(" ").rstrip() for line in pieces[0].splitlines()]
    title, sections = head[0] if head else "", _sections(head)
    missing = [part for part in REQUIRED if part not in statements]
    if missing or not title or not sections[""]:
        raise InternalError(f"the saved question `{name}` has no {', '.join(missing) or 'title or question'}")
    return Query(
        name,
        title,
        " ".join(sections[""]),
        tuple(_parameter(name, line) for line in _items(sections["Parameters"])),
        tuple(Column(*_matched(name, _COLUMN, line)) for line in _items(sections["Columns"])),
        tuple(_items(sections["Cannot say"])),
        tuple(_items(sections["Dropped"])),
        tuple(_items(sections["Notes"])),
        statements,
    )


def _sections(head: list[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {"": [], **{name: [] for name in _SECTIONS}}
    current = ""
    for line in head[1:]:
        if line.endswith(":") and line[:-1] in _SECTIONS:
            current = line[:-1]
        elif line:
            found[current].append(line)
    return found


def _items(lines: list[str]) -> Iterator[str]:
    """The items of a section: a line that is indented deeper goes on with the one before."""
    item = ""
    for line in lines:
        if line.startswith("    "):
            item += f" {line.strip()}"
            continue
        if item:
            yield item
        item = line.strip()
    if item:
        yield item


def _matched(name: str, pattern: re.Pattern[str], line: str) -> tuple[str, ...]:
    found = pattern.fullmatch(line)
    if found is None:
        raise InternalError(f"the saved question `{name}` has a line that cannot be read: {line}")
    return found.groups()


def _parameter(name: str, line: str) -> Parameter:
    word, kind, default, meaning = _matched(name, _PARAMETER, line)
    return Parameter(word, kind, default, meaning)
