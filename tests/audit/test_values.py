from __future__ import annotations

import pytest

from tools.audit.entry import ABSENT, Slot
from tools.audit.values import same, shown


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (24525, 24525.0),
        (0, 0.0),
        (None, None),
        ("a", "a"),
        (True, True),
        ([1, [2.0]], [1.0, [2]]),
        ({"a": 1, "b": 2}, {"b": 2.0, "a": 1}),
        (10**30, 10**30),
        (ABSENT, ABSENT),
    ],
)
def test_no_difference(one: Slot, other: Slot) -> None:
    assert same(one, other)
    assert same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, "1"),
        (1, True),
        (0, False),
        (0, None),
        (0, ABSENT),
        (None, ABSENT),
        ("", None),
        ([], {}),
        ([1], [1, 2]),
        ([1, 2], [2, 1]),
        ([1], [True]),
        ({"a": 1}, {"a": True}),
        ({"a": 1}, {"b": 1}),
        ({"a": None}, {}),
        ([1], 1),
    ],
)
def test_a_difference(one: Slot, other: Slot) -> None:
    assert not same(one, other)
    assert not same(other, one)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("decode_tok_s", "decode_tok_s"),
        ("two words", "two words"),
        ("1.10", '"1.10"'),
        ("true", '"true"'),
        ("", '""'),
        ("a ", '"a "'),
        ("a: b, c", '"a: b, c"'),
        ("two\nlines", '"two\\nlines"'),
        ("caf\u00e9", '"caf\u00e9"'),
        ("cafe\u0301", '"cafe\\u0301"'),
        (0, "0"),
        (2.5, "2.5"),
        (True, "true"),
        (None, "null"),
        (ABSENT, "nothing"),
        ([], "[]"),
        ({"min": 33, "max": [64]}, "{min: 33, max: [64]}"),
    ],
)
def test_shown_on_one_line(value: Slot, text: str) -> None:
    assert shown(value) == text


def test_a_long_value_is_cut_to_the_limit() -> None:
    assert shown("abcdef", limit=6) == "abcdef"
    assert shown("abcdefg", limit=6) == "abcde…"
