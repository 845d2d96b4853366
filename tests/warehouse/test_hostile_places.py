"""Where a warehouse, an export, a table or a drawing is written: what stands there, and what goes wrong meanwhile."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.warehouse.conftest import built, write_sweep
from tools.cli.app import run
from tools.errors import ToolsError
from tools.warehouse import export as exporting
from tools.warehouse.export import export
from tools.warehouse.interrupts import interruptible


def tree(folder: Path) -> dict[str, bytes | None]:
    """Everything below a folder, hidden files too, with the content of files."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() and not path.is_fifo() else None
        for path in sorted(folder.rglob("*"))
    }


def hashes(path: Path) -> list[tuple[object, ...]]:
    with duckdb.connect(str(path), read_only=True) as connection:
        return connection.execute("FROM table_hashes ORDER BY table_name").fetchall()


@pytest.fixture
def own(database: Path, tmp_path: Path) -> Path:
    """A warehouse of its own, in a folder of its own."""
    place = tmp_path / "own" / "ledger.duckdb"
    place.parent.mkdir()
    shutil.copy(database, place)
    return place


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_loop(path: Path) -> None:
    path.symlink_to(path.name)


def a_folder(path: Path) -> None:
    path.mkdir()
    (path / "mine.txt").write_text("mine", encoding="utf-8")


def another_file(path: Path) -> None:
    path.write_text("id: mine\n", encoding="utf-8")


@pytest.mark.parametrize("make", [a_pipe, a_loop, a_folder, another_file])
def test_what_is_no_warehouse_is_not_replaced_by_one(
    root: Path, tmp_path: Path, make: Callable[[Path], None]
) -> None:
    make(tmp_path / "mine.yaml")
    before = tree(tmp_path)
    with pytest.raises(ToolsError, match=r"is a folder|is no file|leads to itself|is no warehouse"):
        built(root, tmp_path / "mine.yaml")
    assert tree(tmp_path) == before


