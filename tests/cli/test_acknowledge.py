"""Acknowledged warnings from the outside: told, not hidden, not counted, and never longer than they are true."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from scratch import Scratch

from tools.records.parse import parse

ENGINE = "example-engine"
WHO = ("--by", "second-curator", "--date", "2026-06-01")
WHY = ("--reason", "The record does not rest on it.")
EVIDENCE = ("--evidence", "example-paper:Section 4")
LEDGER = {
    "engines/example-engine": """\
id: example-engine
kind: engine
name: Example Engine
publisher: Example Lab
licence: Apache-2.0
status: verified
sources:
  - {source_id: example-paper, locator: Section 4}
  - {source_id: example-log, locator: line 1}
audit:
  - {date: 2026-03-02, by: example-curator, action: created, reason: Filed from the paper.}
""",
    "sources/example-paper": """\
id: example-paper
kind: source
title: An example paper
status: verified
type: paper
url: https://paper.example/1
audit:
  - {date: 2026-03-02, by: example-curator, action: created, reason: Cited by the engine.}
""",
    "sources/example-log": """\
id: example-log
kind: source
title: Log of an example run
status: verified
type: private_run
audit:
  - {date: 2026-03-02, by: example-curator, action: created, reason: Cited by the engine.}
""",
}


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """A clean ledger of an engine and its two sources, about which few rules have anything to say."""
    for place, text in LEDGER.items():
        path = tmp_path / "ledger" / "data" / f"{place}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "ledger"


def file_of(ledger: Path, record: str) -> Path:
    return next((ledger / "data").rglob(f"{record}.yaml"))


def validated(tools, ledger: Path, *more: str | Path) -> dict:
    done = tools("validate", *more, "--root", ledger, "--format", "json")
    assert "Traceback" not in done.stderr
    return json.loads(done.stdout)


def told(document: dict) -> list[tuple[str, str, bool]]:
    """(rule, record, acknowledged) of every finding."""
    return [(f["rule"], f["record"], f["acknowledged"] is not None) for f in document["findings"]]


@pytest.fixture
def warned(tools, ledger: Path) -> Path:
    """A ledger with one warning: a source of the engine is retracted."""
    done = tools("retract", "example-log", "--reason", "Wrong clock.", *WHO, "--root", ledger)
    assert done.returncode == 0, done.stdout
    assert told(validated(tools, ledger)) == [("retracted-reference", ENGINE, False)]
    return ledger


def acknowledge(tools, ledger: Path, rule: str = "retracted-reference", record: str = ENGINE):
    return tools("acknowledge", record, rule, *WHY, *WHO, "--root", ledger)


def test_an_acknowledged_warning_is_told_and_counts_no_more(tools, warned: Path) -> None:
    assert tools("validate", "--strict", "--root", warned).returncode == 1
    done = acknowledge(tools, warned)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "acknowledged: The record does not rest on it." in done.stderr
    document = validated(tools, warned)
    assert document["findings"][0]["acknowledged"] == {
        "reason": "The record does not rest on it.",
        "by": "second-curator",
        "date": "2026-06-01",
    }
    summary = document["summary"]
    assert (summary["warnings"], summary["acknowledged"]) == (0, 1)
    done = tools("validate", "--strict", "--root", warned)
    assert done.returncode == 0
    assert (
        "  acknowledged: The record does not rest on it. (by second-curator on 2026-06-01)\n" in done.stdout
    )
    assert ": 1 acknowledged (" in done.stdout


def test_it_is_not_acknowledged_twice(tools, warned: Path) -> None:
    acknowledge(tools, warned)
    done = acknowledge(tools, warned)
    assert done.returncode == 2
    assert "acknowledged already" in done.stderr


def test_one_that_has_nothing_to_accept_is_a_finding_until_that_is_accepted(tools, warned: Path) -> None:
    acknowledge(tools, warned)
    done = tools("correct", ENGINE, "--remove", "/sources/1", *WHY, *WHO, *EVIDENCE, "--root", warned)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "acknowledgement-without-finding" in done.stderr
    assert told(validated(tools, warned)) == [("acknowledgement-without-finding", ENGINE, False)]
    assert acknowledge(tools, warned, "acknowledgement-without-finding").returncode == 0
    assert told(validated(tools, warned)) == [("acknowledgement-without-finding", ENGINE, True)]
    assert tools("validate", "--strict", "--root", warned).returncode == 0


def test_a_changed_place_has_to_be_looked_at_again(tools, warned: Path) -> None:
    acknowledge(tools, warned)
    change = ("--change", "/sources/1={source_id: example-log, locator: line 2}")
    assert tools("correct", ENGINE, *change, *WHY, *WHO, *EVIDENCE, "--root", warned).returncode == 0
    expected = [("acknowledgement-outdated", ENGINE, False), ("retracted-reference", ENGINE, False)]
    document = validated(tools, warned)
    assert sorted(told(document)) == expected
    outdated = next(f for f in document["findings"] if f["rule"] == "acknowledgement-outdated")
    line = file_of(warned, ENGINE).read_text().splitlines()[outdated["line"] - 1]
    assert line.strip() == "rule: retracted-reference"
    again = ("acknowledge", ENGINE, "retracted-reference", "--reason", "Nor on line 2.", *WHO)
    assert tools(*again, "--root", warned).returncode == 0
    assert told(validated(tools, warned)) == [("retracted-reference", ENGINE, True)]


def uncited(ledger: Path, *more: str) -> None:
    """A source that nobody cites, with more entries in its log."""
    text = (
        "id: example-talk\nkind: source\ntitle: An example talk\nstatus: verified\ntype: blog\n"
        "url: https://talk.example/1\naudit:\n"
        "  - {date: 2026-03-02, by: example-curator, action: created, reason: Seen at a conference.}\n"
    )
    (ledger / "data" / "sources" / "example-talk.yaml").write_text(text + "".join(more))


ACCEPTED = "  - {date: 2026-04-01, by: cleo, action: acknowledgement, rule: uncited-source, reason: Runs are coming.}\n"


def test_a_survey_of_the_whole_ledger_is_acknowledged_as_well(tools, ledger: Path) -> None:
    uncited(ledger)
    assert told(validated(tools, ledger)) == [("uncited-source", "example-talk", False)]
    done = acknowledge(tools, ledger, "uncited-source", "example-talk")
    assert done.returncode == 0, done.stdout + done.stderr
    assert told(validated(tools, ledger)) == [("uncited-source", "example-talk", True)]
    assert acknowledge(tools, ledger, "uncited-source", "example-talk").returncode == 2


def test_a_rule_that_did_not_run_has_not_kept_silent(tools, ledger: Path) -> None:
    uncited(ledger, ACCEPTED)
    assert told(validated(tools, ledger, file_of(ledger, "example-talk"))) == []
    assert told(validated(tools, ledger)) == [("uncited-source", "example-talk", True)]
    path = file_of(ledger, ENGINE)
    path.write_text(
        path.read_text().replace("example-log, locator: line 1", "example-talk, locator: minute 1")
    )
    assert ("acknowledgement-without-finding", "example-talk", False) in told(validated(tools, ledger))


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_cache_and_workers_say_the_same(
    tools, warned: Path, monkeypatch: pytest.MonkeyPatch, jobs: str
) -> None:
    acknowledge(tools, warned)
    uncited(warned, ACCEPTED)
    expected = validated(tools, warned, "--no-cache", "--jobs", "1")["findings"]
    assert sum(f["acknowledged"] is not None for f in expected) == 2
    monkeypatch.setattr("tools.checks.run.CACHED_FROM", 0)
    monkeypatch.setattr("tools.checks.workers.SERIAL_LIMIT", 1)
    monkeypatch.setattr("tools.checks.workers.CHUNK", 2)
    for _ in range(2):
        assert validated(tools, warned, "--jobs", jobs)["findings"] == expected


def test_what_a_change_does_is_never_acknowledged(tools, ledger: Path) -> None:
    repository = Scratch.start(ledger)
    repository.commit()
    path = file_of(ledger, ENGINE)
    entry = "  - {date: 2026-04-01, by: cleo, action: acknowledgement, rule: change-without-entry, reason: It is so.}\n"
    path.write_text(path.read_text().replace("name: Example Engine", "name: Engine") + entry)
    document = validated(tools, ledger, "--base", "main")
    found = told(document)
    assert ("change-without-entry", ENGINE, False) in found
    assert ("acknowledgement-without-finding", ENGINE, False) in found
    assert tools("acknowledge", ENGINE, "change-without-entry", *WHY, *WHO, "--root", ledger).returncode == 2


def test_of_findings_that_are_not_listed_nothing_is_said(tools, ledger: Path) -> None:
    entry = "  - {date: 2026-04-01, by: cleo, action: acknowledgement, rule: retracted-reference, reason: It is so.}\n"
    uncited(ledger, entry, *(f"  - {{unheard_of_{number}: 1}}\n" for number in range(200)))
    rules = {rule for rule, _, _ in told(validated(tools, ledger))}
    assert "more-findings" in rules
    assert "acknowledgement-without-finding" not in rules


def test_a_malformed_log_is_no_trouble(tools, ledger: Path) -> None:
    uncited(
        ledger,
        "  - {action: acknowledgement}\n  - {action: acknowledgement, rule: [a]}\n  - acknowledgement\n",
        "  - {action: acknowledgement, rule: uncited-source}\n",
        "  - {action: correction, changes: [{path: x, to: 1}, {path: /~, to: 2}, {path: /a/b/c, from: 1}, 7]}\n",
    )
    document = validated(tools, ledger)
    assert ("uncited-source", "example-talk", True) in told(document)


def test_an_old_name_of_a_rule_counts_as_its_name(
    tools, warned: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace

    from tools.checks import rules

    renamed = tuple(
        replace(rule, aliases=("fallen-reference",)) if rule.name == "retracted-reference" else rule
        for rule in rules.RULES
    )
    monkeypatch.setattr(rules, "RULES", renamed)
    path = file_of(warned, ENGINE)
    entry = "  - {date: 2026-06-01, by: cleo, action: acknowledgement, rule: fallen-reference, reason: It is so.}\n"
    path.write_text(path.read_text() + entry)
    assert told(validated(tools, warned)) == [("retracted-reference", ENGINE, True)]


def test_skips_are_told_on_request_only(tools, ledger: Path) -> None:
    assert "skips" not in validated(tools, ledger)
    document = validated(tools, ledger, "--explain-skips")
    skips = document["skips"]
    assert all(set(skip) == {"rule", "file", "record", "pointer", "lacks"} for skip in skips)
    for skip in skips:
        record = parse((ledger / skip["file"]).read_bytes()).value
        assert isinstance(record, dict)
        assert record["id"] == skip["record"]
    text = tools("validate", "--explain-skips", "--root", ledger).stdout
    assert all(f"lacks: {skip['lacks']}" in text for skip in skips)
    assert bool(skips) != ("no rule lacked a fact" in text)
    done = tools("validate", "--explain-skips", "--root", ledger, "--format", "sarif")
    assert done.returncode == 2
    assert "text and json" in done.stderr
