from __future__ import annotations

import pytest

from tools.audit.entry import read_entries
from tools.audit.replay import apply, replay
from tools.records.parse import Json


def one_change(content: dict[str, Json], change: dict[str, Json]) -> dict[str, Json]:
    return {**content, "audit": [{"action": "created"}, {"action": "correction", "changes": [change]}]}


FAULTS: dict[str, tuple[dict[str, Json], dict[str, Json], str, tuple[str, ...]]] = {
    "another value stands there": (
        {"a": 3},
        {"path": "/a", "from": 1, "to": 2},
        "to",
        ("after this entry", "2", "/a", "3"),
    ),
    "text is not a number": ({"a": "2"}, {"path": "/a", "from": 1, "to": 2}, "to", ("2", '"2"')),
    "true is not 1": ({"a": True}, {"path": "/a", "from": 0, "to": 1}, "to", ("1", "true")),
    "the added field is gone": ({}, {"path": "/a", "to": 2}, "to", ("2", "/a", "nothing")),
    "the replaced field is gone": ({}, {"path": "/a", "from": 1, "to": 2}, "to", ("2", "/a", "nothing")),
    "the removed field stands": ({"a": 1}, {"path": "/a", "from": 1}, "path", ("nothing", "/a", "1")),
    "missing parent": ({"a": 1}, {"path": "/b/c", "to": 2}, "path", ("nothing at /b",)),
    "below a single value": ({"a": "text"}, {"path": "/a/0", "to": 2}, "path", ("/a", "single value")),
    "below a missing item": ({"l": [{}]}, {"path": "/l/1/v", "from": 1, "to": 2}, "path", ("/l/1",)),
    "item out of range": (
        {"l": ["a"]},
        {"path": "/l/1", "from": "b", "to": "c"},
        "to",
        ("c", "/l/1", "nothing"),
    ),
    "inserted item out of range": ({"l": ["a"]}, {"path": "/l/1", "to": "c"}, "to", ("c", "/l/1", "nothing")),
    "removed item out of range": ({"l": ["a"]}, {"path": "/l/3", "from": "c"}, "path", ("/l/3", "1 items")),
    "index with a leading zero": (
        {"l": ["a"]},
        {"path": "/l/00", "from": "b", "to": "a"},
        "to",
        ("/l/00", "nothing"),
    ),
    "appended without an index": ({"l": ["a"]}, {"path": "/l/-", "to": "a"}, "to", ("/l/-", "nothing")),
    "removed without an index": (
        {"l": []},
        {"path": "/l/-", "from": "a"},
        "from",
        ("before this entry", "/l/-"),
    ),
    "the log itself": (
        {},
        {"path": "/audit/0/reason", "from": "x", "to": "y"},
        "path",
        ("log itself", "/audit"),
    ),
    "the whole log": ({}, {"path": "/audit", "from": []}, "path", ("log itself", "/audit")),
    "malformed escape": ({"a~b": 1}, {"path": "/a~b", "from": 0, "to": 1}, "path", ("~0",)),
}


@pytest.mark.parametrize(("content", "change", "member", "fragments"), FAULTS.values(), ids=FAULTS)
def test_a_change_that_does_not_fit(
    content: dict[str, Json], change: dict[str, Json], member: str, fragments: tuple[str, ...]
) -> None:
    (fault,) = replay(one_change(content, change)).faults

    assert (fault.entry, fault.change) == (1, 0)
    assert fault.pointer == f"/audit/1/changes/0/{member}"
    assert fault.hint
    for fragment in fragments:
        assert fragment in fault.message


def test_a_change_inside_what_a_later_entry_removed() -> None:
    log = [
        {"action": "correction", "changes": [{"path": "/o/k", "from": 1, "to": 2}]},
        {"action": "correction", "changes": [{"path": "/o", "from": {"k": 9}}]},
    ]

    (fault,) = replay({"audit": log}).faults

    assert fault.pointer == "/audit/0/changes/0/to"
    assert "there is 9" in fault.message


def test_a_change_inside_what_was_removed_before() -> None:
    log = [
        {"action": "correction", "changes": [{"path": "/o", "from": {"k": 1}}]},
        {"action": "correction", "changes": [{"path": "/o/k", "from": 1, "to": 2}]},
    ]

    (fault,) = replay({"audit": log}).faults

    assert fault.pointer == "/audit/1/changes/0/path"


def test_one_wrong_entry_is_named_once_and_the_walk_goes_on() -> None:
    log = [
        {"action": "correction", "changes": [{"path": "/a", "from": 1, "to": 2}]},
        {"action": "correction", "changes": [{"path": "/a", "from": 2, "to": 7}]},
        {"action": "correction", "changes": [{"path": "/a", "from": 3, "to": 4}, {"path": "/b", "to": 1}]},
    ]

    story = replay({"a": 4, "audit": log})

    assert [(fault.entry, fault.change) for fault in story.faults] == [(1, 0), (2, 1)]
    assert story.contents[0] == {"a": 1}


def test_an_entry_kept_twice_does_not_replay() -> None:
    change: dict[str, Json] = {"path": "/accelerator_ids", "to": ["card"]}
    log: list[Json] = [{"action": "backfill", "changes": [change]}] * 2

    (fault,) = replay({"accelerator_ids": ["card"], "audit": log}).faults

    assert fault.entry == 0
    assert "[card]" in fault.message


def test_a_long_value_is_quoted_in_part() -> None:
    (fault,) = replay(one_change({"a": "x" * 5000}, {"path": "/a", "from": 1, "to": 2})).faults

    assert len(fault.message) < 400
    assert "…" in fault.message


def test_forwards_onto_another_base() -> None:
    entries = read_entries(one_change({}, {"path": "/a", "from": 1, "to": 2}))

    content, (fault,) = apply({"a": 5}, entries)

    assert content == {"a": 2}
    assert fault.pointer == "/audit/1/changes/0/from"
    assert fault.message == "before this entry 1 should stand at /a, but there is 5"
