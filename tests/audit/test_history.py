from __future__ import annotations

import re

import pytest

from tools.audit.history import render, timeline
from tools.records.parse import Json


def told(record: Json, width: int = 100, record_id: str = "run-1") -> str:
    return render(timeline(record_id, record), width)


def test_says_what_from_to_who_when_why_and_on_what_evidence() -> None:
    record: dict[str, Json] = {
        "kind": "benchmark",
        "status": "verified",
        "title": "One run",
        "results": [{"metric": "ttft_ms", "statistic": "p50", "value": 210.5, "unit": "ms"}],
        "audit": [
            {"date": "2026-01-10", "by": "ana", "action": "created", "reason": "filed from the log"},
            {
                "date": "2026-02-11",
                "by": "ben",
                "action": "correction",
                "reason": "read in seconds",
                "evidence": [
                    {"source_id": "log", "locator": "line 12", "note": "unit in the header"},
                    {"record_id": "run-1", "locator": "/title"},
                ],
                "changes": [
                    {"path": "/results/0/value", "from": 0.2105, "to": 210.5},
                    {"path": "/measured_on", "from": "2025-12-01"},
                    {"path": "/results/0/unit", "to": "ms"},
                ],
            },
            {
                "date": "2026-03-12",
                "by": "cleo",
                "action": "acknowledgement",
                "rule": "slow-first-token",
                "reason": "cold",
            },
        ],
    }

    assert told(record) == (
        "run-1\n"
        "One run\n"
        "benchmark, verified\n"
        "\n"
        "● 2026-01-10  created  by: ana\n"
        "│  filed from the log\n"
        "│  filed      ttft_ms p50 0.2105\n"
        "│\n"
        "● 2026-02-11  correction  by: ben\n"
        "│  read in seconds\n"
        "│  changed    /results/0/value  0.2105 → 210.5\n"
        '│  removed    /measured_on  "2025-12-01"\n'
        "│  added      /results/0/unit  ms\n"
        "│  evidence   log, line 12 (unit in the header)\n"
        "│  evidence   this record, /title\n"
        "│\n"
        "● 2026-03-12  acknowledgement  by: cleo\n"
        "│  cold\n"
        "│  unchanged  the value, 210.5\n"
        "│  rule       slow-first-token\n"
        "│\n"
        "○ as it stands\n"
        "  ttft_ms p50 210.5 ms\n"
        "  3 entries, 3 changes: replays backwards and forwards without a gap\n"
    )


def test_a_fault_is_told_at_its_entry_and_at_the_end() -> None:
    change: dict[str, Json] = {"path": "/a", "from": 1, "to": 2}
    record: dict[str, Json] = {"a": 3, "audit": [{"action": "correction", "changes": [change]}]}

    text = told(record)

    assert "FAULT      after this entry 2 should stand at /a, but there is 3 (/audit/0/changes/0/to)" in text
    assert "1 entry, 1 change: the log does not replay, 1 fault above" in text
    assert timeline("run-1", record).faults == 1


def test_a_record_that_was_never_changed() -> None:
    record: dict[str, Json] = {
        "audit": [{"action": "created", "reason": "filed"}, {"action": "confirmation"}]
    }

    assert told(record).endswith("○ as it stands\n  2 entries, nothing was ever changed\n")


def test_several_values_are_counted() -> None:
    results: list[Json] = [{"metric": "itl_ms", "value": value, "unit": "ms"} for value in range(11)]
    record: dict[str, Json] = {
        "results": results,
        "audit": [{"action": "created"}, {"action": "confirmation"}],
    }

    text = told(record)

    assert "unchanged  all 11 values" in text
    assert text.count("and 3 more") == 2


@pytest.mark.parametrize("width", [1, 48, 60, 96, 500])
def test_no_line_is_wider_than_asked_where_words_allow(width: int) -> None:
    reason = "a reason of many words " * 30
    entry: dict[str, Json] = {
        "action": "correction",
        "by": "someone",
        "reason": reason,
        "evidence": [{"source_id": "paper", "locator": reason}],
        "changes": [
            {"path": "/title", "from": reason, "to": "Short"},
            {"path": "/l", "to": [{"k": reason}, reason, 1]},
            {"path": "/m", "to": {"k": reason}},
        ],
    }

    lines = told(
        {"title": "Short", "l": [{"k": reason}, reason, 1], "m": {"k": reason}, "audit": [entry]}, width
    )

    assert max(map(len, lines.splitlines())) <= min(max(width, 48), 110)


def test_text_cannot_steer_the_terminal() -> None:
    text = told(
        {"title": "a\x1b[2Jb", "audit": [{"action": "created", "reason": "c\u202ed\x07", "by": "e\x9bf"}]}
    )

    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", text)


@pytest.mark.parametrize(
    "record",
    [
        None,
        [],
        {},
        {"audit": [{}]},
        {"title": 3, "results": "x", "audit": [{"action": "created"}, {"changes": [{}]}]},
    ],
)
def test_a_malformed_record_has_less_to_tell(record: Json) -> None:
    assert told(record).startswith("run-1\n")


def test_colour_is_the_callers() -> None:
    record: dict[str, Json] = {
        "a": 1,
        "audit": [{"action": "backfill", "changes": [{"path": "/a", "to": 1}]}],
    }

    roles: set[str] = set()

    def style(text: str, role: str) -> str:
        roles.add(role)
        return f"<{text}>"

    styled = render(timeline("run-1", record), 80, style)

    assert roles == {"strong", "info", "dim", "good"}
    assert re.sub("[<>]", "", styled) == told(record, 80)
