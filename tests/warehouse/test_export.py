"""What other programs are given: the same rows in both formats, and metadata that fits the files."""

from __future__ import annotations

import csv
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tools.cli.app import run

URL = "https://example.org/ledger"
INTEROP = Path(__file__).resolve().parents[2] / ".cache" / "interop"
CROISSANT = """
import json, sys
import mlcroissant
found = mlcroissant.Dataset(jsonld=sys.argv[1])
issues = found.metadata.issues
records = [row["results/record_id"].decode() for row in found.records("results")]
print(json.dumps({"errors": sorted(issues.errors), "warnings": sorted(issues.warnings), "records": records}))
"""
FRICTIONLESS = """
import json, sys
import frictionless
report = frictionless.Package(sys.argv[1]).validate()
print(json.dumps({"is_valid": report.valid, "faults": report.flatten(["title", "message"])[:5]}))
"""


@pytest.fixture(scope="module")
def own(database: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy that no other connection of this process has open with other settings."""
    place = tmp_path_factory.mktemp("own") / "ledger.duckdb"
    place.write_bytes(database.read_bytes())
    return place


@pytest.fixture(scope="module")
def exported(own: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("export") / "ledger"
    assert run(["export", str(out), "--url", URL, "--warehouse", str(own)]) == 0
    return out


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def test_every_table_in_both_formats(exported: Path, warehouse: duckdb.DuckDBPyConnection) -> None:
    names = [row[0] for row in warehouse.execute("SELECT table_name FROM duckdb_tables()").fetchall()]
    assert {path.stem for path in (exported / "tables").glob("*.parquet")} == set(names)
    for name in names:
        rows = warehouse.execute(f"SELECT count(*) FROM {name}").fetchone()
        parquet = duckdb.read_parquet(str(exported / "tables" / f"{name}.parquet"))
        with (exported / "tables" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            head, *lines = csv.reader(file)
        assert head == parquet.columns
        assert (len(lines),) == rows == parquet.count("*").fetchone()


def test_the_data_package_fits_its_files(exported: Path) -> None:
    package = read(exported / "datapackage.json")
    assert package["homepage"] == URL
    for resource in package["resources"]:
        content = (exported / resource["path"]).read_bytes()
        assert resource["bytes"] == len(content)
        assert resource["hash"] == f"sha256:{hashlib.sha256(content).hexdigest()}"
        head = content.decode().partition("\n")[0].split(",")
        assert [field["name"] for field in resource["schema"]["fields"]] == head
        assert all(field["description"] for field in resource["schema"]["fields"])


def test_croissant_fits_its_files(exported: Path) -> None:
    told = read(exported / "croissant.json")
    for file in told["distribution"]:
        content = (exported / file["contentUrl"]).read_bytes()
        assert file["sha256"] == hashlib.sha256(content).hexdigest()
    for records in told["recordSet"]:
        columns = duckdb.read_parquet(str(exported / "tables" / f"{records['name']}.parquet")).columns
        assert [field["name"] for field in records["field"]] == columns


def test_the_changes_of_values(exported: Path) -> None:
    with (exported / "value_changes.csv").open(encoding="utf-8", newline="") as file:
        changes = [
            (row["record_id"], row["path"], row["before_json"], row["after_json"])
            for row in csv.DictReader(file)
        ]
    assert ("corrected", "/results/0/value", "150", "120") in changes


def read_with(program: str, description: Path) -> dict[str, Any]:
    """What a program finds that reads an export with the modules that `make test` installs apart."""
    if not INTEROP.is_dir():
        pytest.skip("`make test` installs the programs that read an export")
    done = subprocess.run(
        [sys.executable, "-c", program, str(description)],
        env={**os.environ, "PYTHONPATH": str(INTEROP)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_mlcroissant_reads_it(exported: Path) -> None:
    found = read_with(CROISSANT, exported / "croissant.json")
    assert (found["errors"], found["warnings"]) == ([], [])
    assert "corrected" in found["records"]


def test_frictionless_accepts_it(exported: Path) -> None:
    found = read_with(FRICTIONLESS, exported / "datapackage.json")
    assert found["is_valid"], found["faults"]


def test_the_same_again_is_the_same(exported: Path, own: Path, tmp_path: Path) -> None:
    out = tmp_path / "again"
    for _ in range(2):
        assert run(["export", str(out), "--url", URL, "--warehouse", str(own)]) == 0
    for path in sorted(exported.rglob("*.*")):
        assert (out / path.relative_to(exported)).read_bytes() == path.read_bytes(), path.name
    assert [path.name for path in tmp_path.iterdir()] == ["again"]


def test_a_folder_of_somebody_else_is_left_alone(
    own: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    assert run(["export", str(tmp_path), "--warehouse", str(own)]) == 2
    assert "no export" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
