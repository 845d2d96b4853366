"""One writer at a time."""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tools.errors import ToolsError
from tools.records.lock import only_writer


def test_a_second_writer_is_told_who_is_in_the_way(tmp_path: Path) -> None:
    with (
        only_writer(tmp_path),
        pytest.raises(ToolsError, match="another command"),
        only_writer(tmp_path, patience=0.05),
    ):
        pytest.fail("two writers")
    with only_writer(tmp_path, patience=0):
        pass
    assert list(tmp_path.iterdir()) == []


def test_given_back_when_the_block_fails(tmp_path: Path) -> None:
    with pytest.raises(KeyError), only_writer(tmp_path):
        raise KeyError
    with only_writer(tmp_path, patience=0):
        pass


def test_a_killed_process_blocks_nobody(tmp_path: Path) -> None:
    code = (
        "import sys, time, pathlib; from tools.records.lock import only_writer\n"
        "with only_writer(pathlib.Path(sys.argv[1])): print('held', flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(ToolsError), only_writer(tmp_path, patience=0):
            pass
        os.kill(holder.pid, signal.SIGKILL)
    with only_writer(tmp_path, patience=5):
        pass


def test_a_file_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(ToolsError, match="No locks"), only_writer(tmp_path):
        pass


def test_no_such_folder(tmp_path: Path) -> None:
    with pytest.raises(ToolsError, match="cannot lock"), only_writer(tmp_path / "none"):
        pass
