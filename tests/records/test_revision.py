"""Git asked for facts: which commit, which files, which bytes; in every state a clone can be in."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

import pytest
from scratch import Scratch

from tools.errors import ToolsError
from tools.records.revision import Repository

A, B, C = "data/models/a.yaml", "data/models/b.yaml", "data/models/c.yaml"


@pytest.fixture
def repository(tmp_path: Path) -> Scratch:
    """`main` with three files, committed once."""
    scratch = Scratch.start(tmp_path / "ledger")
    for path in (A, B, C):
        scratch.write(path, f"id: {Path(path).stem}\n")
    scratch.write("README.md", "a ledger\n")
    scratch.commit()
    return scratch


def changed(scratch: Scratch, ref: str = "main") -> set[str]:
    found = Repository(scratch.root)
    return found.changed(found.commit(ref))


@pytest.mark.parametrize("ref", ["main", "HEAD", "v1", "main~0", "refs/heads/main", "HEAD^{commit}", "@"])
def test_what_names_a_commit(repository: Scratch, ref: str) -> None:
    repository.git("tag", "--annotate", "--message", "first", "v1")
    assert Repository(repository.root).commit(ref) == repository.git("rev-parse", "HEAD")


@pytest.mark.parametrize(
    "ref",
    [
        "nowhere",
        "",
        "-h",
        "--all",
        "--output=x",
        "main..HEAD",
        "a\0b",
        "a\nb",
        "main:README.md",
        "$(id)",
        "0" * 40,
    ],
)
def test_what_names_none(repository: Scratch, ref: str) -> None:
    with pytest.raises(ToolsError, match="names no commit") as caught:
        Repository(repository.root).commit(ref)
    assert "git fetch" in caught.value.hint
    assert not (repository.root / "x").exists()


@pytest.mark.parametrize(
    ("ref", "fetching"),
    [
        ("origin/main", "git fetch origin main:refs/remotes/origin/main"),
        ("refs/remotes/origin/fix/it", "git fetch origin fix/it:refs/remotes/origin/fix/it"),
        ("origin/main~3", "git fetch origin main:refs/remotes/origin/main"),
        ("release", "git fetch origin release"),
        ("0123456789abcdef", "git fetch origin"),
        ("$(touch x)", "git fetch origin"),
        ("upstream/main", "git fetch origin upstream/main"),
    ],
)
def test_a_missing_ref_is_told_how_to_fetch_it(repository: Scratch, ref: str, fetching: str) -> None:
    repository.git("remote", "add", "origin", "https://git.invalid/ledger")
    with pytest.raises(ToolsError) as caught:
        Repository(repository.root).commit(ref)
    assert f"`{fetching}`" in caught.value.hint


def test_a_folder_without_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(ToolsError, match="not in a git repository"):
        Repository(tmp_path)


def test_git_is_not_installed(repository: Scratch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(ToolsError, match="git is not installed"):
        Repository(repository.root)


def test_a_repository_without_a_commit(tmp_path: Path) -> None:
    with pytest.raises(ToolsError, match="no commit yet"):
        Repository(Scratch.start(tmp_path / "new").root).base("HEAD")


def test_the_base_is_where_the_branch_left(repository: Scratch) -> None:
    start = repository.git("rev-parse", "HEAD")
    repository.git("switch", "--quiet", "--create", "topic")
    repository.write(A, "id: other\n")
    topic = repository.commit()
    repository.git("switch", "--quiet", "main")
    repository.write(B, "id: other\n")
    repository.commit()
    repository.git("switch", "--quiet", "--detach", topic)
    found = Repository(repository.root)
    assert found.base("main") == start
    assert changed(repository, start) == {A}
    repository.git("merge", "--quiet", "--message", "both", "main")
    assert found.base("main") == repository.git("rev-parse", "main")
    assert changed(repository, "main") == {A}


def test_histories_that_never_met(repository: Scratch) -> None:
    repository.git("switch", "--quiet", "--orphan", "island")
    repository.commit()
    with pytest.raises(ToolsError, match="no commit in common"):
        Repository(repository.root).base("main")


def test_a_shallow_clone_is_told_what_to_fetch_and_that_mends_it(repository: Scratch, tmp_path: Path) -> None:
    start = repository.git("rev-parse", "HEAD")
    repository.git("switch", "--quiet", "--create", "topic")
    repository.write(A, "id: other\n")
    repository.commit()
    repository.git("switch", "--quiet", "main")
    repository.write(B, "id: other\n")
    repository.commit()
    shallow = repository.clone(tmp_path / "shallow", "--depth=1", "--branch=topic")
    found = Repository(shallow.root)
    assert found.is_shallow
    with pytest.raises(ToolsError, match="names no commit") as missing:
        found.base("origin/main")
    call = "git fetch --unshallow origin main:refs/remotes/origin/main"
    assert f"`{call}`" in missing.value.hint
    shallow.git("fetch", "--quiet", "--depth=1", "origin", "main:refs/remotes/origin/main")
    with pytest.raises(ToolsError, match="fetched in part") as apart:
        found.base("origin/main")
    assert "`git fetch --unshallow origin main`" in apart.value.hint
    shallow.git(*shlex.split(call)[1:])
    assert found.base("origin/main") == start
    assert changed(shallow, found.base("origin/main")) == {A}


def test_files_and_contents_of_a_commit(repository: Scratch) -> None:
    repository.write("data/models/empty.yaml", "")
    (repository.root / "data/models/link.yaml").symlink_to("a.yaml")
    commit = repository.commit()
    found = Repository(repository.root)
    files = found.files(commit)
    assert set(files) == {A, B, C, "data/models/empty.yaml", "data/models/link.yaml"}
    assert [path for path, blob in files.items() if not blob.is_ordinary] == ["data/models/link.yaml"]
    contents = found.contents(files.values())
    assert contents[files[A].oid] == b"id: a\n"
    assert contents[files["data/models/empty.yaml"].oid] == b""
    assert found.contents([]) == {}


def test_content_that_was_not_fetched(repository: Scratch) -> None:
    found = Repository(repository.root)
    blob = found.files("HEAD")[A]
    (repository.root / ".git/objects" / blob.oid[:2] / blob.oid[2:]).unlink()
    with pytest.raises(ToolsError, match="does not have the content"):
        found.contents([blob])


def test_every_way_in_which_a_file_differs(repository: Scratch) -> None:
    assert changed(repository) == set()
    repository.write(A, "id: edited\n")
    (repository.root / B).rename(repository.root / "data/models/renamed.yaml")
    repository.write("data/models/new.yaml", "id: new\n")
    repository.write(".gitignore", "ignored.yaml\n")
    repository.write("data/models/ignored.yaml", "id: ignored\n")
    repository.write("docs/other.md", "not a record\n")
    expected = {A, B, *(f"data/models/{name}.yaml" for name in ("renamed", "new", "ignored"))}
    assert changed(repository) == expected
    repository.git("add", "--all")
    assert changed(repository) == expected


def test_a_file_the_index_lost_is_still_compared(repository: Scratch) -> None:
    repository.git("rm", "--quiet", "--cached", A)
    repository.write(A, "id: edited\n")
    repository.write("data/models/new.yaml", "id: new\n")
    repository.git("add", "--intent-to-add", "data/models/new.yaml")
    assert changed(repository) == {A, "data/models/new.yaml"}


def test_an_edit_the_index_was_told_to_overlook(repository: Scratch) -> None:
    repository.git("update-index", "--assume-unchanged", A)
    repository.git("update-index", "--skip-worktree", B)
    repository.write(A, "id: edited\n")
    repository.write(B, "id: edited\n")
    assert changed(repository) == {A, B}


def test_a_sparse_checkout_is_no_deletion(repository: Scratch) -> None:
    repository.write("data/engines/e.yaml", "id: e\n")
    repository.commit()
    repository.git("sparse-checkout", "set", "data/engines")
    assert not (repository.root / A).exists()
    assert changed(repository) == set()


def test_a_merge_in_conflict(repository: Scratch) -> None:
    repository.git("switch", "--quiet", "--create", "topic")
    repository.write(A, "id: one\n")
    repository.commit()
    repository.git("switch", "--quiet", "main")
    repository.write(A, "id: other\n")
    repository.commit()
    repository.git("merge", "topic", fails=True)
    assert changed(repository) == {A}


NAMES = [
    "new\nline.yaml",
    'quo"te.yaml',
    "-rf.yaml",
    ":(glob)*.yaml",
    "größe.yaml",
    "tab\there.yaml",
    " .yaml",
    "*.yaml",
]


def test_hostile_names(repository: Scratch) -> None:
    start = repository.git("rev-parse", "HEAD")
    names = {f"data/models/{name}" for name in NAMES}
    for name in names:
        repository.write(name, "id: x\n")
    latin = os.fsdecode(b"data/models/gr\xf6\xdfe.yaml")
    (repository.root / latin).write_text("id: x\n")
    assert changed(repository, start) == {*names, latin}
    commit = repository.commit()
    assert changed(repository, start) == {*names, latin}
    found = Repository(repository.root)
    files = found.files(commit)
    assert set(files) == {A, B, C, *names, latin}
    assert set(found.contents(files.values())) == {blob.oid for blob in files.values()}


def test_settings_of_the_user_change_nothing(repository: Scratch, tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\ntouch {trap}\n")
    script.chmod(0o755)
    for name, value in {
        "diff.renames": "copies",
        "diff.external": str(script),
        "diff.yaml.textconv": str(script),
        "diff.noprefix": "true",
        "diff.orderFile": "/nonexistent",
        "diff.relative": "true",
        "core.fsmonitor": str(script),
        "core.pager": str(script),
        "core.quotePath": "true",
        "color.ui": "always",
        "core.ignoreStat": "true",
    }.items():
        repository.git("config", name, value)
    repository.write(".gitattributes", "*.yaml diff=yaml\n")
    (repository.root / A).rename(repository.root / "data/models/größe.yaml")
    trap.unlink(missing_ok=True)
    assert changed(repository) == {A, "data/models/größe.yaml"}
    assert not trap.exists()


def test_a_ledger_in_a_folder_of_a_larger_repository(tmp_path: Path) -> None:
    whole = Scratch.start(tmp_path / "company")
    whole.write(f"ledger/{A}", "id: a\n")
    whole.write(f"other/{A}", "id: a\n")
    commit = whole.commit()
    whole.write(f"ledger/{A}", "id: edited\n")
    whole.write(f"ledger/{B}", "id: b\n")
    whole.write(f"other/{A}", "id: edited\n")
    found = Repository(whole.root / "ledger")
    assert found.changed(commit) == {A, B}
    assert set(found.files(commit)) == {A}


def test_a_second_worktree_has_files_of_its_own(repository: Scratch, tmp_path: Path) -> None:
    repository.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "second"))
    second = Scratch(tmp_path / "second")
    second.write(A, "id: edited\n")
    assert changed(second) == {A}
    assert changed(repository) == set()


def test_variables_of_a_hook_do_not_name_another_repository(
    repository: Scratch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Scratch.start(tmp_path / "other")
    other.write(A, "id: other\n")
    other.commit()
    repository.write(B, "id: edited\n")
    monkeypatch.setenv("GIT_DIR", str(other.root / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.root))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "no-index"))
    assert changed(repository) == {B}


def test_only_git_is_called_and_never_a_shell(repository: Scratch, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    real = subprocess.run

    def watched(arguments: list[str], **options: object) -> object:
        calls.append((arguments, options))
        return real(arguments, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "run", watched)
    found = Repository(repository.root)
    found.contents(found.files(found.base("main")).values())
    found.changed(found.base("main"))
    assert len(calls) <= 12
    assert all(arguments[0] == "git" and not options.get("shell") for arguments, options in calls)
