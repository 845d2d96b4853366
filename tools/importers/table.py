"""Any table as records, by a declarative map: `tools import table`.

Rows that a map refuses are counted by reason. The others are grouped into operating points, each of which becomes a
draft: its fields and numbers by the rules of the map, its citations row by row, the rest of the conditions absent.
Two rows of one group that do not agree refuse the group.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.errors import ToolsError
from tools.finding import Finding
from tools.importers.batch import Batch
from tools.importers.cells import CellError, Row, Test, template, test
from tools.importers.draft import Draft
from tools.importers.identity import digest, record_id
from tools.importers.mapping import Mapping as Map
from tools.importers.mapping import judge, read_mapping
from tools.importers.names import Names
from tools.importers.rules import AbsenceRule, AuditRule, CitationRule, FieldRule, ResultRule
from tools.importers.tablefile import Table, read_table
from tools.importers.tree import ConflictError
from tools.records.garbage import uncollected
from tools.schema.vocabulary import UnitError

DIGEST, NUMBER = "#", "row"
"""Cells of every row that no column has: a digest of its group, and its number in the table from 1."""


@dataclass(frozen=True, slots=True)
class Join:
    """A second table by key: its cells come to a row as NAME.COLUMN, empty where there is no partner.

    A key that several different rows have leads to None; it is an error only where a row asks for it.
    """

    name: str
    columns: tuple[str, ...]
    on: tuple[str, ...]
    rows: Mapping[tuple[str, ...], tuple[str, ...] | None]
    required: bool
    applies: Test

    def cells(self, row: Row) -> dict[str, str] | None:
        """The partner's cells; None where a partner is required and missing."""
        key = tuple(row[column] for column in self.on)
        if not self.applies(row):
            return dict.fromkeys(self.columns, "")
        if key not in self.rows:
            return None if self.required else dict.fromkeys(self.columns, "")
        partner = self.rows[key]
        if partner is None:
            raise ToolsError(
                f"two rows of the joined table {self.name} have the key {', '.join(key)}",
                f"name more columns in the join `{self.name}`",
            )
        return dict(zip(self.columns, partner, strict=True))


def _key(said: str | dict[str, Any]) -> Callable[[Row], str]:
    """One part of what tells operating points apart."""
    if isinstance(said, str):
        return lambda row: row[said]
    column, applies = said["column"], test(said["when"])
    return lambda row: row[column] if applies(row) else ""


