"""The file opens in the oldest client that the documentation names; `make test` installs that release apart."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from tools.warehouse.storage import OLDEST_CLIENT

CLIENT = Path(__file__).resolve().parents[2] / ".cache" / "oldest-client"
CALLS = {
    "as_of": "as_of(DATE '2026-03-11')",
    "comparable": "comparable('corrected', 'slow')",
    "common_results": "common_results('corrected', 'slow')",
    "conditions_of": "conditions_of('corrected')",
    "differences": "differences('corrected', 'slow')",
    "roofline": "roofline('example-card-80gb-pcie', 'example-7b', 'fp16')",
}
"""A call of every macro."""
LISTED = """
SELECT table_name FROM duckdb_tables() UNION SELECT view_name FROM duckdb_views() WHERE NOT internal ORDER BY 1
"""
READ = f"""
import json, sys
import duckdb
with duckdb.connect(sys.argv[1], read_only=True) as connection:
    names = [name for (name,) in connection.execute('''{LISTED}''').fetchall()]
    counts = {{
        name: connection.execute(f"SELECT count(*) FROM (SELECT hash(t) FROM {{name}} t)").fetchone()[0]
        for name in [*names, *json.loads(sys.argv[2])]
    }}
print(json.dumps({{"version": duckdb.__version__, "counts": counts}}))
"""
"""A program that counts the rows of every relation and call, each with all of its columns computed."""


def read_with(path: str, database: Path) -> dict[str, object]:
    """What the program finds with the modules of a folder before the installed ones."""
    done = subprocess.run(
        [sys.executable, "-c", READ, str(database), json.dumps(sorted(CALLS.values()))],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_every_macro_is_called(warehouse: duckdb.DuckDBPyConnection) -> None:
    macros = warehouse.execute(
        "SELECT DISTINCT function_name FROM duckdb_functions() "
        "WHERE NOT internal AND function_type = 'table_macro' AND database_name = current_database()"
    ).fetchall()
    assert {name for (name,) in macros} == set(CALLS)


@pytest.mark.skipif(not (CLIENT / "duckdb").is_dir(), reason="`make test` installs the oldest client")
def test_the_oldest_client_reads_every_relation(database: Path) -> None:
    old, new = read_with(str(CLIENT), database), read_with("", database)
    assert str(old["version"]).startswith(f"{OLDEST_CLIENT}.")
    assert str(new["version"]) == duckdb.__version__
    assert old["counts"] == new["counts"]
