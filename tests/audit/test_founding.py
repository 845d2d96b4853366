"""The founding record: its log is the test of the audit log."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from tools.audit.history import render, timeline
from tools.audit.replay import as_of, replay
from tools.records.parse import Json, parse

FOUNDING = "sd-medusa-batch32-degradation"
DATA = Path(__file__).parents[2] / "data" / "benchmarks"


def read(record_id: str) -> dict[str, Json]:
    document = parse((DATA / f"{record_id}.yaml").read_bytes())
    assert document.problems == []
    assert isinstance(document.value, dict)
    return document.value


def result(record: dict[str, Json]) -> dict[str, Json]:
    """The one result of a record, without its baseline."""
    results = record["results"]
    assert isinstance(results, list)
    (only,) = results
    assert isinstance(only, dict)
    return {key: value for key, value in only.items() if key != "baseline"}


def test_it_replays() -> None:
    story = replay(read(FOUNDING))

    assert story.faults == ()
    assert [entry.action for entry in story.entries] == [
        "created",
        "condition_audit",
        "backfill",
        "reclassification",
        "confirmation",
        "backfill",
        "reclassification",
    ]
    assert [entry.by for entry in story.entries] == [
        None,
        "bq",
        "not recorded",
        "w5-schema",
        "w6-benchmarks",
        "w10-bench-formatid",
        "ledger-maintainers",
    ]


def test_it_was_filed_as_a_rate_of_zero() -> None:
    record = read(FOUNDING)
    filed = replay(record).contents[0]

    assert result(filed) == {"metric": "decode_tok_s", "value": 0}
    assert record.keys() - filed.keys() == {"accelerator_ids", "absent", "audit"}
    assert {key for key in filed if filed[key] != record[key]} == {"results"}


DAYS: dict[str, tuple[dict[str, Json], int, bool, int]] = {
    "2026-10-03": ({"metric": "decode_tok_s", "value": 0}, 0, False, 1),
    "2026-10-04": ({"metric": "decode_tok_s", "value": 0, "unit": "ratio"}, 5, False, 3),
    "2026-10-05": ({"metric": "speedup_ratio", "value": 0, "unit": "ratio"}, 5, False, 5),
    "2026-10-07": ({"metric": "speedup_ratio", "value": 0, "unit": "ratio"}, 5, False, 5),
    "2026-10-08": ({"metric": "speedup_ratio", "value": 0, "unit": "ratio"}, 5, True, 6),
    "2026-11-29": ({"metric": "speedup_ratio", "value": 0, "unit": "ratio"}, 5, True, 6),
    "2026-11-30": ({"metric": "speedup_ratio", "value": 0, "unit": "ratio", "bound": "lower"}, 5, True, 7),
}


@pytest.mark.parametrize(("day", "expected"), DAYS.items(), ids=DAYS)
def test_as_of_every_step(day: str, expected: tuple[dict[str, Json], int, bool, int]) -> None:
    told, absences, accelerator, entries = expected

    record = as_of(read(FOUNDING), date.fromisoformat(day))

    absent, log = record.get("absent", []), record["audit"]
    assert isinstance(absent, list)
    assert isinstance(log, list)
    assert result(record) == told
    assert len(absent) == absences
    assert record.get("accelerator_ids") == (["nvidia-a100-80gb-pcie"] if accelerator else None)
    assert len(log) == entries


def test_its_value_never_changed() -> None:
    values = {result(content)["value"] for content in replay(read(FOUNDING)).contents}

    assert values == {0}


def test_what_came_after_the_filing_is_known_by_day() -> None:
    created, *later = replay(read(FOUNDING)).entries

    assert created.day is None
    assert [entry.day.isoformat() for entry in later if entry.day] == [
        "2026-10-04",
        "2026-10-04",
        "2026-10-05",
        "2026-10-05",
        "2026-10-08",
        "2026-11-30",
    ]


def test_the_batch_one_statement_is_a_lower_bound() -> None:
    record = read("sd-medusa-batch1-speedup")

    assert replay(record).faults == ()
    assert result(record) == {"metric": "speedup_ratio", "value": 2.2, "unit": "ratio", "bound": "lower"}
    assert record["absent"] == read(FOUNDING)["absent"]


def test_the_timeline_of_the_founding_record(golden: Callable[[str, str], None]) -> None:
    golden("history-founding.txt", render(timeline(FOUNDING, read(FOUNDING)), 96))
