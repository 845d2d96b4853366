"""The command as a user runs it: the real entry point, with its output and its exit code."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

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


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """A small ledger of its own, clean, to be broken."""
    shutil.copytree(CASE_LEDGER, tmp_path / "ledger")
    return tmp_path / "ledger"
