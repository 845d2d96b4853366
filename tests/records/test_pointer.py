"""JSON Pointers: reading and changing a value in place."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tools.records import pointer
from tools.records.pointer import PointerError

RFC_6901: dict[str, Any] = {"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, " ": 7, "m~n": 8}
RFC_6901_ANSWERS = [
    ("", RFC_6901),
    ("/foo", ["bar", "baz"]),
    ("/foo/0", "bar"),
    ("/", 0),
    ("/a~1b", 1),
    ("/c%d", 2),
    ("/ ", 7),
    ("/m~0n", 8),
]


@pytest.mark.parametrize(("path", "value"), RFC_6901_ANSWERS)
def test_get(path: str, value: object) -> None:
    assert pointer.get(RFC_6901, path) == value
    assert pointer.join(pointer.split(path)) == path


def test_escapes_are_undone_once() -> None:
    assert pointer.split("/~01") == ("~1",)
    assert pointer.join(["~1", "/", 3]) == "/~01/~1/3"


NOWHERE = [
    *[
        "foo",
        "/~2",
        "/~",
        "/missing",
        "/foo/2",
        "/foo/-",
        "/foo/00",
        "/foo/01",
        "/foo/-1",
        "/foo/+1",
        "/foo/1e0",
    ],
    *["/foo/٠", "/foo/bar", "/foo/0/x", "/foo/", "/foo/ 0", "/foo/" + "9" * 5000],
]


@pytest.mark.parametrize("path", NOWHERE)
def test_nothing_there(path: str) -> None:
    for action in (pointer.get, pointer.remove, lambda value, path: pointer.replace(value, path, 1)):
        value = copy.deepcopy(RFC_6901)
        with pytest.raises(PointerError):
            action(value, path)
        assert value == RFC_6901


PUTS = [
    ("/new", {"list": [1, 2], "a": {}, "new": 9}),
    ("/a", {"list": [1, 2], "a": 9}),
    ("/a/b", {"list": [1, 2], "a": {"b": 9}}),
    ("/a/0", {"list": [1, 2], "a": {"0": 9}}),
    ("/list/0", {"list": [9, 1, 2], "a": {}}),
    ("/list/2", {"list": [1, 2, 9], "a": {}}),
    ("/list/-", {"list": [1, 2, 9], "a": {}}),
    ("/list", {"list": 9, "a": {}}),
]


@pytest.mark.parametrize(("path", "after"), PUTS)
def test_put(path: str, after: object) -> None:
    value: Any = {"list": [1, 2], "a": {}}
    pointer.put(value, path, 9)
    assert value == after


@pytest.mark.parametrize("path", ["", "/list/3", "/list/01", "/list/x", "/list/0/x", "/b/c", "bad"])
def test_put_nowhere(path: str) -> None:
    value: Any = {"list": [1, 2], "a": {}}
    with pytest.raises(PointerError):
        pointer.put(value, path, 9)
    assert value == {"list": [1, 2], "a": {}}


def test_replace_and_remove_give_back_what_stood_there() -> None:
    value: Any = {"list": [1, {"x": 2}], "a": 3}
    assert pointer.replace(value, "/list/1/x", 5) == 2
    assert pointer.replace(value, "/list/0", 7) == 1
    assert value == {"list": [7, {"x": 5}], "a": 3}
    assert pointer.remove(value, "/list/0") == 7
    assert pointer.remove(value, "/a") == 3
    assert value == {"list": [{"x": 5}]}


@pytest.mark.parametrize("action", [pointer.remove, lambda value, path: pointer.replace(value, path, 1)])
def test_the_whole_record_cannot_be_changed_in_place(action: Any) -> None:
    with pytest.raises(PointerError):
        action({}, "")
