"""A ledger that has changed since its warehouse was built is told apart by times alone, and said once."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.warehouse.conftest import CASE_LEDGER, built
from tools.cli.app import run
from tools.warehouse.newer import newer_than
from tools.warehouse.storage import PLACE


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """A ledger of its own with a warehouse that is current."""
    import shutil

    root = tmp_path / "ledger"
    shutil.copytree(CASE_LEDGER, root, ignore=shutil.ignore_patterns(".cache", "generated"))
    (root / "generated" / "sweeps" / "one").mkdir(parents=True)
    (root / "generated" / "twins").mkdir()
    built(root, root / PLACE)
    later(root / PLACE, 10)
    return root


def later(path: Path, seconds: float) -> None:
    """Moves the time of change of a file."""
    moved = path.stat().st_mtime + seconds
    os.utime(path, (moved, moved))


def change(root: Path) -> None:
    later(root / "data" / "models" / "example-7b.yaml", 1e6)


def remove(root: Path) -> None:
    (root / "data" / "sources" / "example-log.yaml").unlink()
    later(root / "data" / "sources", 1e6)


def simulate(root: Path) -> None:
    path = root / "generated" / "sweeps" / "one" / "results.parquet"
    path.touch()
    later(path, 1e6)


def twin(root: Path) -> None:
    path = root / "generated" / "twins" / "twins.parquet"
    path.touch()
    later(path, 1e6)


@pytest.mark.parametrize(
    ("act", "named"),
    [
        (change, "data/models/example-7b.yaml"),
        (remove, "data/sources"),
        (simulate, "generated/sweeps/one/results.parquet"),
        (twin, "generated/twins/twins.parquet"),
    ],
)
def test_what_is_newer(ledger: Path, act: Callable[[Path], None], named: str) -> None:
    assert newer_than(ledger / PLACE, ledger) is None
    act(ledger)
    assert newer_than(ledger / PLACE, ledger) == named


def test_what_no_build_reads(ledger: Path) -> None:
    for path in (ledger / "data" / "models" / ".swap", ledger / "README.md"):
        path.touch()
        later(path, 1e6)
    later(ledger / "data" / "models", -1e6)
    assert newer_than(ledger / PLACE, ledger) is None
    assert newer_than(ledger / "generated" / "none.duckdb", ledger) is None


@pytest.mark.parametrize(
    "words", [("query", "gaps"), ("sql", "SELECT 1"), ("compare", "example-run", "example-run")]
)
def test_it_is_said_on_stderr(
    ledger: Path, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    root = ("--root", str(ledger))
    run([*words, *root])
    assert "has changed" not in capsys.readouterr().err
    change(ledger)
    run([*words, *root])
    said = capsys.readouterr()
    assert said.err.count("note: the ledger has changed since its warehouse was built") == 1
    assert "(data/models/example-7b.yaml); `tools build` renews it" in said.err
    assert "has changed" not in said.out
    # Of a file that is named nobody knows which ledger it belongs to.
    run([*words, *root, "--warehouse", str(ledger / PLACE)])
    assert "has changed" not in capsys.readouterr().err


def test_a_build_ends_it_even_where_nothing_was_to_do(ledger: Path) -> None:
    path = ledger / "data" / "models" / "example-7b.yaml"
    # Written again with the same content, as a checkout does.
    later(ledger / PLACE, -1e6)
    assert newer_than(ledger / PLACE, ledger) is not None
    assert built(ledger, ledger / PLACE).is_current
    assert newer_than(ledger / PLACE, ledger) is None
    # What changes while a build goes on is newer than what it read.
    assert (ledger / PLACE).stat().st_mtime > path.stat().st_mtime
