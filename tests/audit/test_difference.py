"""The changes between two contents: as few as a person would make, and always a way from one to the other."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_replay_properties import RECORDS, VALUES, change_once

from tools.audit.difference import difference, identity
from tools.audit.entry import ABSENT, AuditEntry
from tools.audit.replay import apply, undo
from tools.audit.values import same


def entry(before: Any, after: Any) -> AuditEntry:
    return AuditEntry(0, None, None, "correction", "", None, (), difference(before, after))


def steps(before: Any, after: Any) -> list[tuple[Any, ...]]:
    return [
        (change.path, *("-" if value is ABSENT else value for value in (change.from_value, change.to_value)))
        for change in difference({"x": before}, {"x": after})
    ]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (1, 1.0, []),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, []),
        (1.1, "1.10", [("/x", 1.1, "1.10")]),
        (1, True, [("/x", 1, True)]),
        (None, 0, [("/x", None, 0)]),
        ("e\u0301", "\u00e9", [("/x", "e\u0301", "\u00e9")]),
        ({"a/b": {"~": 1}}, {"a/b": {"~": 2}}, [("/x/a~1b/~0", 1, 2)]),
        ({"a": 1}, {"b": 1}, [("/x/a", 1, "-"), ("/x/b", "-", 1)]),
        ([1, 2, 3], [0, 1, 2, 3], [("/x/0", "-", 0)]),
        ([1, 2, 3], [1, 2], [("/x/2", 3, "-")]),
        ([1, 2, 3, 4], [2, 4], [("/x/2", 3, "-"), ("/x/0", 1, "-")]),
        (
            [{"v": 1}, {"v": 2}],
            [{"v": 0}, {"v": 1}, {"v": 2, "w": 1}],
            [("/x/0", "-", {"v": 0}), ("/x/2/w", "-", 1)],
        ),
        ([1, 1, 1], [1, 1], [("/x/2", 1, "-")]),
        ([], [[]], [("/x/0", "-", [])]),
        ({}, [], [("/x", {}, [])]),
        ([[1, 2]], [[1, 2, 3]], [("/x/0/2", "-", 3)]),
    ],
)
def test_what_differs(before: Any, after: Any, expected: list[tuple[Any, ...]]) -> None:
    assert steps(before, after) == expected


def test_long_lists_are_compared_place_by_place() -> None:
    before, after = list(range(1, 3000)), list(range(10_000, 13_000))
    changes = difference({"x": before}, {"x": after})
    assert len(changes) == 3000
    assert apply({"x": before}, [entry({"x": before}, {"x": after})]).content == {"x": after}


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_the_changes_lead_from_one_to_the_other_and_back(data: st.DataObject) -> None:
    before = data.draw(RECORDS)
    after = copy.deepcopy(before)
    for _ in range(data.draw(st.integers(0, 4))):
        change_once(data, after)
    kept = copy.deepcopy((before, after))
    found = entry(before, after)
    there = apply(before, [found])
    back = undo(after, found)
    assert not there.faults
    assert not back.faults
    assert same(there.content, after)
    assert same(back.content, before)
    assert (before, after) == kept
    assert bool(found.changes) != same(before, after)


@settings(max_examples=80, deadline=None)
@given(VALUES, VALUES)
def test_two_values_have_one_identity_exactly_when_they_are_the_same(one: Any, other: Any) -> None:
    assert (identity(one) == identity(other)) == same(one, other)
    assert identity(one) == identity(copy.deepcopy(one))
