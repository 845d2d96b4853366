from __future__ import annotations

from datetime import date

import pytest

from tools.audit.replay import as_of
from tools.errors import ToolsError
from tools.records.parse import Json


def entry(day: str | None, old: int, new: int) -> dict[str, Json]:
    dated: dict[str, Json] = {"date": day} if day else {}
    return {**dated, "action": "correction", "changes": [{"path": "/a", "from": old, "to": new}]}


CREATED: dict[str, Json] = {"action": "created"}
LOG: list[Json] = [CREATED, entry("2026-01-10", 1, 2), entry("2026-01-20", 2, 3), entry("2026-01-20", 3, 4)]
RECORD: dict[str, Json] = {"a": 4, "audit": LOG}


@pytest.mark.parametrize(
    ("day", "value", "entries"),
    [
        ("1999-12-31", 1, 1),
        ("2026-01-09", 1, 1),
        ("2026-01-10", 2, 2),
        ("2026-01-19", 2, 2),
        ("2026-01-20", 4, 4),
        ("2030-01-01", 4, 4),
    ],
)
def test_the_state_at_the_end_of_a_day(day: str, value: int, entries: int) -> None:
    assert as_of(RECORD, date.fromisoformat(day)) == {"a": value, "audit": LOG[:entries]}


def test_before_a_dated_filing_there_was_no_record() -> None:
    record: dict[str, Json] = {"a": 1, "audit": [{"date": "2026-01-10", "action": "created"}]}

    assert as_of(record, date(2026, 1, 10)) == record
    with pytest.raises(ToolsError, match="filed on 2026-01-10"):
        as_of(record, date(2026, 1, 9))


def test_a_log_that_does_not_tell_the_filing_gives_the_state_before_its_first_entry() -> None:
    record: dict[str, Json] = {"a": 2, "audit": [entry("2026-01-10", 1, 2)]}

    assert as_of(record, date(2026, 1, 9)) == {"a": 1, "audit": []}


def test_an_undated_entry_counts_with_the_one_before_it() -> None:
    record: dict[str, Json] = {"a": 3, "audit": [entry("2026-01-10", 1, 2), entry(None, 2, 3)]}

    assert as_of(record, date(2026, 1, 10))["a"] == 3
    assert as_of(record, date(2026, 1, 9))["a"] == 1


def test_without_a_log_nothing_is_known() -> None:
    with pytest.raises(ToolsError, match="no audit log"):
        as_of({"a": 1}, date(2026, 1, 1))


def test_a_log_that_does_not_fit_rebuilds_nothing() -> None:
    record: dict[str, Json] = {"a": 9, "audit": LOG}

    with pytest.raises(ToolsError, match="cannot be rebuilt") as caught:
        as_of(record, date(2026, 1, 15))

    assert "/audit/3/changes/0/to" in caught.value.message


def test_faults_before_the_day_do_not_matter() -> None:
    log: list[Json] = [CREATED, entry("2026-01-10", 1, 7), entry("2026-01-20", 2, 3)]

    assert as_of({"a": 3, "audit": log}, date(2026, 1, 15))["a"] == 2
