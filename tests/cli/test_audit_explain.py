"""`tools audit explain`: a hand edit is found, and gets the entry that says so."""

from __future__ import annotations

from pathlib import Path

import pytest
from scratch import Scratch

from tools.audit.replay import replay
from tools.records.parse import parse

RUN = "data/benchmarks/example-run.yaml"
WHY = ("--reason", "Read in the wrong line.", "--evidence", "example-log:line 13", "--by", "reviewer")


@pytest.fixture
def scratch(ledger: Path) -> Scratch:
    """The small ledger, committed on `main`."""
    repository = Scratch.start(ledger)
    repository.write(".gitignore", ".cache/\n")
    repository.commit()
    return repository


def edit(scratch: Scratch, *replacements: tuple[str, str], path: str = RUN) -> Path:
    place = scratch.root / path
    text = place.read_text()
    for old, new in replacements:
        assert text.count(old) == 1
        text = text.replace(old, new)
    place.write_text(text)
    return place


def test_a_hand_edit_is_refused_then_mended_then_accepted(tools, scratch: Scratch) -> None:
    root = ("--root", scratch.root)
    path = edit(scratch, ("1998.05", "2001.50"), ("p50", "p90"), ("Example 7B on", "An example on"))
    edited = path.read_text()
    refused = tools("validate", "--base", "main", *root)
    assert refused.returncode == 1
    assert "tools audit explain --base main" in refused.stdout

    done = tools("audit", "explain", "--base", "main", *WHY, *root)
    assert done.returncode == 0, done.stdout + done.stderr
    assert path.read_text() == edited + (
        "  - date: DAY\n"
        "    by: reviewer\n"
        "    action: correction\n"
        "    reason: Read in the wrong line.\n"
        "    evidence:\n"
        "      - {source_id: example-log, locator: line 13}\n"
        "    changes:\n"
        "      - {path: /results/0/value, from: 1998.05, to: 2001.50}\n"
        "      - {path: /results/1/statistic, from: p50, to: p90}\n"
    ).replace("DAY", parse(path.read_bytes()).value["audit"][-1]["date"])

    assert tools("validate", "--base", "main", *root).returncode == 0
    again = tools("audit", "explain", "--base", "main", *WHY, *root)
    assert again.returncode == 0
    assert "nothing differs" in again.stderr


def test_without_a_reason_it_only_says_what_it_found(tools, scratch: Scratch) -> None:
    path = edit(scratch, ("1998.05", "2001.5"))
    edited = path.read_text()
    done = tools("audit", "explain", "--root", scratch.root)
    assert done.returncode == 1
    assert done.stdout == "example-run\n  /results/0/value: 1998.05 → 2001.5\n"
    assert path.read_text() == edited
    assert tools("audit", "explain", "--dry-run", *WHY, "--root", scratch.root).returncode == 0
    assert path.read_text() == edited


def test_items_that_came_and_went(tools, scratch: Scratch) -> None:
    path = edit(
        scratch,
        ("  - {metric: tps_aggregate, value: 1998.05, unit: tok/s}\n", ""),
        ("210.5", "211.50"),
        ("unit: ms}\n", "unit: ms}\n  - {metric: itl_ms, statistic: mean, value: 9.0, unit: ms}\n"),
    )
    assert tools("audit", "explain", *WHY, "--root", scratch.root).returncode == 0
    story = replay(parse(path.read_bytes()).value)
    assert story.faults == ()
    committed = parse(scratch.git("show", f"HEAD:{RUN}").encode()).value
    assert {**story.contents[-2], "audit": committed["audit"]} == committed
    assert tools("validate", "--base", "HEAD", "--root", scratch.root).returncode == 0


def test_only_the_records_that_are_named(tools, scratch: Scratch) -> None:
    edit(scratch, ("1998.05", "2001.5"))
    other = edit(scratch, ("value: 1.9", "value: 1.8"), path="data/benchmarks/example-speedup.yaml")
    before = other.read_text()
    assert tools("audit", "explain", "example-run", *WHY, "--root", scratch.root).returncode == 0
    assert other.read_text() == before
    assert tools("audit", "explain", *WHY, "--root", scratch.root).returncode == 0
    assert other.read_text() != before
    assert tools("validate", "--base", "HEAD", "--root", scratch.root).returncode == 0


def test_what_was_only_added_is_a_backfill_unless_told(tools, scratch: Scratch) -> None:
    path = edit(scratch, ("results:\n", "counts: {requests: 64}\nresults:\n"))
    assert tools("audit", "explain", *WHY, "--root", scratch.root).returncode == 0
    assert parse(path.read_bytes()).value["audit"][-1]["action"] == "backfill"
    edit(scratch, ("p50", "p90"))
    done = tools("audit", "explain", "--action", "reclassification", *WHY, "--root", scratch.root)
    assert done.returncode == 0, done.stdout + done.stderr
    assert [e["action"] for e in parse(path.read_bytes()).value["audit"][-2:]] == [
        "backfill",
        "reclassification",
    ]


def test_a_retraction_by_hand_is_one(tools, scratch: Scratch) -> None:
    path = edit(scratch, ("status: verified", "status: retracted"))
    assert tools("audit", "explain", *WHY, "--root", scratch.root).returncode == 0
    assert parse(path.read_bytes()).value["audit"][-1]["action"] == "retraction"
    assert tools("validate", "--base", "HEAD", "--root", scratch.root).returncode == 0


def test_an_edited_entry_is_put_back_first(tools, scratch: Scratch) -> None:
    path = edit(scratch, ("1998.05", "2001.5"), ("Filed from the log.", "Filed from somewhere."))
    before = path.read_text()
    done = tools("audit", "explain", *WHY, "--root", scratch.root)
    assert done.returncode == 2
    assert "first of all" in done.stderr
    assert path.read_text() == before


def test_a_result_with_findings_is_refused(tools, scratch: Scratch) -> None:
    path = edit(scratch, ("metric: tps_aggregate", "metric: tps"))
    before = path.read_text()
    done = tools("audit", "explain", *WHY, "--root", scratch.root)
    assert done.returncode == 1
    assert "schema-violation" in done.stdout
    assert path.read_text() == before


def test_formatting_and_free_words_need_no_entry(tools, scratch: Scratch) -> None:
    edit(scratch, ("Example 7B on", "An example on"), ("id: example-run\n", "id:   example-run\n"))
    done = tools("audit", "explain", *WHY, "--root", scratch.root)
    assert done.returncode == 0
    assert "nothing differs" in done.stderr


def test_an_unknown_base(tools, scratch: Scratch) -> None:
    assert tools("audit", "explain", "--base", "nowhere", "--root", scratch.root).returncode == 2
