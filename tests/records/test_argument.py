"""Values from the command line."""

from __future__ import annotations

import pytest

from tools.errors import ToolsError
from tools.records.argument import read_argument
from tools.records.revise import value_of
from tools.records.tree import Scalar


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("24525", 24525),
        ("-1.5", -1.5),
        ('"0.10"', "0.10"),
        ("vllm", "vllm"),
        ("true", True),
        ("yes", "yes"),
        ("2026-10-05", "2026-10-05"),
        ("[a, b]", ["a", "b"]),
        ('{"min": 1, "max": 2}', {"min": 1, "max": 2}),
        ("[\n  1,\n  2\n]", [1, 2]),
        ('"Note: a #b"', "Note: a #b"),
        ('"null"', "null"),
    ],
)
def test_read_as_in_a_record(text: str, value: object) -> None:
    read = value_of(read_argument(text))
    assert read == value
    assert type(read) is type(value)


def test_a_number_keeps_its_digits() -> None:
    node = read_argument("2.20")
    assert isinstance(node, Scalar)
    assert node.spelling == "2.20"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "empty"),
        ("  ", "empty"),
        ("null", "no value"),
        ("Note: a remark", "mapping"),
        ("- a", "list"),
        ("see #3", "comment"),
        ("one\ntwo", "lines"),
        ("010", "010"),
        ("[a", "not a value"),
        ("&a b", "anchor"),
        (".nan", "quantity"),
        ("\udcff", "UTF-8"),
    ],
)
def test_refused(text: str, told: str) -> None:
    with pytest.raises(ToolsError) as caught:
        read_argument(text)
    assert told in caught.value.message
    assert caught.value.hint
