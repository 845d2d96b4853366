"""The cache gives back time and never hides a finding, whatever happens to it or to the ledger."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from tools.checks.cache import Cache
from tools.checks.outcome import Outcome


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
    (ledger / "data" / "models" / "example-7b.yaml").rename(ledger / "data" / "models" / "example-9b.yaml")
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


def sealed(ledger: Path, body: bytes) -> bytes:
    """A cache of the present generation whose digest fits, whatever it holds."""
    head = (ledger / ".cache" / "validate.json").read_bytes().partition(b"\n")[0]
    generation = head.rpartition(b" ")[0]
    return generation + b" " + hashlib.blake2b(body, digest_size=16).hexdigest().encode() + b"\n" + body


def misshapen(stored: object) -> Iterator[object]:
    """A value with each of its parts in turn replaced by something else, or missing."""
    yield from (None, True, 0, -1, "x", [], {}, [[]], {"x": []}, 1.5)
    if isinstance(stored, list):
        for index, part in enumerate(stored):
            yield from ([*stored[:index], other, *stored[index + 1 :]] for other in misshapen(part))
            yield [*stored[:index], *stored[index + 1 :]]
        yield [*stored, "more"]
    elif isinstance(stored, dict):
        for key, part in stored.items():
            yield from ({**stored, key: other} for other in misshapen(part))
        yield {**stored, "unheard-of": 1}


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"x",
        b"[]",
        b"3",
        b"null",
        b'{"data/models/broken.yaml": 3}',
        b"[" * 100_000,
        b"\xff",
        b"1" * 9999,
    ],
)
def test_a_body_that_is_no_cache_is_ignored(tools, ledger: Path, body: bytes) -> None:
    (ledger / "data" / "models" / "broken.yaml").write_text("id: broken\n")
    first = rules(tools, ledger)
    path = ledger / ".cache" / "validate.json"
    path.write_bytes(sealed(ledger, body))
    assert rules(tools, ledger) == first


def test_an_entry_of_another_shape_is_ignored(tools, ledger: Path) -> None:
    (ledger / "data" / "models" / "broken.yaml").write_text("id: broken\n")
    rules(tools, ledger)
    cache = Cache(ledger, date.today())
    checked = 0
    for file, stored in list(cache.stored.items()):
        digest = stored[0]
        assert cache.get(file, digest) is not None
        for other in misshapen(stored):
            cache.stored[file] = other
            outcome = cache.get(file, digest)
            checked += 1
            if outcome is not None:
                # Only what has the right shape all the same; of facts, what they hold is their rule's business.
                assert isinstance(outcome, Outcome)
                assert all(isinstance(answer, str) for answer in outcome.uses.values())
                assert all(type(part) is int for f in outcome.findings for part in f.location)
                assert json.loads(json.dumps(outcome.to_json())) == other
        cache.stored[file] = stored
    assert checked > 500


@pytest.mark.parametrize(
    "kind", ["pipe", "link to no end", "folder", "dangling link", "link to a cache", "socket"]
)
def test_what_is_no_ordinary_file_is_not_read(tools, ledger: Path, tmp_path: Path, kind: str) -> None:
    (ledger / "data" / "models" / "broken.yaml").write_text("id: broken\n")
    first = rules(tools, ledger)
    path = ledger / ".cache" / "validate.json"
    elsewhere = tmp_path / "elsewhere.json"
    elsewhere.write_bytes(sealed(ledger, b"{}"))
    before = elsewhere.read_bytes()
    path.unlink()
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "link to no end":
            path.symlink_to("/dev/zero")
        case "dangling link":
            path.symlink_to(tmp_path / "nothing")
        case "link to a cache":
            path.symlink_to(elsewhere)
        case "socket":
            os.mknod(path, 0o140600)
        case "folder":
            path.mkdir()
    assert rules(tools, ledger) == first
    assert elsewhere.read_bytes() == before
    assert not (tmp_path / "nothing").exists()
    # The next run finds a cache in its place, but for a folder, which is not ours to remove.
    assert path.is_file() != (kind == "folder")
    assert not path.is_symlink()
    assert rules(tools, ledger) == first


def test_a_cache_too_large_is_not_read(tools, ledger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = rules(tools, ledger)
    path = ledger / ".cache" / "validate.json"
    with path.open("r+b") as stream:
        stream.truncate(1 << 40)
    assert rules(tools, ledger) == first
    assert path.stat().st_size < 1 << 20
    monkeypatch.setattr("tools.checks.cache.MAX_BYTES", 10)
    assert Cache(ledger, date.today()).stored == {}
    path.unlink()
    assert rules(tools, ledger) == first
    assert not path.exists()


def test_the_cache_is_not_written_through_a_link(tools, ledger: Path, tmp_path: Path) -> None:
    target = tmp_path / "theirs"
    target.write_text("theirs")
    (ledger / ".cache").mkdir()
    (ledger / ".cache" / f"validate.{os.getpid()}").symlink_to(target)
    assert rules(tools, ledger) == []
    assert target.read_text() == "theirs"
    assert (ledger / ".cache" / "validate.json").is_file()
