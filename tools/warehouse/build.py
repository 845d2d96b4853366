"""From a ledger to its warehouse: check, turn records into rows, load, put in place.

The checks are those of `tools validate`, with its cache. A ledger with errors is refused unless the caller wants it
all the same; the rows of such a ledger then carry the level of their findings.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from tools.checks.rules import RULES
from tools.checks.run import Report, Run
from tools.errors import InternalError, ToolsError
from tools.finding import Level
from tools.records.catalog import Catalog, Entry
from tools.warehouse.input import Digests, digests
from tools.warehouse.interrupts import interruptible
from tools.warehouse.layout import LAYOUT
from tools.warehouse.load import create, derive, fill, hash_tables, is_as_built
from tools.warehouse.ndjson import write_records, write_rows
from tools.warehouse.newer import date_back
from tools.warehouse.rows.findings import finding_rows
from tools.warehouse.rows.setting import Setting, setting_of
from tools.warehouse.rows.vocabulary import rule_rows, vocabulary_rows
from tools.warehouse.simulations import Simulation, fill_simulations, simulations
from tools.warehouse.storage import being_built, new_database, put_in_place, stamp_of
from tools.warehouse.unchanged import TakenOver, unchanged

Progress = Callable[[int, str], AbstractContextManager[Callable[[int], None]]]


@dataclass(frozen=True, slots=True)
class Built:
    """What a build did: nothing where the file was current; `changed` counts the records that were read."""

    is_current: bool
    records: int = 0
    results: int = 0
    errors: int = 0
    changed: int = 0
    seconds: float = 0.0


def build(root: Path, out: Path, progress: Progress, *, allow_errors: bool = False, jobs: int = 0) -> Built:
    """Makes `out` the warehouse of the ledger at `root`.

    Raises `ToolsError` where the ledger has errors that are not allowed, or the file cannot be written; what lies at
    `out` then stays as it is.
    """
    begun, started = time.time(), time.perf_counter()
    today = date.today()
    catalog = Catalog(root)
    found = simulations(root)
    of_input = digests(catalog, found, today, "errors allowed" if allow_errors else "")
    with interruptible(), being_built(out) as folder:
        stamp = stamp_of(out)
        # What somebody changed in the old file is neither current nor taken over.
        if stamp is not None and stamp.input_digest == of_input.whole and is_as_built(out):
            date_back(out, begun)
            return Built(True, seconds=time.perf_counter() - started)
        report = _checked(catalog, today, jobs, progress, allow_errors)
        errors = report.count(Level.ERROR)
        setting = setting_of(catalog, report.findings, of_input.of_records)
        write_rows(folder, "words", vocabulary_rows())
        write_rows(folder, "rules", rule_rows())
        write_rows(folder, "findings", finding_rows(setting, report.findings))
        work = _Work(folder, root, catalog, setting, found, of_input, errors > 0, jobs, progress)
        kept = None if errors else unchanged(out, of_input.program, setting.digests)
        if kept is not None and not is_as_built(out, of_records=True):
            kept = None
        results, changed = _write(work, kept)
        put_in_place(folder, out)
        date_back(out, begun)
    spent = time.perf_counter() - started
    return Built(False, len(catalog.entries), results, errors, changed, spent)


class _Work(NamedTuple):
    """What goes into a warehouse, and the folder in which it is made."""

    folder: Path
    root: Path
    catalog: Catalog
    setting: Setting
    simulations: list[Simulation]
    digests: Digests
    has_errors: bool
    jobs: int
    progress: Progress


def _write(work: _Work, kept: TakenOver | None) -> tuple[int, int]:
    """Makes the database in the folder; gives the number of results, and of records that were read."""
    entries = sorted(work.catalog.entries.values(), key=lambda entry: entry.path)
    changed = [entry for entry in entries if kept is None or entry.id not in kept.ids]
    with work.progress(len(changed), "reading") as advance:
        write_records(work.folder, work.root, work.setting, changed, work.jobs, advance)
    with new_database(work.folder) as connection:
        create(connection)
        fill(connection, work.folder, kept)
        fill_simulations(connection, work.simulations)
        derive(connection)
        hash_tables(connection)
        connection.execute(
            "INSERT INTO warehouse VALUES (?, ?, ?, ?, ?)",
            [LAYOUT, work.digests.whole, work.digests.program, work.has_errors, _version()],
        )
        counted = connection.execute("SELECT count(*) FROM results").fetchone()
    return (counted[0] if counted else 0), len(changed)


def _checked(catalog: Catalog, today: date, jobs: int, progress: Progress, allow_errors: bool) -> Report:
    entries: list[Entry] = catalog.files()
    with progress(len(entries), "validating") as advance:
        report = Run(catalog, RULES, today, jobs=jobs, progress=advance).check(entries)
    if report.crashes:
        raise InternalError("a rule failed, so the ledger cannot be judged", "\n".join(report.crashes))
    errors = report.count(Level.ERROR)
    if errors and not allow_errors:
        raise ToolsError(
            f"the ledger has {errors:,} error{'s' if errors > 1 else ''}, and no warehouse is built from it",
            "`tools validate` lists them; --allow-errors builds all the same, and marks the rows",
        )
    return report


def _version() -> str:
    try:
        return version("inference-ledger")
    except PackageNotFoundError:
        return "unknown"
