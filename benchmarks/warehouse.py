"""How fast `tools build` is, and the questions asked of it, beside pandas and sqlite-utils on the same rows in one run.

    python -m benchmarks.warehouse [RECORDS ...]

For each size a ledger is made of perturbed real records (`benchmarks.perturbed`) and validated, so that the build finds
the checks in the cache; then the whole command is timed: changed (everything is built) and unchanged. In this process
the stages follow one by one, with as many workers as there are cores: records into rows, rows into tables with their
keys, hashes. The peers get the very lines of the table `results`: pandas puts them into a frame in memory, and its
frame into SQLite (lists as JSON text, which it cannot store otherwise); sqlite-utils puts them into SQLite. DuckDB's
part of the same work is printed beside them. At last each saved query is asked as `tools query` asks it, with its
defaults or `VALUES`, and each view and macro for all of its rows. Times are those of one run, queries the median of
`RUNS`.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import duckdb

from benchmarks.perturbed import perturbed_ledger
from benchmarks.validate import TOOLS, timed
from tools.checks.rules import RULES
from tools.checks.run import Run
from tools.records.catalog import Catalog
from tools.warehouse.input import digests
from tools.warehouse.load import create, derive, fill, hash_tables
from tools.warehouse.ndjson import files_of, write_records, write_rows
from tools.warehouse.query import answer
from tools.warehouse.query_file import queries
from tools.warehouse.query_parameter import bound
from tools.warehouse.rows.findings import finding_rows
from tools.warehouse.rows.setting import setting_of
from tools.warehouse.rows.vocabulary import rule_rows, vocabulary_rows
from tools.warehouse.sandbox import open_warehouse
from tools.warehouse.storage import new_database

RUNS = 5
VALUES = {
    "may-i-compare": {"a": "sd-medusa-batch1-speedup", "b": "sd-medusa-batch32-degradation"},
    "cheapest-under-ttft": {"prices": "nvidia-h100-sxm-80gb=2.5,nvidia-h200-sxm-141gb=3.5"},
    "three-costs": {"prices": "nvidia-h100-sxm-80gb=2.5,nvidia-h200-sxm-141gb=3.5"},
}
"""Parameters of saved queries that have no answer, or none worth timing, without. The prices are made up."""
CALLS = {
    "as_of": "as_of(DATE '2026-10-06')",
    "comparable": "comparable('sd-medusa-batch1-speedup', 'sd-medusa-batch32-degradation')",
    "roofline": "roofline('nvidia-h100-sxm-80gb', 'llama-3.1-8b', 'fp8')",
}
VIEWS = (
    "runs",
    "value_history",
    "corrections",
    "completeness",
    "frontier",
    "server_vs_offline",
    "break_even",
    "measured_vs_simulated",
)


def seconds_of(work: Callable[[], object]) -> float:
    """Seconds that something takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def commands(root: Path, records: int) -> Path:
    """Time the whole command, start-up included; gives the warehouse."""
    out = root / "generated" / "ledger.duckdb"
    timed([*TOOLS, "validate"], root)
    seconds, peak = timed([*TOOLS, "build", "--allow-errors"], root)
    same, _ = timed([*TOOLS, "build", "--allow-errors"], root)
    with duckdb.connect(str(out), read_only=True) as connection:
        results = count(connection)
    print(f"\n{records:,} records, {results:,} results, {out.stat().st_size / 1e6:,.0f} MB")
    print(
        f"  tools build, validated   {seconds:8.2f} s {results / seconds:12,.0f} results/s   peak {peak:,.0f} MB"
    )
    print(f"  tools build, unchanged   {same:8.2f} s")
    return out


def count(connection: duckdb.DuckDBPyConnection) -> int:
    """The number of results."""
    found = connection.execute("SELECT count(*) FROM results").fetchone()
    assert found is not None
    return int(found[0])


def saved_queries(warehouse: Path) -> None:
    """Time each saved query, without start-up."""
    with open_warehouse(warehouse) as connection:
        for query in queries().values():
            values = bound(query.parameters, VALUES.get(query.name, {}))
            report(f"query {query.name}", lambda: answer(connection, query, values))  # noqa: B023


def views(warehouse: Path) -> None:
    """Time each view and macro."""
    with duckdb.connect(str(warehouse), read_only=True) as connection:
        for name, relation in {**{view: view for view in VIEWS}, **CALLS}.items():
            # Every column is computed, and none is handed over to Python.
            text = f"SELECT bit_xor(hash(t)) FROM {relation} t"
            report(f"view {name}", lambda: connection.execute(text).fetchall())  # noqa: B023


