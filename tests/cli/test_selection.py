"""Which files a call means: nothing that looks like a record is passed over without a word."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]


def told(done) -> list[tuple[str, str]]:
    return [(f["rule"], f["file"]) for f in json.loads(done.stdout)["findings"]]


def test_a_linked_folder_of_records_is_a_finding(tools, ledger: Path) -> None:
    shutil.move(ledger / "data" / "engines", ledger / "elsewhere")
    (ledger / "data" / "engines").symlink_to(ledger / "elsewhere", target_is_directory=True)
    assert ("unreadable-file", "data/engines") in told(
        tools("validate", "--root", ledger, "--format", "json")
    )


def test_a_link_beside_the_folders_is_misplaced(tools, ledger: Path) -> None:
    (ledger / "data" / "more").symlink_to(ledger / "data" / "models", target_is_directory=True)
    assert ("misplaced-file", "data/more") in told(tools("validate", "--root", ledger, "--format", "json"))


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_folder_is_a_finding(tools, ledger: Path) -> None:
    (ledger / "data" / "models").chmod(0)
    try:
        done = tools("validate", "--root", ledger, "--format", "json")
    finally:
        (ledger / "data" / "models").chmod(0o755)
    assert ("unreadable-file", "data/models") in told(done)


def test_a_link_to_a_record_does_not_stand_for_it(tools, ledger: Path) -> None:
    record = ledger / "data" / "benchmarks" / "example-run.yaml"
    record.write_text(record.read_text() + "bogus: 1\n")
    (record.parent / "zzz.yaml").symlink_to("example-run.yaml")
    assert told(tools("validate", record, "--root", ledger, "--format", "json")) == [
        ("schema-violation", "data/benchmarks/example-run.yaml")
    ]


@pytest.mark.parametrize("named", [".", "data", "data/extra", "data/extra/example-run.yaml"])
def test_a_stray_file_in_data_is_misplaced_however_it_is_named(tools, ledger: Path, named: str) -> None:
    (ledger / "data" / "extra").mkdir()
    shutil.copy(ledger / "data" / "benchmarks" / "example-run.yaml", ledger / "data" / "extra")
    done = tools("validate", ledger / named, "--root", ledger, "--format", "json")
    assert done.returncode == 1
    assert told(done) == [("misplaced-file", "data/extra/example-run.yaml")]


@pytest.mark.parametrize("name", [".hidden.yaml", "x.YAML", "x.yml", "..yaml"])
def test_a_name_that_is_not_read_is_misplaced(tools, ledger: Path, name: str) -> None:
    (ledger / "data" / "models" / name).write_text("id: x\n")
    assert told(tools("validate", "--root", ledger, "--format", "json")) == [
        ("misplaced-file", f"data/models/{name}")
    ]


def candidate(folder: Path, ledger: Path, name: str) -> Path:
    folder.mkdir(exist_ok=True)
    text = (ledger / "data" / "benchmarks" / "example-run.yaml").read_text()
    path = folder / f"{name}.yaml"
    path.write_text(text.replace("id: example-run", f"id: {name}"))
    return path


def test_two_candidates_cannot_share_an_id(tools, ledger: Path, tmp_path: Path) -> None:
    first = candidate(tmp_path / "a", ledger, "new-run")
    second = candidate(tmp_path / "b", ledger, "new-run")
    assert tools("validate", first, "--root", ledger).returncode == 0
    done = tools("validate", first, second, "--root", ledger, "--format", "json")
    assert {rule for rule, _ in told(done)} == {"duplicate-id"}


def test_a_candidate_cannot_take_the_id_of_another_kind(tools, ledger: Path, tmp_path: Path) -> None:
    path = candidate(tmp_path / "a", ledger, "example-paper")
    done = tools("validate", path, "--root", ledger, "--format", "json")
    assert "duplicate-id" in {rule for rule, _ in told(done)}


@pytest.mark.parametrize("spelling", ['"kind": benchmark', "kind : benchmark", "kind:\n  benchmark"])
def test_a_candidate_may_spell_its_kind_as_yaml_allows(
    tools, ledger: Path, tmp_path: Path, spelling: str
) -> None:
    path = candidate(tmp_path / "a", ledger, "new-run")
    path.write_text(path.read_text().replace("kind: benchmark", spelling, 1))
    assert tools("validate", path, "--root", ledger).returncode == 0


def test_a_killed_worker_ends_the_run_with_a_word(ledger: Path) -> None:
    text = (ledger / "data" / "models" / "example-7b.yaml").read_text()
    for number in range(400):
        copy = ledger / "data" / "models" / f"copy-{number}.yaml"
        copy.write_text(text.replace("id: example-7b", f"id: copy-{number}"))
    command = [sys.executable, "-m", "tools", "validate", "--no-cache", "--jobs", "2", "--root", str(ledger)]
    process = subprocess.Popen(
        command, cwd=REPOSITORY, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    if not children.exists():
        process.wait()
        pytest.skip("this system does not list child processes")
    workers: list[str] = []
    while process.poll() is None and not workers:
        workers = children.read_text().split()
        time.sleep(0.01)
    if workers:
        os.kill(int(workers[0]), signal.SIGKILL)
    _, said = process.communicate(timeout=60)
    assert process.returncode in (0, 2), said
    assert "Traceback" not in said
    assert process.returncode == 0 or "worker" in said
