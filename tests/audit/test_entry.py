from __future__ import annotations

from datetime import date

import pytest

from tools.audit.entry import ABSENT, Change, Evidence, parse_day, read_entries
from tools.errors import EXIT_USAGE, ToolsError


def test_reads_every_field_of_an_entry() -> None:
    log = [
        {
            "date": "2026-10-05",
            "by": "w5-schema",
            "action": "reclassification",
            "reason": "a ratio under a rate",
            "evidence": [{"source_id": "paper", "locator": "Table 1", "note": "last row"}],
            "changes": [
                {"path": "/a", "from": None, "to": 1},
                {"path": "/b", "to": None},
                {"path": "/c", "from": 2},
            ],
        }
    ]

    (entry,) = read_entries({"audit": log})

    assert (entry.day, entry.by, entry.action) == (date(2026, 10, 5), "w5-schema", "reclassification")
    assert entry.evidence == (Evidence("paper", None, "Table 1", "last row"),)
    assert entry.changes == (
        Change(0, "/a", None, 1),
        Change(1, "/b", ABSENT, None),
        Change(2, "/c", 2, ABSENT),
    )
    assert entry.pointer() == "/audit/0"
    assert entry.pointer(entry.changes[2]) == "/audit/0/changes/2"


@pytest.mark.parametrize(
    "record",
    [
        None,
        7,
        "text",
        [],
        {},
        {"audit": None},
        {"audit": "log"},
        {"audit": {}},
        {"audit": [None, 3, "x", []]},
    ],
)
def test_a_record_without_a_readable_log_has_no_entries(record: object) -> None:
    assert read_entries(record) == ()  # type: ignore[arg-type]


def test_what_cannot_be_read_is_passed_over_and_the_rest_keeps_its_index() -> None:
    changes = [
        {"path": "/a"},
        {"to": 1},
        "x",
        {"path": 3, "to": 1},
        {"path": "", "to": 1},
        {"path": "a", "to": 1},
        {"path": "/a", "to": 1},
    ]
    log = [7, {"date": "2026-02-30", "by": 1, "action": ["x"], "evidence": "e", "changes": changes}]

    (entry,) = read_entries({"audit": log})

    assert (entry.index, entry.day, entry.by, entry.action, entry.reason) == (1, None, None, "", "")
    assert entry.evidence == ()
    assert [change.index for change in entry.changes] == [6]


def test_a_day_is_read() -> None:
    assert parse_day("2026-10-05") == date(2026, 10, 5)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yesterday",
        "2026-13-01",
        "2026-02-30",
        "20261005",
        "2026-W40-1",
        "2026-10-5",
        "٢٠٢٦-١٠-٠٥",
        "2026-10-05\n",
    ],
)
def test_what_is_no_day_is_a_fault_of_the_call(text: str) -> None:
    with pytest.raises(ToolsError, match="is not a day") as caught:
        parse_day(text)

    assert caught.value.exit_code == EXIT_USAGE
    assert "YYYY-MM-DD" in caught.value.hint
