"""What the examples of the identity rules cannot show: the day of the check, and two records changed at once."""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path

import pytest

from tools.checks.cases import REPOSITORY
from tools.checks.rule import Record
from tools.checks.rules import RULES
from tools.checks.rules.identity.places import values_of
from tools.checks.run import Run
from tools.records.catalog import FOLDERS, Catalog
from tools.records.parse import Document


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    shutil.copytree(REPOSITORY / "ledger", tmp_path / "ledger")
    return tmp_path / "ledger"


def found(root: Path, today: date = date(2026, 6, 30), whole: bool = True) -> list[tuple[str, str]]:
    catalog = Catalog(root)
    report = Run(catalog, RULES, today, whole=whole, cached=False, jobs=1).check(catalog.files())
    assert report.crashes == ()
    return [(finding.rule, Path(finding.file).stem) for finding in report.findings]


def retract(path: Path) -> None:
    text = path.read_text().replace("status: verified", "status: retracted")
    path.write_text(
        f"{text}  - {{date: 2026-06-01, by: example-curator, action: retraction, reason: it was wrong,\n"
        "     changes: [{path: /status, from: verified, to: retracted}]}\n"
    )


def test_today_is_not_the_future(ledger: Path) -> None:
    assert found(ledger, date(2026, 3, 5)) == []
    assert found(ledger, date(2026, 3, 4)) == [("date-in-future", "example-run")]


def test_the_audit_log_may_name_what_no_longer_stands(ledger: Path) -> None:
    retract(ledger / "data" / "benchmarks" / "example-speedup.yaml")
    run = ledger / "data" / "benchmarks" / "example-run.yaml"
    evidence = "{source_id: example-log, locator: line 1}"
    assert evidence in run.read_text()
    run.write_text(run.read_text().replace(evidence, "{record_id: example-speedup, locator: /title}"))
    assert found(ledger) == []


def test_a_record_is_named_once_however_often_it_is_cited(ledger: Path) -> None:
    retract(ledger / "data" / "sources" / "example-paper.yaml")
    told = found(ledger)
    assert {rule for rule, _ in told} == {"retracted-reference"}
    assert len(told) == len(set(told))


def test_a_retracted_record_is_left_alone(ledger: Path) -> None:
    for kind, name in (
        ("models", "example-7b"),
        ("benchmarks", "example-run"),
        ("benchmarks", "example-speedup"),
    ):
        retract(ledger / "data" / kind / f"{name}.yaml")
    assert found(ledger) == []


def test_no_source_is_called_uncited_while_a_file_cannot_be_read(ledger: Path) -> None:
    run = ledger / "data" / "benchmarks" / "example-run.yaml"
    text = run.read_text()
    run.write_text(text.replace("example-log", "example-paper"))
    assert found(ledger) == [("uncited-source", "example-log")]
    run.write_text(f"{text}[")
    assert ("uncited-source", "example-log") not in found(ledger)


def test_parts_of_a_ledger_are_not_surveyed(ledger: Path) -> None:
    run = ledger / "data" / "benchmarks" / "example-run.yaml"
    run.write_text(run.read_text().replace("example-log", "example-paper"))
    assert found(ledger, whole=False) == []


def record(kind: str, value: dict[str, object]) -> Record:
    return Record("x", kind, "x.yaml", value, Document(value, "", []))  # type: ignore[arg-type]


def test_places_come_from_the_schema() -> None:
    value: dict[str, object] = {
        "measured_on": "a",
        "engine": {"released": "b"},
        "results": [{"sources": [{"accessed": "c"}]}, 7, {"sources": {"accessed": "no list"}}],
        "audit": [{"date": "d", "changes": [{"path": "/accessed", "to": {"accessed": "no field"}}]}],
        "accessed": "no field of a benchmark",
    }
    assert dict(values_of(record("benchmark", value), "date")) == {
        "/measured_on": "a",
        "/engine/released": "b",
        "/results/0/sources/0/accessed": "c",
        "/audit/0/date": "d",
    }


def test_every_kind_has_dates_and_no_other_kind_has_places() -> None:
    value: dict[str, object] = {"audit": [{"date": "a"}]}
    for kind in FOLDERS:
        assert dict(values_of(record(kind, value), "date")) == {"/audit/0/date": "a"}
    assert dict(values_of(record("", value), "date")) == {}
