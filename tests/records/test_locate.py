"""Places of values and keys."""

from __future__ import annotations

import pytest

from tools.records.outline import Outline
from tools.records.parse import parse

TEXT = """\
id: x
engine: {id: vllm, version: 1}
results:
  - metric: a
    value: 1
  -
    metric: b
empty:
a/b~c: é 😀
text: |
  line
after: 1
"""

PLACES = [
    ("", False, (1, 1)),
    ("", True, (1, 1)),
    ("/id", False, (1, 5)),
    ("/id", True, (1, 1)),
    ("/engine", False, (2, 9)),
    ("/engine/version", False, (2, 29)),
    ("/engine/version", True, (2, 20)),
    ("/engine/commit", False, (2, 9)),
    ("/engine/commit", True, (2, 1)),
    ("/engine/version/x", True, (2, 20)),
    ("/results", False, (4, 3)),
    ("/results", True, (3, 1)),
    ("/results/0", False, (4, 5)),
    ("/results/0/value", True, (5, 5)),
    ("/results/1/metric", False, (7, 13)),
    ("/results/2", False, (4, 3)),
    ("/results/00", True, (3, 1)),
    ("/results/-", True, (3, 1)),
    ("/empty", False, (8, 7)),
    ("/a~1b~0c", False, (9, 8)),
    ("/text", False, (10, 7)),
    ("/after", True, (12, 1)),
    ("/nothing", True, (1, 1)),
    ("malformed", True, (1, 1)),
]


@pytest.mark.parametrize(("pointer", "key", "place"), PLACES)
def test_place(pointer: str, key: bool, place: tuple[int, int]) -> None:
    assert parse(TEXT.encode()).locate(pointer, key) == place


def test_places_are_the_same_with_other_line_ends() -> None:
    document = parse(TEXT.replace("\n", "\r\n").encode())
    assert document.problems == []
    assert [document.locate(pointer, key) for pointer, key, _ in PLACES] == [place for *_, place in PLACES]


def test_of_a_key_given_twice_the_last_is_found() -> None:
    assert parse(b"a: 1\nb: 2\na: 3\n").locate("/a") == (3, 4)


def test_places_beside_refused_characters() -> None:
    assert parse("\ufeffa: \u2028 [1,\n 2]\n".encode()).locate("/a") == (1, 4)


def test_collection_as_a_key() -> None:
    document = parse(b"x: 1\n[a]: {b: c}\n")
    assert document.locate("/(key in line 2, column 1)/b") == (2, 10)


def test_broken_documents_have_only_a_start() -> None:
    assert parse(b"a: [1\n").locate("/a/0") == (1, 1)


def test_numbers_as_they_are_written() -> None:
    document = parse(b"a: 2.20\nb: [1E5, x]\nc: true\n")
    written = {path: document.spelling(path) for path in ("/a", "/b/0", "/b/1", "/c", "/b", "/none")}
    assert written == {"/a": "2.20", "/b/0": "1E5", "/b/1": "", "/c": "", "/b": "", "/none": ""}


def test_below_a_number_nothing_is_written() -> None:
    document = parse(b"a: 2.20\nb: [1E5]\n")
    written = [document.spelling(path) for path in ("/a/x", "/a/0", "/b/0/0", "/b/1", "a")]
    assert written == ["", "", "", "", ""]
    assert parse(b"2.20\n").spelling("malformed") == ""


def test_a_text_is_followed_once_for_all_its_places(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    def counted(text: str) -> Outline:
        calls.append(text)
        return Outline(text)

    monkeypatch.setattr("tools.records.parse.Outline", counted)
    document = parse(b"- {a: 1}\n" * 3)
    assert [document.locate(f"/{index}/a") for index in range(3)] == [(1, 7), (2, 7), (3, 7)]
    assert len(calls) == 1