def report(name: str, work: Callable[[], object]) -> None:
    """Print the median time of a piece of work that is done again and again."""
    spent = statistics.median(seconds_of(work) for _ in range(RUNS))
    print(f"  {name:30} {spent * 1000:8.0f} ms")


def stages(root: Path) -> None:
    """Time the stages of a build and, on its lines, the peers."""
    catalog = Catalog(root)
    report = Run(catalog, RULES, date.today()).check(catalog.files())
    setting = setting_of(catalog, report.findings, digests(catalog, [], date.today(), "").of_records)
    entries = sorted(catalog.entries.values(), key=lambda entry: entry.path)
    jobs = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        rows = seconds_of(lambda: write_records(folder, root, setting, entries, jobs, lambda _: None))
        write_rows(folder, "words", vocabulary_rows())
        write_rows(folder, "rules", rule_rows())
        write_rows(folder, "findings", finding_rows(setting, report.findings))
        with new_database(folder) as connection:
            made = seconds_of(lambda: create(connection))
            filled = seconds_of(lambda: fill(connection, folder))
            derived = seconds_of(lambda: derive(connection))
            hashed = seconds_of(lambda: hash_tables(connection))
            results = count(connection)
        spent_by = {
            "records into rows": rows,
            "tables": made,
            "rows into tables": filled,
            "derived tables": derived,
            "hashes": hashed,
        }
        for name, spent in spent_by.items():
            print(f"  stage: {name:17} {spent:8.2f} s {results / spent:12,.0f} results/s")
        peers(files_of(folder, "results"), folder, results)


def peers(files: list[str], folder: Path, results: int) -> None:
    """Time each way to load the lines of the results."""
    ways: dict[str, Callable[[list[str], Path], object]] = {
        "duckdb": in_duckdb,
        "pandas, frame": in_pandas,
        "pandas, SQLite": in_pandas_sqlite,
        "sqlite-utils": in_sqlite,
    }
    for name, load in ways.items():
        started = time.perf_counter()
        load(files, folder / f"{name}.db")
        spent = time.perf_counter() - started
        print(f"  results with {name:15} {spent:8.2f} s {results / spent:12,.0f} results/s")


def in_duckdb(files: list[str], place: Path) -> None:
    """The lines into a DuckDB table with its primary key."""
    with duckdb.connect(str(place)) as connection:
        columns = connection.execute("DESCRIBE SELECT * FROM read_json(?)", [files]).fetchall()
        listed = ", ".join(f'"{name}" {kind}' for name, kind, *_ in columns)
        connection.execute(f"CREATE TABLE results ({listed}, PRIMARY KEY (record_id, result_index))")
        connection.execute("INSERT INTO results SELECT * FROM read_json(?)", [files])


def in_pandas(files: list[str], _: Path) -> Any:
    """The lines into one frame."""
    import pandas

    return pandas.concat(pandas.read_json(file, lines=True) for file in files)


def in_pandas_sqlite(files: list[str], place: Path) -> None:
    """The lines into one frame, and that into SQLite."""
    with sqlite3.connect(place) as connection:
        frame = in_pandas(files, place)
        for name in frame.columns[frame.map(lambda cell: isinstance(cell, list)).any()]:
            frame[name] = frame[name].map(json.dumps, na_action="ignore")
        frame.to_sql("results", connection, index=False)


def in_sqlite(files: list[str], place: Path) -> None:
    """The lines into SQLite, with the primary key."""
    import sqlite_utils

    key = ("record_id", "result_index")
    sqlite_utils.Database(place)["results"].insert_all(_lines(files), pk=key, alter=True)


def _lines(files: list[str]) -> Iterator[dict[str, object]]:
    for file in files:
        with Path(file).open(encoding="utf-8") as stream:
            yield from map(json.loads, stream)


def main() -> None:
    """Run the sizes asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("records", nargs="*", type=int, default=[1_000, 10_000, 100_000])
    for size in parser.parse_args().records:
        with tempfile.TemporaryDirectory() as folder:
            root = perturbed_ledger(Path(folder) / "ledger", size)
            warehouse = commands(root, size)
            stages(root)
            saved_queries(warehouse)
            views(warehouse)


if __name__ == "__main__":
    main()