def test_a_protected_warehouse_is_not_replaced(
    root: Path, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own.write_bytes(b"")
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(ToolsError, match="write-protected"):
        built(root, own)
    assert own.read_bytes() == b""


def test_a_link_stays_one_and_a_mode_is_kept(root: Path, tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    target, link = tmp_path / "far" / "ledger.duckdb", tmp_path / "link.duckdb"
    target.write_bytes(b"")
    target.chmod(0o600)
    link.symlink_to(target)
    built(root, link)
    assert link.is_symlink()
    assert target.stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["far", "ledger.duckdb", "link.duckdb"]


UNMERGED = """
import duckdb, os, sys
connection = duckdb.connect(sys.argv[1])
connection.execute("UPDATE results SET value = 999999")
os._exit(0)
"""


def test_changes_that_were_not_merged_into_the_old_file_do_not_reach_the_new_one(
    root: Path, own: Path
) -> None:
    whole = hashes(own)
    subprocess.run([sys.executable, "-c", UNMERGED, str(own)], check=True)
    log = own.with_name(f"{own.name}.wal")
    assert log.is_file()
    assert not built(root, own).is_current
    assert not log.exists()
    with duckdb.connect(str(own), read_only=True) as connection:
        assert connection.execute("SELECT max(value) < 999999 FROM results").fetchall() == [(True,)]
    assert hashes(own) == whole


@pytest.mark.parametrize(
    "change", ["UPDATE results SET value = value + 1", "DELETE FROM citations", "DELETE FROM table_hashes"]
)
def test_a_file_that_was_edited_by_hand_is_neither_current_nor_taken_over(
    root: Path, own: Path, change: str
) -> None:
    whole = hashes(own)
    with duckdb.connect(str(own)) as connection:
        connection.execute(change)
    done = built(root, own)
    assert not done.is_current
    assert done.changed == done.records
    assert hashes(own) == whole


def test_folders_may_have_names_that_are_patterns(root: Path, tmp_path: Path) -> None:
    place = tmp_path / "ledger [1]*"
    shutil.copytree(root, place, ignore=shutil.ignore_patterns("generated", ".cache"))
    for name, speedup in (("a*b[c]", 1.5), ("axbc", 2.5)):
        write_sweep(place, name, f"SELECT {speedup}::DOUBLE AS speedup", {})
    built(place, place / "ledger.duckdb")
    with duckdb.connect(str(place / "ledger.duckdb"), read_only=True) as connection:
        found = connection.execute("SELECT sweep_id, speedup FROM simulated ORDER BY 1").fetchall()
    assert found == [("a*b[c]", 1.5), ("axbc", 2.5)]


def test_a_place_that_the_database_cannot_name_is_told(root: Path, tmp_path: Path) -> None:
    with pytest.raises(ToolsError, match="cannot write"):
        built(root, tmp_path / "what?" / "ledger.duckdb")
    assert list((tmp_path / "what?").iterdir()) == []


@pytest.mark.parametrize("name", ["results.parquet", "manifest.json"])
def test_a_simulation_that_is_no_file_is_refused_and_not_waited_for(
    root: Path, tmp_path: Path, name: str
) -> None:
    place = tmp_path / "ledger"
    shutil.copytree(root, place, ignore=shutil.ignore_patterns("generated", ".cache"))
    write_sweep(place, "one", "SELECT 1.5 AS speedup", {})
    path = place / "generated" / "sweeps" / "one" / name
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(ToolsError, match="is no file"):
        built(place, place / "ledger.duckdb")


def test_half_a_character_in_a_manifest_is_told(root: Path, tmp_path: Path) -> None:
    place = tmp_path / "ledger"
    shutil.copytree(root, place, ignore=shutil.ignore_patterns("generated", ".cache"))
    write_sweep(place, "one", "SELECT 1.5 AS speedup", {"title": "\ud800"})
    with pytest.raises(ToolsError, match=r"cannot read .*manifest\.json"):
        built(place, place / "ledger.duckdb")


def test_spellings_are_a_part_of_what_is_built_from(root: Path, tmp_path: Path) -> None:
    place = tmp_path / "ledger"
    shutil.copytree(root, place, ignore=shutil.ignore_patterns("generated", ".cache"))
    out = place / "ledger.duckdb"
    built(place, out)
    assert built(place, out).is_current
    (place / "data" / "aliases.csv").write_text(
        "kind,alias,id\nmodel,Example Seven,example-7b\n", encoding="utf-8"
    )
    assert not built(place, out).is_current


@pytest.fixture
def exported(own: Path, tmp_path: Path) -> Path:
    export(own, tmp_path / "export")
    return tmp_path / "export"


def a_file_of_mine(folder: Path) -> None:
    (folder / "notes.txt").write_text("mine", encoding="utf-8")


def a_repository(folder: Path) -> None:
    (folder / ".git").mkdir()


def a_table_of_mine(folder: Path) -> None:
    (folder / "tables" / "mine.xlsx").write_bytes(b"mine")


def another_package(folder: Path) -> None:
    (folder / "datapackage.json").write_text(json.dumps({"name": "another"}), encoding="utf-8")


def no_package(folder: Path) -> None:
    (folder / "datapackage.json").write_text("[" * 100_000, encoding="utf-8")


@pytest.mark.parametrize("add", [a_file_of_mine, a_repository, a_table_of_mine, another_package, no_package])
def test_an_export_with_anything_else_in_it_is_left_alone(
    own: Path, exported: Path, add: Callable[[Path], None]
) -> None:
    add(exported)
    before = tree(exported.parent)
    with pytest.raises(ToolsError, match="is no export"):
        export(own, exported)
    assert tree(exported.parent) == before


@pytest.mark.parametrize("make", [a_pipe, a_loop, another_file])
def test_an_export_replaces_nothing_but_a_folder(
    own: Path, tmp_path: Path, make: Callable[[Path], None]
) -> None:
    make(tmp_path / "mine")
    before = tree(tmp_path)
    with pytest.raises(ToolsError, match="is no export"):
        export(own, tmp_path / "mine")
    assert tree(tmp_path) == before


def test_a_link_to_an_export_stays_one(own: Path, exported: Path) -> None:
    link = exported.with_name("link")
    link.symlink_to(exported)
    export(own, link)
    assert link.is_symlink()
    assert sorted(path.name for path in exported.parent.iterdir()) == ["export", "link", "own"]


def test_what_a_killed_export_left_is_put_in_order(own: Path, exported: Path) -> None:
    place = exported.parent
    (place / ".export.0123abcd.writing" / "tables").mkdir(parents=True)
    exported.rename(place / ".export.0123abcd.before")
    with pytest.raises(ToolsError, match="there is no warehouse"):
        export(place / "none.duckdb", exported)
    export(own, exported)
    assert sorted(path.name for path in place.iterdir()) == ["export", "own"]


@pytest.mark.parametrize("fault", [KeyboardInterrupt(), OSError(28, "No space left on device")])
def test_an_export_that_is_stopped_leaves_the_old_one(
    own: Path, exported: Path, monkeypatch: pytest.MonkeyPatch, fault: BaseException
) -> None:
    before = tree(exported.parent)

    def stop(*_: object) -> Any:
        raise fault

    monkeypatch.setattr(exporting, "croissant", stop)
    with pytest.raises((KeyboardInterrupt, ToolsError)):
        export(own, exported)
    assert tree(exported.parent) == before


@contextmanager
def short_files() -> Iterator[None]:
    """No file may grow beyond 1 KiB, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize(
    "words",
    [
        ("query", "gaps", "--format", "parquet", "--out", "{}/own/old.parquet"),
        ("query", "gaps", "--format", "json", "--out", "{}/own/old.json"),
        ("plot", "break-even", "--out", "{}/own/old.point"),
        ("export", "{}/own/export"),
    ],
)
def test_a_full_disk_is_told_and_leaves_what_was_there(
    own: Path, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    for suffix in ("parquet", "json", "point.png", "point.svg"):
        (own.parent / f"old.{suffix}").write_bytes(b"old")
    before = tree(own.parent)
    with short_files():
        code = run([word.format(own.parent.parent) for word in words] + ["--warehouse", str(own)])
    assert code == 2
    assert "error: cannot write" in capsys.readouterr().err
    assert tree(own.parent) == before


@pytest.mark.parametrize("out", ["none/x.parquet", "own"])
def test_parquet_that_cannot_be_written_is_told(
    own: Path, out: str, capsys: pytest.CaptureFixture[str]
) -> None:
    place = own.parent.parent
    before = tree(place)
    words = ["query", "gaps", "--format", "parquet", "--out", str(place / out), "--warehouse", str(own)]
    assert run(words) == 2
    assert "cannot write" in capsys.readouterr().err
    assert tree(place) == before


def test_a_drawing_may_have_dots_in_its_name(own: Path) -> None:
    assert run(["plot", "break-even", "--out", str(own.parent / "llama-3.1"), "--warehouse", str(own)]) == 0
    assert sorted(path.name for path in own.parent.iterdir()) == [
        "ledger.duckdb",
        "llama-3.1.png",
        "llama-3.1.svg",
    ]


@pytest.mark.parametrize(
    "words",
    [("query", "gaps"), ("compare", "slow", "many"), ("export", "{}/export"), ("plot", "break-even")],
)
def test_a_file_that_lacks_what_is_asked_says_so(
    tmp_path: Path, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "ledger.duckdb"
    with duckdb.connect(str(place)) as connection:
        connection.execute("CREATE TABLE warehouse AS SELECT 1 AS layout")
    assert run([word.format(tmp_path) for word in words] + ["--warehouse", str(place)]) == 2
    said = capsys.readouterr().err
    assert "`tools build` writes it anew" in said
    assert [path.name for path in tmp_path.iterdir()] == ["ledger.duckdb"]


def test_ctrl_c_while_the_database_is_at_work_is_an_interrupt() -> None:
    # What DuckDB's client raises then; sent to a process at a given moment it would come now and then elsewhere.
    with pytest.raises(KeyboardInterrupt), interruptible():
        raise RuntimeError("Query interrupted")
    with pytest.raises(RuntimeError, match="else"), interruptible():
        raise RuntimeError("something else")
