"""Ids for editors: written by one call, and kept up to date by the verbs that see new records."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from tools.records.catalog import FOLDERS
from tools.schema.editor_copy import EDITOR, editor_path

SOURCE = ("--set", "/title=A run", "--set", "/type=private_run", "--by", "ana")


def is_offered(root: Path, record_id: str) -> bool:
    schema = json.loads((root / editor_path("benchmark")).read_text())
    branches = schema["$defs"]["record.id.source"]["anyOf"]
    return record_id in branches[0]["enum"] and {} in branches


def test_one_call_writes_them_and_a_second_nothing(tools, ledger: Path) -> None:
    assert tools("generate", "--editor", "--check", "--root", ledger).returncode == 1
    assert not (ledger / EDITOR).exists()
    done = tools("generate", "--editor", "--root", ledger)
    assert done.returncode == 0
    assert [f"written {editor_path(kind)}" in done.stdout for kind in FOLDERS] == [True] * len(FOLDERS)
    assert is_offered(ledger, "example-log")
    assert tools("generate", "--editor", "--root", ledger).stdout == ""
    assert tools("generate", "--editor", "--check", "--root", ledger).returncode == 0
    assert [path.name for path in ledger.iterdir() if path.name not in ("data", ".cache")] == []


def test_a_new_record_is_offered_at_once(tools, ledger: Path) -> None:
    assert tools("new", "source", "our-run", *SOURCE, "--dry-run", "--root", ledger).returncode == 0
    assert not (ledger / EDITOR).exists()
    assert tools("new", "source", "our-run", *SOURCE, "--root", ledger).returncode == 0
    assert is_offered(ledger, "our-run")
    line, _ = (ledger / "data" / "sources" / "our-run.yaml").read_text().split("\n", 1)
    named = line.partition("$schema=")[2]
    assert (ledger / "data" / "sources" / named).resolve() == (ledger / editor_path("source")).resolve()


def test_a_validation_of_the_whole_ledger_takes_up_new_ids(tools, ledger: Path) -> None:
    assert tools("validate", "--root", ledger).returncode == 0
    assert not (ledger / EDITOR).exists()
    tools("generate", "--editor", "--root", ledger)
    log = ledger / "data" / "sources" / "example-log.yaml"
    other = log.with_name("other-log.yaml")
    other.write_text(log.read_text().replace("id: example-log", "id: other-log"))
    tools("validate", other, "--root", ledger)
    assert not is_offered(ledger, "other-log")
    tools("validate", "--root", ledger)
    assert is_offered(ledger, "other-log")


def test_a_validation_does_not_care_whether_it_can_write_them(tools, ledger: Path) -> None:
    (ledger / editor_path("benchmark")).mkdir(parents=True)
    assert tools("validate", "--root", ledger).returncode == 0


def test_an_empty_ledger_starts_with_them(tools, tmp_path: Path) -> None:
    assert tools("init", tmp_path).returncode == 0
    associated = json.loads((tmp_path / ".vscode" / "settings.json").read_text())["yaml.schemas"]
    assert all((tmp_path / name).is_file() for name in associated)
    assert tools("generate", "--editor", "--check", "--root", tmp_path).returncode == 0
    assert tools("new", "source", "our-run", *SOURCE, "--root", tmp_path).returncode == 0
    assert is_offered(tmp_path, "our-run")
    shutil.rmtree(tmp_path / ".cache")
    assert tools("generate", "--editor", "--root", tmp_path).returncode == 0
    assert is_offered(tmp_path, "our-run")
