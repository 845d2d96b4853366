"""`tools init`: an empty ledger, and what it refuses to touch."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from scratch import Scratch

from tools.records.catalog import FOLDERS


def test_an_empty_ledger_is_clean_and_takes_its_first_record(tools, tmp_path: Path) -> None:
    root = tmp_path / "deep" / "ours"
    assert tools("init", root).returncode == 0
    assert tools("validate", "--strict", "--root", root).returncode == 0
    # Found from below, without being named.
    assert tools("validate", cwd=root / "data" / "models").returncode == 0
    flags = ("--set", "/title=A run", "--set", "/type=private_run", "--by", "ana")
    assert tools("new", "source", "our-run", *flags, cwd=root).returncode == 0
    assert tools("fmt", "--check", "--root", root).returncode == 0
    done = tools("validate", "--strict", "--format", "json", "--root", root)
    assert json.loads(done.stdout)["summary"]["records"] == 1


def test_git_carries_it(tools, tmp_path: Path) -> None:
    tools("init", tmp_path / "ours")
    repository = Scratch.start(tmp_path / "ours")
    repository.commit()
    clone = repository.clone(tmp_path / "clone")
    assert tools("validate", "--root", clone.root).returncode == 0
    assert tools("validate", "--base", "HEAD", "--root", clone.root).returncode == 0
    assert clone.git("status", "--porcelain", "--ignored") in ("", "!! .cache/")


def test_a_folder_that_git_left_out_is_made_for_its_first_record(tools, tmp_path: Path) -> None:
    tools("init", tmp_path)
    (tmp_path / "data" / "sources" / ".gitkeep").unlink()
    (tmp_path / "data" / "sources").rmdir()
    flags = ("--set", "/title=A run", "--set", "/type=private_run", "--by", "ana")
    assert tools("new", "source", "our-run", *flags, "--root", tmp_path).returncode == 0


def test_editors_find_a_schema_for_every_folder(tools, tmp_path: Path) -> None:
    tools("init", tmp_path)
    associated = json.loads((tmp_path / ".vscode" / "settings.json").read_text())["yaml.schemas"]
    assert sorted(associated.values()) == sorted(f"data/{folder}/*.yaml" for folder in FOLDERS.values())
    for name in associated:
        jsonschema.Draft202012Validator.check_schema(json.loads((tmp_path / name).read_text()))


def test_what_is_there_stays(tools, tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("mine")
    (tmp_path / ".gitignore").write_text("build/\n")
    (tmp_path / "data").mkdir()
    done = tools("init", tmp_path)
    assert done.returncode == 0
    assert (tmp_path / "README.md").read_text() == "mine"
    assert "README.md is there" in done.stderr
    assert "add .cache/" in done.stderr


@pytest.mark.parametrize("inside", ["data/models/a.yaml", "data/notes.txt", "data"])
def test_a_ledger_and_other_data_are_refused(tools, tmp_path: Path, inside: str) -> None:
    path = tmp_path / inside
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("mine")
    done = tools("init", tmp_path)
    assert done.returncode == 2
    assert sorted(tmp_path.rglob("*")) == sorted({path, *path.parents} - {tmp_path, *tmp_path.parents})


def test_a_file_is_no_folder(tools, tmp_path: Path) -> None:
    (tmp_path / "ours").write_text("mine")
    assert "not a folder" in tools("init", tmp_path / "ours").stderr
    assert tools("init", tmp_path / "ours" / "below").returncode == 2


def test_a_dry_run_writes_nothing(tools, tmp_path: Path) -> None:
    done = tools("init", tmp_path / "ours", "--dry-run")
    assert "would write data/benchmarks/.gitkeep" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_the_repository_has_its_settings_for_editors(tools, tmp_path: Path) -> None:
    tools("init", tmp_path)
    ours = Path(__file__).parents[2] / ".vscode" / "settings.json"
    assert ours.read_text() == (tmp_path / ".vscode" / "settings.json").read_text()
