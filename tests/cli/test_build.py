"""`tools build`: what it writes, what it refuses, and that nothing half-written ever lies at its place."""

from __future__ import annotations

import shutil
from pathlib import Path

import duckdb
import pytest

from tests.cli.conftest import CASE_LEDGER, REPOSITORY, Command
from tools.warehouse import build as building
from tools.warehouse.layout import LAYOUT

OUT = Path("generated") / "ledger.duckdb"


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger with its warehouse; building takes a second, so the tests share one."""
    from tools.cli.app import run

    root = tmp_path_factory.mktemp("once") / "ledger"
    shutil.copytree(CASE_LEDGER, root, ignore=shutil.ignore_patterns(".cache", "generated"))
    assert run(["build", "--root", str(root)]) == 0
    return root


@pytest.fixture
def place(once: Path, tmp_path: Path) -> Path:
    """A copy of it for one test."""
    return Path(shutil.copytree(once, tmp_path / "place"))


def answers(database: Path, query: str) -> list[tuple[object, ...]]:
    with duckdb.connect(str(database), read_only=True) as connection:
        return connection.execute(query).fetchall()


def edit(root: Path, record: str, *pairs: tuple[str, str]) -> None:
    path = root / "data" / "benchmarks" / f"{record}.yaml"
    text = path.read_text(encoding="utf-8")
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new, 1)
    path.write_text(text, encoding="utf-8")


def test_it_is_left_alone_when_nothing_changed(tools: Command, once: Path) -> None:
    before = (once / OUT).stat().st_ino, (once / OUT).read_bytes()
    done = tools("build", "--root", once)
    assert done.returncode == 0
    assert done.stdout == ""
    assert f"{once / OUT} is up to date" in done.stderr
    assert ((once / OUT).stat().st_ino, (once / OUT).read_bytes()) == before


def test_a_changed_record_is_built_anew(tools: Command, place: Path) -> None:
    killed = place / "generated" / f".{OUT.name}.0a1b2c3d.building"
    killed.mkdir()
    (killed / "results.000000.ndjson").write_text("{}")
    edit(place, "example-run", ("1998.05", "1998.5"))
    done = tools("build", "--root", place)
    assert done.returncode == 0
    assert "14 records, 3 results" in done.stderr
    value = "SELECT value FROM results WHERE metric = 'tps_aggregate'"
    assert answers(place / OUT, value) == [(1998.5,)]
    assert [path.name for path in (place / "generated").iterdir()] == [OUT.name]


def test_a_ledger_with_errors_is_refused(tools: Command, place: Path) -> None:
    before = (place / OUT).read_bytes()
    edit(place, "example-run", ("unit: tok/s", "unit: ms"))
    done = tools("build", "--root", place)
    assert done.returncode == 2
    assert "the ledger has 1 error, and no warehouse is built from it" in done.stderr
    assert "--allow-errors" in done.stderr
    assert (place / OUT).read_bytes() == before
    assert [path.name for path in (place / "generated").iterdir()] == [OUT.name]


def test_errors_that_are_allowed_mark_the_rows(tools: Command, place: Path) -> None:
    edit(place, "example-run", ("unit: tok/s", "unit: ms"), ("model_id: example-7b", "model_id: example-9b"))
    done = tools("build", "--root", place, "--allow-errors")
    assert done.returncode == 0
    assert "2 errors, see lint_level and findings" in done.stderr
    database = place / OUT
    assert answers(database, "SELECT has_errors FROM warehouse") == [(True,)]
    assert answers(
        database,
        "SELECT record_id, value, unit, filed_value, lint_level FROM results WHERE metric = 'tps_aggregate'",
    ) == [("example-run", None, None, 1998.05, "error")]
    assert answers(
        database, "SELECT lint_level, model_id FROM benchmarks WHERE record_id = 'example-run'"
    ) == [("error", None)]
    assert answers(database, "SELECT rule, result_index FROM findings WHERE level = 'error' ORDER BY 1") == [
        ("metric-unit-incompatible", 0),
        ("unresolved-reference", None),
    ]


NUMBER = "123456789012345678901234567890"
HOSTILE = {
    "no-mapping": b"- 1\n",
    "not-text": b"\xff\xfe\x00",
    "empty": b"",
    "words-for-numbers": b"kind: benchmark\nresults: [{metric: tps_aggregate, value: fast, unit: 7}]\n",
    "lists-for-mappings": b"engine: [1]\nconditions: [1]\nresults: {a: 1}\nabsent: 3\naudit: none\nsources: 1\n",
    "huge": f"results: [{{metric: [1], value: {NUMBER}}}]\nhardware: {{nodes: {NUMBER}}}\n".encode(),
    "null-log": b'audit: [{date: 2026-13-45, changes: [{path: /results/0, to: "\\ud800"}]}, 7]\nabsent: [{}, 1]\n',
}


def test_hostile_files_are_rows_with_errors(tools: Command, place: Path) -> None:
    for name, content in HOSTILE.items():
        (place / "data" / "benchmarks" / f"{name}.yaml").write_bytes(content)
    done = tools("build", "--root", place, "--allow-errors")
    assert done.returncode == 0, done.stderr
    listed = ", ".join(f"'{name}'" for name in HOSTILE)
    found = answers(
        place / OUT, f"SELECT record_id, lint_level FROM benchmarks WHERE record_id IN ({listed})"
    )
    assert sorted(found) == sorted((name, "error") for name in HOSTILE)
    query = "SELECT value, metric FROM results WHERE record_id = 'words-for-numbers'"
    assert answers(place / OUT, query) == [(None, "tps_aggregate")]


def test_a_damaged_file_and_one_of_an_older_layout_are_replaced(tools: Command, place: Path) -> None:
    whole = (place / OUT).read_bytes()
    (place / OUT).write_bytes(whole[: len(whole) // 2])
    assert tools("build", "--root", place).returncode == 0
    assert answers(place / OUT, "SELECT count(*) FROM results") == [(3,)]
    with duckdb.connect(str(place / OUT)) as connection:
        connection.execute("UPDATE warehouse SET layout = 0")
    assert tools("build", "--root", place).returncode == 0
    assert answers(place / OUT, "SELECT layout FROM warehouse") == [(LAYOUT,)]


def test_an_interruption_leaves_the_old_file(
    tools: Command, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = (place / OUT).read_bytes()
    edit(place, "example-run", ("1998.05", "1998.5"))
    monkeypatch.setattr(building, "hash_tables", interrupt)
    assert tools("build", "--root", place).returncode == 130
    assert (place / OUT).read_bytes() == before
    assert [path.name for path in (place / "generated").iterdir()] == [OUT.name]


def test_a_full_disk_is_told(tools: Command, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    edit(place, "example-run", ("1998.05", "1998.5"))
    monkeypatch.setattr(building, "write_records", full)
    done = tools("build", "--root", place)
    assert done.returncode == 2
    assert f"cannot write {place / OUT}: No space left on device" in done.stderr
    assert "--out FILE" in done.stderr


def test_a_place_that_cannot_be_written(tools: Command, once: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = tools("build", "--root", once, "--out", tmp_path / "file" / "ledger.duckdb")
    assert done.returncode == 2
    assert f"cannot write {tmp_path}/file/ledger.duckdb: " in done.stderr
    done = tools("build", "--root", once, "--out", tmp_path)
    assert done.returncode == 2
    assert f"{tmp_path} is a folder" in done.stderr


def test_a_sweep_that_cannot_be_read(tools: Command, place: Path) -> None:
    folder = place / "generated" / "sweeps" / "broken"
    folder.mkdir(parents=True)
    (folder / "results.parquet").write_bytes(b"PAR1 and no more")
    done = tools("build", "--root", place)
    assert done.returncode == 2
    assert f"cannot read {folder / 'results.parquet'}: " in done.stderr
    assert "tools sweep run" in done.stderr


def test_a_folder_that_is_no_ledger(tools: Command, tmp_path: Path) -> None:
    done = tools("build", "--root", tmp_path)
    assert done.returncode == 2
    assert "no ledger at" in done.stderr


def test_the_dictionary_is_current() -> None:
    from tools.warehouse.dictionary import data_dictionary

    page = (REPOSITORY / "docs" / "data-dictionary.md").read_text(encoding="utf-8")
    assert page == data_dictionary()
