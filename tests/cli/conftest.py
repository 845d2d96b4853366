"""The command as a user runs it: the real entry point, with its output and its exit code."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from scratch import Scratch

from tools.cli.app import run

REPOSITORY = Path(__file__).resolve().parents[2]
CASE_LEDGER = REPOSITORY / "tests" / "cases" / "ledger"


class Done(NamedTuple):
    """What a call gave."""

    returncode: int
    stdout: str
    stderr: str


Command = Callable[..., Done]


@pytest.fixture
def tools(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Carry out `tools ...` in a folder (by default the repository), without a new process."""
    monkeypatch.delenv("TOOLS_ROOT", raising=False)

    def call(*arguments: str | Path, cwd: Path = REPOSITORY) -> Done:
        monkeypatch.chdir(cwd)
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        return Done(code, *capsys.readouterr())

    return call


@pytest.fixture(scope="session")
def excerpt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository's ledger with one in a hundred of its imported benchmarks, in a git repository of its own.

    What the command does with all of them is asked by `make check`; here each call has to be quick.
    """
    root = tmp_path_factory.mktemp("excerpt") / "ledger"
    imported = sorted((REPOSITORY / "data" / "benchmarks").iterdir())
    left_out = {
        path.name for n, path in enumerate(imported) if n % 100 and not path.name.startswith("sd-medusa-")
    }
    shutil.copytree(REPOSITORY / "data", root / "data", ignore=lambda _, names: left_out & set(names))
    for folder in ("generated/sweeps", "generated/calibration", "queries", "schemas"):
        shutil.copytree(REPOSITORY / folder, root / folder)
    scratch = Scratch.start(root)
    scratch.write(".gitignore", ".cache/\nbuild/\ngenerated/ledger.duckdb\n")
    scratch.commit("the ledger")
    return root


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """A small ledger of its own, clean, to be broken."""
    shutil.copytree(CASE_LEDGER, tmp_path / "ledger")
    return tmp_path / "ledger"
