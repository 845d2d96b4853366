"""Amendments carried out: the changes, their order, and the entry that tells of them."""

from __future__ import annotations

from datetime import date

import pytest

from tools.audit.amend import Amended, amend
from tools.audit.amendment import Amendment, Signature, Step, Verb
from tools.audit.entry import ABSENT, Evidence
from tools.audit.replay import replay
from tools.errors import ToolsError
from tools.records.argument import read_argument
from tools.records.layout import KeyOrder, render
from tools.records.parse import Json, parse
from tools.records.revise import node_of

DAY = date(2026, 3, 1)
SIGNED = Signature("me", DAY, "Because.", (Evidence("paper", None, "Table 3", None),))
ENTRY = ("date", "by", "action", "rule", "reason", "evidence", "changes")
ORDER = KeyOrder({"a": None, "b": None, "audit": KeyOrder(items=KeyOrder(dict.fromkeys(ENTRY)))})


def put(place: str, value: Json) -> Step:
    return Step(Verb.PUT, place, node_of(value))


def insert(place: str, value: Json) -> Step:
    return Step(Verb.INSERT, place, node_of(value))


def remove(place: str) -> Step:
    return Step(Verb.REMOVE, place)


def amended(record: dict[str, Json], *steps: Step, signed: Signature = SIGNED) -> Amended:
    document = parse(render(record, ORDER).encode())
    done = amend(document, Amendment("correction", signed, steps), ORDER)
    assert parse(done.text.encode()).value == done.value
    story = replay(done.value)
    assert story.faults == ()
    assert story.contents[-2] == {key: value for key, value in record.items() if key != "audit"}
    return done


def content(done: Amended) -> dict[str, Json]:
    return {key: value for key, value in done.value.items() if key != "audit"}


def told(done: Amended) -> list[tuple[object, ...]]:
    return [(change.path, change.from_value, change.to_value) for change in done.changes]


def test_the_entry_as_it_is_written() -> None:
    done = amended({"a": 1}, put("/a", 2))
    assert done.text == (
        "a: 2\n"
        "audit:\n"
        "  - date: 2026-03-01\n"
        "    by: me\n"
        "    action: correction\n"
        "    reason: Because.\n"
        "    evidence:\n"
        "      - {source_id: paper, locator: Table 3}\n"
        "    changes:\n"
        "      - {path: /a, from: 1, to: 2}\n"
    )


def test_numbers_are_written_down_with_their_digits() -> None:
    document = parse(b"a: 2.20\nb: [1.0, 0.50]\n")
    steps = (Step(Verb.PUT, "/a", read_argument("2.40")), remove("/b"))
    text = amend(document, Amendment("correction", SIGNED, steps), ORDER).text
    assert "a: 2.40\n" in text
    assert "{path: /a, from: 2.20, to: 2.40}" in text
    assert "from: [1.0, 0.50]" in text


@pytest.mark.parametrize(
    ("record", "steps", "after", "changes"),
    [
        ({"a": 1}, [put("/b", 2)], {"a": 1, "b": 2}, [("/b", ABSENT, 2)]),
        ({"a": 1, "b": 2}, [remove("/b")], {"a": 1}, [("/b", 2, ABSENT)]),
        ({"a": [1]}, [put("/a/-", 2)], {"a": [1, 2]}, [("/a/1", ABSENT, 2)]),
        (
            {"a": [1]},
            [put("/a/-", 2), put("/a/-", 3)],
            {"a": [1, 2, 3]},
            [("/a/1", ABSENT, 2), ("/a/2", ABSENT, 3)],
        ),
        ({"a": [1, 2]}, [insert("/a/0", 0)], {"a": [0, 1, 2]}, [("/a/0", ABSENT, 0)]),
        (
            {"a": [1, 2, 3]},
            [remove("/a/0"), remove("/a/2")],
            {"a": [2]},
            [("/a/2", 3, ABSENT), ("/a/0", 1, ABSENT)],
        ),
        (
            {"a": [1, 2, 3]},
            [insert("/a/1", 9), put("/a/2", 8), remove("/a/0")],
            {"a": [9, 2, 8]},
            [("/a/2", 3, 8), ("/a/1", ABSENT, 9), ("/a/0", 1, ABSENT)],
        ),
        (
            {"a": [1, 2]},
            [insert("/a/1", 8), insert("/a/1", 9)],
            {"a": [1, 8, 9, 2]},
            [("/a/1", ABSENT, 9), ("/a/1", ABSENT, 8)],
        ),
        (
            {"a": [{"b": [1, 2]}, {"b": 3}]},
            [remove("/a/0/b/1"), insert("/a/0", 0), put("/a/1/b", 4)],
            {"a": [0, {"b": [1]}, {"b": 4}]},
            [("/a/1/b", 3, 4), ("/a/0/b/1", 2, ABSENT), ("/a/0", ABSENT, 0)],
        ),
        ({"a": {"x/y": 1, "~": 2}}, [put("/a/x~1y", 3)], {"a": {"x/y": 3, "~": 2}}, [("/a/x~1y", 1, 3)]),
        ({"a": {"~1": 1}}, [remove("/a/~01")], {"a": {}}, [("/a/~01", 1, ABSENT)]),
        ({"a": 1}, [put("/a", "1")], {"a": "1"}, [("/a", 1, "1")]),
        ({"a": 1}, [put("/a", True)], {"a": True}, [("/a", 1, True)]),
        ({"a": "e\u0301"}, [put("/a", "\u00e9")], {"a": "\u00e9"}, [("/a", "e\u0301", "\u00e9")]),
    ],
)
def test_places_mean_the_record_as_it_stands(
    record: dict[str, Json],
    steps: list[Step],
    after: dict[str, Json],
    changes: list[tuple[object, ...]],
) -> None:
    done = amended(record, *steps)
    assert content(done) == after
    assert told(done) == changes