class TableImport:
    """A table, its map and all that is looked up once.

    `faults` are what the map has wrong, and then nothing is read; `passed_over` are the rows of other maps.
    """

    def __init__(
        self, table: Path, map_path: Path, names: Names, joined: Mapping[str, Path], limit: int | None = None
    ) -> None:
        self.map: Map = read_mapping(map_path)
        self.passed_over = 0
        self.faults: list[Finding] = self.map.faults
        if self.faults:
            return
        content = self.map.content
        self.table: Table = read_table(table, content.get("table", {}).get("sheet"), limit)
        blank = frozenset(content.get("blank", ()))
        self.joins = [self._join(join, table.parent, joined, blank) for join in self.map.joins]
        self.blank = blank
        columns = [*self.table.columns, *(column for join in self.joins for column in join.columns)]
        judge(self.map, columns)
        if not self.faults:
            self._compile(content, names)

    def _join(
        self, said: dict[str, Any], folder: Path, joined: Mapping[str, Path], blank: frozenset[str]
    ) -> Join:
        name = said["name"]
        table = read_table(joined.get(name, folder / said["file"]))
        for column, other in said["on"].items():
            for table_asked, asked in ((self.table, column), (table, other)):
                if asked not in table_asked.columns:
                    raise ToolsError(
                        f"{table_asked.path.name} has no column `{asked}`, which the join `{name}` needs",
                        f"its columns are {', '.join(table_asked.columns)}",
                    )
        places = [table.columns.index(other) for other in said["on"].values()]
        rows: dict[tuple[str, ...], tuple[str, ...] | None] = {}
        for row in table.rows:
            cells = tuple("" if cell in blank else cell for cell in row)
            key = tuple(cells[place] for place in places)
            rows[key] = cells if rows.get(key, cells) == cells else None
        columns = tuple(f"{name}.{column}" for column in table.columns)
        return Join(
            name, columns, tuple(said["on"]), rows, said.get("required", False), test(said.get("when"))
        )

    def _compile(self, content: dict[str, Any], names: Names) -> None:
        own = content.get("names", {})
        self.is_for = test(content.get("only"))
        self.refusals = [(test(said["when"]), said["reason"]) for said in content.get("refuse", ())]
        self.fields = [
            FieldRule(rule, names, own.get(rule.get("names", ""), {})) for rule in content["fields"]
        ]
        self.results = [ResultRule(rule, names, own) for rule in content["results"]]
        self.cites = [CitationRule(rule) for rule in content["cite"]]
        self.absences = [AbsenceRule(rule) for rule in content.get("absent", ())]
        self.audits = [AuditRule(rule, names) for rule in content.get("audit", ())]
        self.group = [_key(said) for said in content.get("group", ())]
        self.id_of = template(content["id"])

    def fill(self, batch: Batch, advance: Callable[[int], None] = lambda _: None) -> None:
        """Makes a draft of every operating point and gives it to the batch."""
        with uncollected():
            for group in self._groups(batch).values():
                self._take(group, batch)
                advance(len(group))

    def _groups(self, batch: Batch) -> dict[tuple[str, ...], list[dict[str, str]]]:
        groups: dict[tuple[str, ...], list[dict[str, str]]] = {}
        for row in self._rows(batch):
            key = tuple(part(row) for part in self.group) if self.group else (row[NUMBER],)
            row[DIGEST] = digest("\x1f".join(key if self.group else (row[c] for c in self.table.columns)))
            groups.setdefault(key, []).append(row)
        return groups

    def _rows(self, batch: Batch) -> Iterator[dict[str, str]]:
        for number, cells in enumerate(self.table.rows, 1):
            row = {
                column: "" if cell in self.blank else cell
                for column, cell in zip(self.table.columns, cells, strict=True)
            }
            row[NUMBER] = str(number)
            if not self.is_for(row):
                self.passed_over += 1
                continue
            reason = self._joined(row) or next((why for holds, why in self.refusals if holds(row)), None)
            if reason is not None:
                batch.refuse(f"row {number}", reason)
            else:
                yield row

    def _joined(self, row: dict[str, str]) -> str | None:
        for join in self.joins:
            cells = join.cells(row)
            if cells is None:
                return f"no row of the joined table {join.name} has its key"
            row.update(cells)
        return None

    def _take(self, rows: list[dict[str, str]], batch: Batch) -> None:
        first = rows[0]
        place = f"row {first[NUMBER]}" if len(rows) == 1 else f"rows {first[NUMBER]} to {rows[-1][NUMBER]}"
        draft = Draft(place)
        name = self.id_of(first)
        if name is None:
            draft.refuse("a column that its id is made of is empty")
        try:
            self._state(rows, draft)
        except (ConflictError, CellError, UnitError) as error:
            draft.refuse(str(error))
        batch.add(draft, record_id(name or ""))

    def _state(self, rows: list[dict[str, str]], draft: Draft) -> None:
        notes: dict[str, str] = {}
        cited = [[found for rule in self.cites if (found := rule.read(row)) is not None] for row in rows]
        for citations in cited:
            for citation in citations:
                draft.cite(citation)
        differ = any(citations != cited[0] for citations in cited)
        for row, citations in zip(rows, cited, strict=True):
            for rule in self.fields:
                rule.state(row, draft.put, draft, notes)
            own = citations[0] if citations and differ else None
            for result in self.results:
                result.state(row, draft, own)
        for row in rows:
            for absence in self.absences:
                absence.state(row, draft)
        for condition, note in notes.items():
            draft.absent(condition, "not_stated", note=note)
        draft.settle()
        for row in rows:
            for audit in self.audits:
                audit.state(row, draft)
