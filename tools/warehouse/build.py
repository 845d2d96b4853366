"""From a ledger to its warehouse: check, turn records into rows, load, put in place.

The checks are those of `tools validate`, with its cache. A ledger with errors is refused unless the caller wants it
all the same; the rows of such a ledger then carry the level of their findings.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from tools.checks.rules import RULES
from tools.checks.run import Report, Run
from tools.errors import InternalError, ToolsError
from tools.finding import Level
from tools.records.catalog import Catalog, Entry
from tools.warehouse.input import input_digest
from tools.warehouse.layout import LAYOUT
from tools.warehouse.load import create, derive, fill, hash_tables
from tools.warehouse.ndjson import write_records, write_rows
from tools.warehouse.rows.findings import finding_rows
from tools.warehouse.rows.setting import setting_of
from tools.warehouse.rows.vocabulary import rule_rows, vocabulary_rows
from tools.warehouse.simulations import fill_simulations, simulations
from tools.warehouse.storage import being_built, new_database, put_in_place, stamp_of

Progress = Callable[[int, str], AbstractContextManager[Callable[[int], None]]]


@dataclass(frozen=True, slots=True)
class Built:
    """What a build did: nothing where the file was current."""

    is_current: bool
    records: int = 0
    results: int = 0
    errors: int = 0
    seconds: float = 0.0


def build(root: Path, out: Path, progress: Progress, *, allow_errors: bool = False, jobs: int = 0) -> Built:
    """Makes `out` the warehouse of the ledger at `root`.

    Raises `ToolsError` where the ledger has errors that are not allowed, or the file cannot be written; what lies at
    `out` then stays as it is.
    """
    started = time.perf_counter()
    today = date.today()
    catalog = Catalog(root)
    found = simulations(root)
    digest = input_digest(catalog, found, today, "errors allowed" if allow_errors else "")
    with being_built(out) as folder:
        stamp = stamp_of(out)
        if stamp is not None and stamp.input_digest == digest:
            return Built(True, seconds=time.perf_counter() - started)
        report = _checked(catalog, today, jobs, progress, allow_errors)
        setting = setting_of(catalog, report.findings)
        write_rows(folder, "words", vocabulary_rows())
        write_rows(folder, "rules", rule_rows())
        entries = sorted(catalog.entries.values(), key=lambda entry: entry.path)
        with progress(len(entries), "reading") as advance:
            write_records(folder, root, setting, entries, jobs or len(os.sched_getaffinity(0)), advance)
        write_rows(folder, "findings", finding_rows(setting, report.findings))
        with new_database(folder) as connection:
            create(connection)
            fill(connection, folder)
            fill_simulations(connection, found)
            derive(connection)
            hash_tables(connection)
            errors = report.count(Level.ERROR)
            connection.execute(
                "INSERT INTO warehouse VALUES (?, ?, ?, ?)", [LAYOUT, digest, errors > 0, _version()]
            )
            counted = connection.execute("SELECT count(*) FROM results").fetchone()
        put_in_place(folder, out)
    results = counted[0] if counted else 0
    return Built(False, len(entries), results, errors, time.perf_counter() - started)


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
