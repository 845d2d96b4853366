"""A change in words: what it is about, in which unit, by which factor."""

from __future__ import annotations

from typing import Any

import pytest

from tools.audit.replay import replay
from tools.audit.step import Place, change_in_words, cited, step_json, steps

PLACE = Place("a", "benchmark", "data/benchmarks/a.yaml")


def told(record: dict[str, Any], *changes: dict[str, Any]) -> list[str]:
    story = replay({**record, "audit": [{"action": "correction", "changes": list(changes)}]})
    assert not story.faults
    (step,) = steps(PLACE, story)
    return [f"{change.about}: {change_in_words(change, 40)}" for change in step.changes]


TTFT = {"metric": "ttft_ms", "statistic": "p50", "value": 3, "unit": "ms"}


@pytest.mark.parametrize(
    ("record", "change", "expected"),
    [
        (
            {"results": [TTFT]},
            {"path": "/results/0/value", "from": 2, "to": 3},
            "ttft_ms p50: 2 → 3 ms (×1.5)",
        ),
        ({"results": [TTFT]}, {"path": "/results/0/value", "from": 0, "to": 3}, "ttft_ms p50: 0 → 3 ms"),
        ({"results": [TTFT]}, {"path": "/results/0/value", "from": "2", "to": 3}, 'ttft_ms p50: "2" → 3 ms'),
        ({"results": [TTFT]}, {"path": "/results/0/unit", "from": "s", "to": "ms"}, "ttft_ms p50: s → ms"),
        ({"results": [TTFT]}, {"path": "/results/0/value", "to": 3}, "ttft_ms p50: added 3 ms"),
        ({"results": [{"metric": "x"}]}, {"path": "/results/0/value", "from": 3}, "x: removed 3"),
        ({"a": True}, {"path": "/a", "from": False, "to": True}, ": false → true"),
        ({"a": 10**400}, {"path": "/a", "from": 1, "to": 10**400}, f": 1 → 1{'0' * 38}…"),
        ({"a": 1e300}, {"path": "/a", "from": 1e-300, "to": 1e300}, ": 1e-300 → 1e+300"),
        ({"id": "b"}, {"path": "/id", "from": "a", "to": "b"}, ": a → b"),
    ],
)
def test_a_change_in_words(record: dict[str, Any], change: dict[str, Any], expected: str) -> None:
    assert told(record, change) == [expected]


def test_the_unit_is_that_of_the_time() -> None:
    record = {"results": [{**TTFT, "unit": "s"}]}
    changes = (
        {"path": "/results/0/value", "from": 9, "to": 3},
        {"path": "/results/0/unit", "from": "ms", "to": "s"},
    )
    log = [{"action": "correction", "changes": [change]} for change in changes]
    first, second = steps(PLACE, replay({**record, "audit": log}))
    assert first.changes[0].unit == "ms"
    assert second.changes[0].unit == ""
    assert [step.entry.index for step in steps(PLACE, replay({**record, "audit": log}), [1])] == [1]


def test_a_step_as_plain_values() -> None:
    item = {"record_id": "b", "locator": "/a", "note": "n"}
    entry = {"date": "2026-01-02", "by": "x", "action": "confirmation", "reason": "r", "evidence": [item, {}]}
    (step,) = steps(PLACE, replay({"audit": [entry]}))
    assert cited(step.entry.evidence) == "b /a"
    assert step_json(step)["evidence"][0] == {**item, "source_id": None}
    assert step_json(step)["date"] == "2026-01-02"
