"""The audit logs of all records as one: what changed under my feet since a day, by whom, about which hardware.

The newest steps come first; those without a day come last. A step concerns an accelerator or a model if its record
names it now, or is it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import Final

from tools.audit.entry import AuditEntry, read_entries
from tools.audit.replay import replay
from tools.audit.step import Place, Step, step_json, steps
from tools.audit.tables import STEP_COLUMNS, Style, Table, markdown, step_cells, text
from tools.errors import ToolsError
from tools.records.catalog import Catalog, Entry
from tools.records.json_text import json_text
from tools.records.parse import Json
from tools.schema.references import references
from tools.schema.vocabulary import vocabulary

UNDATED: Final = "day not recorded"


@dataclass(frozen=True, slots=True)
class Filter:
    """Which steps are asked for; None asks for all. `since` counts its own day, `by` takes no notice of case."""

    since: date | None = None
    by: str | None = None
    action: str | None = None
    accelerator: str | None = None
    model: str | None = None

    def takes(self, entry: AuditEntry) -> bool:
        """Whether an entry is asked for, whatever its record."""
        return (
            (self.since is None or (entry.day is not None and entry.day >= self.since))
            and (self.by is None or (entry.by or "").casefold() == self.by.casefold())
            and (self.action is None or entry.action == self.action)
        )

    def concerns(self, entry: Entry, record: Json) -> bool:
        """Whether a record is asked for, whatever its entries."""
        wanted = [
            (kind, name)
            for kind, name in (("accelerator", self.accelerator), ("model", self.model))
            if name is not None
        ]
        if not wanted:
            return True
        named = {(reference.kind, reference.id) for reference in references(entry.kind, record)}
        named.add((entry.kind, entry.id))
        return all(one in named for one in wanted)


def check(catalog: Catalog, asked: Filter) -> None:
    """Raises `ToolsError` for a filter that can find nothing: no such action, accelerator or model."""
    actions = vocabulary().audit_actions
    if asked.action is not None and asked.action not in actions:
        raise ToolsError(f"there is no action `{asked.action}`", f"an action is one of {', '.join(actions)}")
    for kind, name in (("accelerator", asked.accelerator), ("model", asked.model)):
        found = catalog.find(name) if name is not None else None
        if name is not None and (found is None or found.kind != kind):
            near = catalog.nearest(name, kind)
            raise ToolsError(
                f"there is no {kind} `{name}`",
                f"did you mean {' or '.join(f'`{one}`' for one in near)}?"
                if near
                else f"see data/{kind}s/ for the ids",
            )


def ledger_log(
    catalog: Catalog, asked: Filter, progress: Callable[[int], None] = lambda _: None
) -> list[Step]:
    """The steps of all records that are asked for, the newest first."""
    found: list[Step] = []
    inside = f"{catalog.root}{os.sep}"
    for entry in catalog.files():
        progress(1)
        record = catalog.record(entry.id)
        if record is None or not asked.concerns(entry, record):
            continue
        taken = [one.index for one in read_entries(record) if asked.takes(one)]
        if taken:
            place = Place(entry.id, entry.kind, entry.path.removeprefix(inside))
            found += steps(place, replay(record), taken)
    found.sort(key=lambda step: step.place.record)
    found.sort(key=lambda step: (step.entry.day or date.min, step.entry.index), reverse=True)
    return found


def log_text(found: Iterable[Step], style: Style = lambda text, _: text) -> str:
    """The steps for a terminal, day by day."""
    parts = [text(table, style) for table in _days(found)]
    return "\n".join(parts) if parts else "no step is recorded\n"


def log_markdown(found: Iterable[Step]) -> str:
    """The steps as tables, day by day."""
    parts = [markdown(table) for table in _days(found)]
    return "\n".join(parts) if parts else "No step is recorded.\n"


def log_json(found: Iterable[Step]) -> str:
    """The steps as a list; `schemas/output/log.schema.json` describes it."""
    return json_text([step_json(step) for step in found]) + "\n"


def _days(found: Iterable[Step]) -> Iterator[Table]:
    for day, of_day in groupby(found, key=lambda step: step.entry.day):
        rows = tuple(_cells(step) for step in of_day)
        yield Table(
            UNDATED if day is None else day.isoformat(), ("record", "action", *STEP_COLUMNS[1:]), rows
        )


def _cells(step: Step) -> tuple[tuple[str, ...], ...]:
    record, changes, reason, _, evidence = step_cells(step)
    return record, (step.entry.action.replace("_", " "),), changes, reason, (step.entry.by or "",), evidence
