"""Replacing a file: the old text or the new one, and nothing else in the folder."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from tools.errors import ToolsError
from tools.records.edit import remove_leftovers, replace_file


def test_creates_and_replaces(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    replace_file(path, "é\n")
    assert path.read_bytes() == "é\n".encode()
    replace_file(path, "a\r\nb\n")
    assert path.read_bytes() == b"a\r\nb\n"
    assert list(tmp_path.iterdir()) == [path]


def test_keeps_the_mode(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text("old")
    path.chmod(0o640)
    replace_file(path, "new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_new_file_has_the_usual_mode(tmp_path: Path) -> None:
    replace_file(tmp_path / "x.yaml", "new")
    (tmp_path / "y.yaml").write_text("usual")
    modes = [path.stat().st_mode for path in sorted(tmp_path.iterdir())]
    assert modes[0] == modes[1]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    target = tmp_path / "real" / "x.yaml"
    target.write_text("old")
    link = tmp_path / "x.yaml"
    link.symlink_to(target)
    replace_file(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


FAILURES = [
    ("full disk", "fsync", errno.ENOSPC, "disk is full"),
    ("quota", "fsync", errno.EDQUOT, "quota"),
    ("read-only disk", "open", errno.EROFS, "read-only"),
    ("no permission", "open", errno.EACCES, "who may write"),
    ("rename refused", "replace", errno.EPERM, "who may write"),
]


@pytest.mark.parametrize(
    ("call", "code", "hint"), [case[1:] for case in FAILURES], ids=[case[0] for case in FAILURES]
)
def test_failures_leave_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, code: int, hint: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(code, os.strerror(code))

    path = tmp_path / "x.yaml"
    path.write_text("old")
    monkeypatch.setattr(os, call, fail)
    with pytest.raises(ToolsError) as caught:
        replace_file(path, "new")
    monkeypatch.undo()
    assert os.strerror(code) in caught.value.message
    assert hint in caught.value.hint
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_an_interruption_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    path = tmp_path / "x.yaml"
    path.write_text("old")
    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        replace_file(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ToolsError) as caught:
        replace_file(tmp_path / "none" / "x.yaml", "new")
    assert "create the folder" in caught.value.hint


def test_a_folder_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").mkdir()
    with pytest.raises(ToolsError):
        replace_file(tmp_path / "x.yaml", "new")
    assert [path.name for path in tmp_path.iterdir()] == ["x.yaml"]


def test_half_a_character(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text("old")
    with pytest.raises(ToolsError):
        replace_file(path, "\ud800")
    assert path.read_text() == "old"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_write_protected(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text("old")
    path.chmod(0o444)
    with pytest.raises(ToolsError):
        replace_file(path, "new")
    path.chmod(0o644)
    tmp_path.chmod(0o555)
    with pytest.raises(ToolsError):
        replace_file(path, "new")
    tmp_path.chmod(0o755)
    assert path.read_text() == "old"


def test_the_longest_name_a_file_can_have(tmp_path: Path) -> None:
    longest = os.pathconf(tmp_path, "PC_NAME_MAX")
    for name in ("x" * (longest - 5), "é" * ((longest - 5) // 2)):
        path = tmp_path / f"{name}.yaml"
        replace_file(path, "old")
        replace_file(path, "new")
        remove_leftovers(path)
        assert path.read_text() == "new"
        assert list(tmp_path.iterdir()) == [path]
        path.unlink()


def test_leftovers_of_this_file_and_of_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def die(*_: object) -> None:
        raise KeyboardInterrupt

    paths = [tmp_path / name for name in ("x.yaml", "x.yaml.yaml", "[x].yaml")]
    monkeypatch.setattr(Path, "replace", die)
    monkeypatch.setattr(Path, "unlink", die)
    for path in paths:
        with pytest.raises(KeyboardInterrupt):
            replace_file(path, "new")
    monkeypatch.undo()
    for left, path in zip((2, 1, 0), paths, strict=True):
        remove_leftovers(path)
        assert len(list(tmp_path.iterdir())) == left