@pytest.mark.parametrize(
    ("record", "steps", "message"),
    [
        ({"a": 1}, [put("/a", 1)], "change nothing"),
        ({"a": 24525}, [put("/a", 24525.0)], "change nothing"),
        ({"a": {"x": 1, "y": 2}}, [put("/a", {"y": 2, "x": 1})], "change nothing"),
        ({"a": 1}, [put("/a", 2), remove("/a")], "named twice"),
        ({"a": {"b": 1}}, [remove("/a"), put("/a/b", 2)], "holds /a/b"),
        ({"a": [1]}, [insert("/a/0/b", 2), remove("/a/0")], "holds /a/0/b"),
        ({"a": 1}, [put("/b/c", 2)], "nothing stands at /b"),
        ({"a": [1]}, [put("/a/1", 2)], "nothing stands at /a/1"),
        ({"a": [1]}, [put("/a/01", 2)], "nothing stands at /a/01"),
        ({"a": [1]}, [remove("/a/-")], "nothing stands at /a/-"),
        ({"a": [1]}, [insert("/a/1", 2)], "inserted"),
        ({"a": {"b": 1}}, [insert("/a/b", 2)], "inserted"),
        ({"a": 1}, [put("/a/b", 2)], "nothing stands at /a/b"),
        ({"a": 1}, [put("a", 2)], "not a JSON Pointer"),
        ({"a": 1}, [put("/~2", 2)], "not a JSON Pointer"),
        ({"a": 1}, [put("", 2)], "whole record"),
        ({"a": 1, "audit": [{"by": "x"}]}, [put("/audit/0/by", "y")], "only added to"),
        ({"a": 1, "audit": {"by": "x"}}, [put("/a", 2)], "not a list"),
    ],
)
def test_refused(record: dict[str, Json], steps: list[Step], message: str) -> None:
    with pytest.raises(ToolsError) as caught:
        amended(record, *steps)
    assert message in caught.value.message
    assert caught.value.hint


def test_a_hint_says_what_is_there_instead() -> None:
    with pytest.raises(ToolsError) as caught:
        amended({"a": [{"value": 1, "unit": "ms"}]}, put("/a/0/valeu/x", 2))
    assert caught.value.hint == "/a/0 has value, unit"
    with pytest.raises(ToolsError) as caught:
        amended({"a": [1]}, put("/a/7", 2))
    assert caught.value.hint == "/a has 1 item, counted from 0; /a/- appends one"


def test_a_correction_of_a_correction_and_back() -> None:
    first = amended({"a": 1}, put("/a", 2))
    second = amended(first.value, put("/a", 3))
    third = amended(second.value, put("/a", 1))
    assert [state["a"] for state in replay(third.value).contents] == [1, 2, 3, 1]


def test_several_entries_of_one_day_but_none_before_the_last() -> None:
    first = amended({"a": 1}, put("/a", 2))
    amended(first.value, put("/a", 3))
    with pytest.raises(ToolsError, match="2026-03-01") as caught:
        amended(first.value, put("/a", 3), signed=Signature("me", date(2026, 2, 28), "Because."))
    assert "cannot follow" in caught.value.message


def test_an_older_fault_of_the_log_is_left_to_the_rules() -> None:
    log: list[Json] = [{"action": "correction", "changes": [{"path": "/a", "from": 0, "to": 7}]}]
    document = parse(render({"a": 1, "audit": log}).encode())
    done = amend(document, Amendment("correction", SIGNED, (put("/a", 2),)), ORDER)
    assert [fault.entry for fault in replay(done.value).faults] == [0]


def test_a_file_that_cannot_be_read_is_left_alone() -> None:
    for content in (b"a: [", b"a: 1\na: 2\n", b"- 1\n", b""):
        with pytest.raises(ToolsError, match="cannot be read"):
            amend(parse(content), Amendment("correction", SIGNED, (put("/a", 2),)), ORDER)
