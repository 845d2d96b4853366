"""A build that takes over the rows of unchanged records makes what a whole build makes."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from tests.warehouse.conftest import built

CONFIRMED = """\
  - date: 2026-03-13
    by: second-curator
    action: confirmation
    reason: Read again in the log.
    evidence:
      - {source_id: example-log, locator: line 12}
"""


def tables(path: Path) -> list[tuple[object, ...]]:
    with duckdb.connect(str(path), read_only=True) as connection:
        return connection.execute("FROM table_hashes ORDER BY table_name").fetchall()


def rows(path: Path, query: str) -> list[tuple[object, ...]]:
    with duckdb.connect(str(path), read_only=True) as connection:
        return connection.execute(query).fetchall()


@pytest.fixture
def place(root: Path, database: Path, tmp_path: Path) -> Path:
    """A ledger of its own whose warehouse is current."""
    copy = tmp_path / "ledger"
    shutil.copytree(root, copy)
    shutil.copy(database, out(copy))
    return copy


def out(root: Path) -> Path:
    return root / "ledger.duckdb"


def record(root: Path, name: str) -> Path:
    return root / "data" / "benchmarks" / f"{name}.yaml"


def replace(root: Path, name: str, old: str, new: str) -> None:
    text = record(root, name).read_text(encoding="utf-8")
    assert old in text
    record(root, name).write_text(text.replace(old, new), encoding="utf-8")


def copy_of(root: Path, name: str, copy: str) -> None:
    record(root, copy).write_text(record(root, name).read_text(encoding="utf-8"), encoding="utf-8")
    replace(root, copy, f"id: {name}", f"id: {copy}")


def change_add_and_remove(root: Path) -> None:
    replace(root, "slow", "value: 100,", "value: 101,")
    copy_of(root, "slow", "slow-again")
    record(root, "power").unlink()
    with record(root, "corrected").open("a", encoding="utf-8") as file:
        file.write(CONFIRMED)


def cause_a_finding_elsewhere(root: Path) -> None:
    """The finding is in a record whose file stays as it is."""
    copy_of(root, "many", "less")
    replace(root, "less", "concurrency: 64", "concurrency: 63")
    replace(root, "less", "value: 900,", "value: 1150,")


def drop_the_twins(root: Path) -> None:
    (root / "generated" / "twins" / "twins.parquet").unlink()


def test_a_moved_ledger_has_a_current_warehouse(place: Path) -> None:
    assert built(place, out(place)).is_current


@pytest.mark.parametrize(
    ("change", "read"), [(change_add_and_remove, 3), (cause_a_finding_elsewhere, 2), (drop_the_twins, 0)]
)
def test_the_same_as_a_whole_build(
    place: Path, tmp_path: Path, change: Callable[[Path], None], read: int
) -> None:
    before = tables(out(place))
    change(place)
    done = built(place, out(place))
    assert done.changed == read
    whole = tmp_path / "whole.duckdb"
    assert built(place, whole).changed == done.records
    assert tables(out(place)) == tables(whole) != before
    listed = "FROM results SELECT record_id, result_index"
    assert rows(out(place), listed) == rows(whole, listed)


@pytest.mark.parametrize("spoilt", ["program_digest = 'other'", "has_errors = true"])
def test_nothing_is_taken_over_from_another_program_or_from_errors(place: Path, spoilt: str) -> None:
    with duckdb.connect(str(out(place))) as connection:
        connection.execute(f"UPDATE warehouse SET {spoilt}")
    replace(place, "slow", "value: 100,", "value: 101,")
    done = built(place, out(place))
    assert done.changed == done.records


def test_nothing_is_taken_over_into_a_ledger_with_errors(place: Path) -> None:
    replace(place, "slow", "unit: tok/s", "unit: ms")
    done = built(place, out(place), allow_errors=True)
    assert done.errors
    assert done.changed == done.records


def test_a_damaged_warehouse_is_built_anew(place: Path) -> None:
    content = bytearray(out(place).read_bytes())
    middle = len(content) // 2
    content[middle:] = bytes(len(content) - middle)
    out(place).write_bytes(content)
    replace(place, "slow", "value: 100,", "value: 101,")
    built(place, out(place))
    assert rows(out(place), "SELECT value FROM results WHERE record_id = 'slow' AND result_index = 0") == [
        (101.0,)
    ]
