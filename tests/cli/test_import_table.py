"""`tools import table` as somebody runs it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.cli.conftest import REPOSITORY, Command
from tools.importers.mapping import read_mapping
from tools.records.catalog import Catalog

MAP = """\
name: small
title: A small table
table: {file: small.csv}
refuse:
  - {when: {state: {not: [ok]}}, reason: the run did not end}
id: "small-{run}"
cite:
  - {source: example-log, locator: "line {row}"}
fields:
  - {field: /title, template: "run {run}"}
  - {field: /evidence, value: measured}
  - {field: /measured_by, value: self}
  - {field: /model_id, column: model, names: model}
results:
  - {metric: tps_aggregate, column: rate, unit: tok/s}
"""
TABLE = "run,model,rate,state\na,example-7b,41.50,ok\nb,example-9b,8,ok\nc,example-7b,,failed\n"


@pytest.fixture
def small(tmp_path: Path) -> list[str | Path]:
    """The arguments of an import."""
    (tmp_path / "small.csv").write_text(TABLE, encoding="utf-8")
    (tmp_path / "small.yaml").write_text(MAP, encoding="utf-8")
    return [tmp_path / "small.csv", "--map", tmp_path / "small.yaml", "--by", "ana", "--date", "2026-06-01"]


def test_records_are_written_and_validate(tools: Command, ledger: Path, small: list) -> None:
    done = tools("import", "table", *small, "--root", ledger)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    told = done.stderr
    assert "3 rows: 2 records imported, written to" in told
    assert "1 x the run did not end (first: row 3)" in told
    assert "1 x model `example-9b`: no record has that name; nearest: `example-7b`" in told
    written = sorted((ledger / "data" / "benchmarks").glob("small-*.yaml"))
    assert [path.name for path in written] == ["small-a.yaml", "small-b.yaml"]
    assert not list((ledger / "data" / "benchmarks").glob(".*"))
    checked = tools("validate", "--no-cache", *written, "--root", ledger)
    assert checked.returncode == 0, checked.stdout
    record = yaml.safe_load(written[0].read_text())
    assert record["audit"][0]["reason"] == "Imported from small.csv by the map small."
    assert (record["audit"][0]["by"], str(record["audit"][0]["date"])) == ("ana", "2026-06-01")


def test_a_second_time_changes_nothing(tools: Command, ledger: Path, small: list) -> None:
    tools("import", "table", *small, "--root", ledger)
    before = {path: path.read_bytes() for path in ledger.rglob("*.yaml")}
    done = tools("import", "table", *small, "--root", ledger)
    assert done.returncode == 0
    assert "0 records imported" in done.stderr
    assert "2 duplicates of records that stand already" in done.stderr
    assert {path: path.read_bytes() for path in ledger.rglob("*.yaml")} == before


def test_to_stdout_and_to_a_folder(tools: Command, ledger: Path, small: list, tmp_path: Path) -> None:
    printed = tools("import", "table", *small, "--root", ledger, "--stdout")
    records = list(yaml.safe_load_all(printed.stdout))
    assert [record["id"] for record in records] == ["small-a", "small-b"]
    assert not list(ledger.rglob("small-*.yaml"))
    done = tools("import", "table", *small, "--root", ledger, "--out", tmp_path / "out", "--limit", "1")
    assert "1 row: 1 record imported" in done.stderr
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["small-a.yaml"]
    assert (tmp_path / "out" / "small-a.yaml").read_text() == printed.stdout.partition("---\n")[0]


def test_a_wrong_map_is_told_by_its_lines(tools: Command, ledger: Path, small: list, tmp_path: Path) -> None:
    wrong = MAP.replace("column: rate", "column: rat").replace("/title", "/titel")
    (tmp_path / "small.yaml").write_text(wrong, encoding="utf-8")
    done = tools("import", "table", *small, "--root", ledger)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[0].startswith(f"{tmp_path / 'small.yaml'}:10:")
    assert "did you mean `title`?" in lines[1]
    assert any(line.startswith(f"{tmp_path / 'small.yaml'}:15:") for line in lines)
    assert "the table has no column `rat`; did you mean `rate`?" in done.stdout
    assert "2 faults of the map" in done.stderr
    assert not list(ledger.rglob("small-*.yaml"))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["missing.csv", "--map", "small.yaml"], "no such file"),
        (["small.csv", "--map", "missing.yaml"], "missing.yaml"),
        (["small.csv"], "--map"),
        (["small.yaml", "--map", "small.yaml"], "no table"),
        (["small.csv", "--map", "small.yaml", "--join", "log"], "is not NAME=FILE"),
        (["small.csv", "--map", "small.yaml", "--date", "2999-01-01"], "has not come yet"),
    ],
)
def test_a_wrong_call_is_told_without_a_traceback(
    tools: Command, ledger: Path, small: list, tmp_path: Path, arguments: list[str], words: str
) -> None:
    assert small
    done = tools("import", "table", *arguments, "--by", "ana", "--root", ledger, cwd=tmp_path)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_a_joined_table_may_lie_elsewhere(tools: Command, ledger: Path, small: list, tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "x.csv").write_text("run,ttft\na,12.5\n", encoding="utf-8")
    joined = MAP.replace("id: ", "joins:\n  - {name: log, file: log.csv, on: {run: run}}\nid: ", 1)
    joined += "  - {metric: ttft_ms, statistic: p99, column: log.ttft, unit: ms}\n"
    (tmp_path / "small.yaml").write_text(joined, encoding="utf-8")
    done = tools(
        "import",
        "table",
        *small,
        "--join",
        f"log={tmp_path / 'logs' / 'x.csv'}",
        "--root",
        ledger,
        "--stdout",
    )
    assert done.returncode == 0, done.stderr
    assert next(yaml.safe_load_all(done.stdout))["results"][1]["value"] == 12.5


def test_help_lists_the_formats_and_loads_no_heavy_library() -> None:
    code = (
        "import sys; from tools.cli.app import run; run(['import', '--help']); "
        "print([name for name in ('duckdb', 'yaml', 'tools.importers.draft', 'rapidfuzz') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "TERM": "dumb"},
    )
    assert "table" in done.stdout
    assert done.stdout.rstrip().endswith("[]")


MAPS = sorted((REPOSITORY / "data" / "imports").glob("*.yaml"))


@pytest.mark.parametrize("path", MAPS, ids=lambda path: path.stem)
def test_every_map_of_the_ledger_fits_the_schema_of_maps(path: Path) -> None:
    mapping = read_mapping(path)
    assert not mapping.faults
    assert mapping.content["name"] == path.stem
    catalog = Catalog(REPOSITORY)
    cited = {word for rule in mapping.content["cite"] for word in _sources(rule["source"], catalog)}
    assert cited
    assert all((entry := catalog.find(name)) is not None and entry.kind == "source" for name in cited)
    for kind, spellings in mapping.content.get("names", {}).items():
        for record_id in filter(None, spellings.values()):
            entry = catalog.find(record_id)
            assert entry is not None, record_id
            assert entry.kind == kind


def _sources(said: str | dict, catalog: Catalog) -> list[str]:
    """The sources that a map cites by name, or that its template can name."""
    if isinstance(said, str):
        return [said]
    if "values" in said:
        return list(said["values"].values())
    pattern = ".+".join(map(re.escape, re.split(r"\{\w+\}", said["template"])))
    return [name for name in catalog.entries if re.fullmatch(pattern, name)]


def test_the_folder_of_maps_holds_no_records(tools: Command, ledger: Path) -> None:
    (ledger / "data" / "imports").mkdir()
    (ledger / "data" / "imports" / "small.yaml").write_text(MAP, encoding="utf-8")
    assert "misplaced-file" not in tools("validate", "--no-cache", "--root", ledger).stdout
    (ledger / "data" / "import").mkdir()
    (ledger / "data" / "import" / "small.yaml").write_text(MAP, encoding="utf-8")
    assert "misplaced-file" in tools("validate", "--no-cache", "--root", ledger).stdout
