from __future__ import annotations

import copy

import pytest

from tools.audit.entry import read_entries
from tools.audit.replay import apply, replay, undo
from tools.records.parse import Json

Steps = list[list[dict[str, Json]]]


def record_with(content: dict[str, Json], *steps: list[dict[str, Json]]) -> dict[str, Json]:
    """A record with one entry for each list of changes."""
    return {**content, "audit": [{"action": "correction", "changes": list(changes)} for changes in steps]}


BACKWARDS: dict[str, tuple[dict[str, Json], Steps, dict[str, Json]]] = {
    "replaced": ({"a": 2}, [[{"path": "/a", "from": 1, "to": 2}]], {"a": 1}),
    "added": ({"a": 1, "b": 2}, [[{"path": "/b", "to": 2}]], {"a": 1}),
    "removed": ({"a": 1}, [[{"path": "/b", "from": 2}]], {"a": 1, "b": 2}),
    "added as null": ({"a": None}, [[{"path": "/a", "to": None}]], {}),
    "nested": (
        {"r": [{"v": 1}, {"v": 3}]},
        [[{"path": "/r/1/v", "from": 2, "to": 3}]],
        {"r": [{"v": 1}, {"v": 2}]},
    ),
    "whole list": ({"l": ["b"]}, [[{"path": "/l", "from": ["a"], "to": ["b"]}]], {"l": ["a"]}),
    "item replaced": ({"l": ["a", "x"]}, [[{"path": "/l/1", "from": "b", "to": "x"}]], {"l": ["a", "b"]}),
    "item inserted first": ({"l": ["x", "a"]}, [[{"path": "/l/0", "to": "x"}]], {"l": ["a"]}),
    "item inserted last": ({"l": ["a", "x"]}, [[{"path": "/l/1", "to": "x"}]], {"l": ["a"]}),
    "item removed": ({"l": ["a", "c"]}, [[{"path": "/l/1", "from": "b"}]], {"l": ["a", "b", "c"]}),
    "last item removed": ({"l": []}, [[{"path": "/l/0", "from": "a"}]], {"l": ["a"]}),
    "two insertions at one place": (
        {"l": ["y", "x", "a"]},
        [[{"path": "/l/0", "to": "x"}, {"path": "/l/0", "to": "y"}]],
        {"l": ["a"]},
    ),
    "escaped keys": (
        {"a/b": {"m~n": 2}, "": {"": 2}},
        [[{"path": "/a~1b/m~0n", "from": 1, "to": 2}, {"path": "//", "from": 1, "to": 2}]],
        {"a/b": {"m~n": 1}, "": {"": 1}},
    ),
    "key that looks like an index": (
        {"m": {"0": 2}},
        [[{"path": "/m/0", "from": 1, "to": 2}]],
        {"m": {"0": 1}},
    ),
    "removed and added again": (
        {"a": 2},
        [[{"path": "/a", "from": 1}], [{"path": "/a", "to": 2}]],
        {"a": 1},
    ),
    "changed inside what was added": (
        {"o": {"k": 2}},
        [[{"path": "/o", "to": {"k": 1}}, {"path": "/o/k", "from": 1, "to": 2}]],
        {},
    ),
    "changed, then removed whole": (
        {},
        [[{"path": "/o/k", "from": 1, "to": 2}], [{"path": "/o", "from": {"k": 2}}]],
        {"o": {"k": 1}},
    ),
    "number written otherwise": ({"a": 24525.0}, [[{"path": "/a", "from": 1, "to": 24525}]], {"a": 1}),
    "no changes": ({"a": 1}, [[], []], {"a": 1}),
}


@pytest.mark.parametrize(("content", "steps", "first"), BACKWARDS.values(), ids=BACKWARDS)
def test_walks_back_to_the_first_state(
    content: dict[str, Json], steps: Steps, first: dict[str, Json]
) -> None:
    record = record_with(content, *steps)
    untouched = copy.deepcopy(record)

    story = replay(record)

    assert story.faults == ()
    assert story.contents[0] == first
    assert story.contents[-1] == content
    assert record == untouched


@pytest.mark.parametrize(("content", "steps", "first"), BACKWARDS.values(), ids=BACKWARDS)
def test_forwards_undoes_backwards(content: dict[str, Json], steps: Steps, first: dict[str, Json]) -> None:
    entries = read_entries(record_with(content, *steps))

    assert apply(first, entries) == (content, [])


def test_a_state_holds_the_log_as_it_was() -> None:
    record = record_with({"a": 3}, [{"path": "/a", "from": 1, "to": 2}], [{"path": "/a", "from": 2, "to": 3}])
    log = record["audit"]
    assert isinstance(log, list)

    story = replay(record)

    assert [story.state(steps) for steps in range(3)] == [
        {"a": 1, "audit": []},
        {"a": 2, "audit": log[:1]},
        {"a": 3, "audit": log},
    ]


def test_states_leave_each_other_alone() -> None:
    record = record_with({"o": {"k": 2, "l": [1]}}, [{"path": "/o/k", "from": 1, "to": 2}])

    (before,) = (undo({"o": {"k": 2, "l": [1]}}, entry).content for entry in read_entries(record))

    assert before == {"o": {"k": 1, "l": [1]}}
    assert record["o"] == {"k": 2, "l": [1]}


@pytest.mark.parametrize("record", [None, 7, "text", [1], {}, {"audit": {}}, {"a": 1, "audit": [3, None]}])
def test_what_has_no_log_has_one_state(record: Json) -> None:
    story = replay(record)

    assert story.entries == ()
    assert story.faults == ()
    assert len(story.contents) == 1
