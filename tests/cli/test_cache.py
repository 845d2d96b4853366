"""The cache gives back time and never hides a finding, whatever happens to it or to the ledger."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def cache_for_few_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.checks.run.CACHED_FROM", 0)


def rules(tools, ledger: Path, *more: str) -> list[tuple[str, str]]:
    done = tools("validate", "--root", ledger, "--format", "json", *more)
    return [(f["rule"], f["file"]) for f in json.loads(done.stdout)["findings"]]


def test_a_second_run_says_the_same(tools, ledger: Path) -> None:
    (ledger / "data" / "models" / "broken.yaml").write_text("id: broken\n")
    first = rules(tools, ledger)
    assert first
    assert rules(tools, ledger) == first == rules(tools, ledger, "--no-cache")


def test_removing_a_record_is_felt_by_the_records_that_name_it(tools, ledger: Path) -> None:
    assert rules(tools, ledger) == []
    (ledger / "data" / "models" / "example-7b.yaml").rename(ledger / "data" / "models" / "example-8b.yaml")
    assert ("unresolved-reference", "data/benchmarks/example-run.yaml") in rules(tools, ledger)


def test_a_retraction_is_felt_by_the_records_that_name_it(tools, ledger: Path) -> None:
    assert rules(tools, ledger) == []
    path = ledger / "data" / "models" / "example-7b.yaml"
    path.write_text(
        path.read_text()
        .replace("status: draft", "status: retracted")
        .replace("status: verified", "status: retracted")
    )
    assert ("retracted-reference", "data/benchmarks/example-run.yaml") in rules(tools, ledger)


def test_a_damaged_cache_is_ignored(tools, ledger: Path) -> None:
    (ledger / "data" / "models" / "broken.yaml").write_text("id: broken\n")
    first = rules(tools, ledger)
    cache = ledger / ".cache" / "validate.json"
    stored = cache.read_bytes()
    for damaged in (
        b"",
        b"{}",
        stored[: len(stored) // 2],
        stored.replace(b"schema-violation", b"schema-violatiom"),
        b"\xff\x00",
    ):
        cache.write_bytes(damaged)
        assert rules(tools, ledger) == first


def test_a_ledger_that_cannot_be_written_is_checked_all_the_same(tools, ledger: Path) -> None:
    (ledger / ".cache").write_text("a file where the folder would be")
    assert rules(tools, ledger) == []


def test_the_same_bytes_in_another_place_are_another_file(tools, ledger: Path) -> None:
    assert rules(tools, ledger) == []
    content = (ledger / "data" / "models" / "example-7b.yaml").read_bytes()
    (ledger / "data" / "models" / "example-9b.yaml").write_bytes(content)
    assert ("id-differs-from-name", "data/models/example-9b.yaml") in rules(tools, ledger)
