"""Bytes to values: every departure from the subset by name and place, and never a traceback."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tools.records.parse import MAX_BYTES, MAX_DEPTH, MAX_KEY, MAX_PROBLEMS, Problem, parse

VALUES = [
    ("block mapping", "a: 1\nb: two\n", {"a": 1, "b": "two"}),
    ("flow mapping", "{a: 1, b: {c: null}}", {"a": 1, "b": {"c": None}}),
    ("list", "- 1\n- [a, b]\n- c: d\n", [1, ["a", "b"], {"c": "d"}]),
    ("single value", "hello", "hello"),
    ("null", "null", None),
    ("document marks", "---\na: 1\n...\n", {"a": 1}),
    ("empty value", "a:\nb: ~\n", {"a": None, "b": None}),
    ("keys are text", '1: a\nnull: b\ntrue: c\n"": d\n', {"1": "a", "null": "b", "true": "c", "": "d"}),
    ("quoted is text", 'a: "1"\nb: \'true\'\nc: ""\n', {"a": "1", "b": "true", "c": ""}),
    ("blocks are text", "a: |\n  1\nb: >-\n  2\n  3\n", {"a": "1\n", "b": "2 3"}),
    ("carriage returns", "a: 1\r\nb: |\r\n  x\r\n", {"a": 1, "b": "x\n"}),
    ("escapes", r'a: "\t\n\\\"\u00e9\U0001F600\0"', {"a": '\t\n\\"é😀\0'}),
    ("quoted merge sign", '"<<": 1', {"<<": 1}),
    ("beyond the basic plane", "a: 😀\n", {"a": "😀"}),
    ("anchor signs in text", "a: b & c ! d * e\n", {"a": "b & c ! d * e"}),
]


@pytest.mark.parametrize(("text", "value"), [case[1:] for case in VALUES], ids=[case[0] for case in VALUES])
def test_value(text: str, value: object) -> None:
    document = parse(text.encode())
    assert document.problems == []
    assert document.value == value
    assert not document.broken


# name, content, rule, (line, column), part of the message, value if the structure holds
PROBLEMS = [
    ("not UTF-8", b"a: 1\nb: \xff", "not-utf8", (2, 4), "0xFF", None),
    ("UTF-16", "a: 1".encode("utf-16"), "not-utf8", (1, 1), "not UTF-8", None),
    ("encoded surrogate", b"a: \xed\xa0\x80", "not-utf8", (1, 4), "0xED", None),
    ("byte-order mark", b"\xef\xbb\xbfa: 1", "byte-order-mark", (1, 1), "byte-order mark", {"a": 1}),
    ("tab before a key", b"a:\n\tb: 1", "tab-character", (2, 1), "tab", None),
    ("tab in text", b"a: b\tc", "tab-character", (1, 5), "tab", {"a": "b\tc"}),
    ("many tabs", b"a: b\tc\td\te", "tab-character", (1, 5), "and 2 more", {"a": "b\tc\td\te"}),
    ("NUL", b"a: b\0c", "control-character", (1, 5), "U+0000", {"a": "b\ufffdc"}),
    ("delete", b"a: b\x7fc", "control-character", (1, 5), "U+007F", {"a": "b\ufffdc"}),
    ("next line", "a: b\x85c".encode(), "control-character", (1, 5), "U+0085", {"a": "b\ufffdc"}),
    (
        "line separator",
        "a: b\u2028c".encode(),
        "control-character",
        (1, 5),
        "LINE SEPARATOR",
        {"a": "b\ufffdc"},
    ),
    ("paragraph end", "a: b\u2029c".encode(), "control-character", (1, 5), "PARAGRAPH", {"a": "b\ufffdc"}),
    (
        "bidi",
        "a: b\u202ec".encode(),
        "control-character",
        (1, 5),
        "RIGHT-TO-LEFT OVERRIDE",
        {"a": "b\ufffdc"},
    ),
    ("isolate", "a: b\u2066c".encode(), "control-character", (1, 5), "ISOLATE", {"a": "b\ufffdc"}),
    (
        "inner byte-order mark",
        "a: b\ufeffc".encode(),
        "control-character",
        (1, 5),
        "U+FEFF",
        {"a": "b\ufffdc"},
    ),
    ("lone carriage return", b"a: b\rc: d", "control-character", (1, 5), "U+000D", None),
    ("no bytes", b"", "empty-file", (1, 1), "no record", None),
    ("only comments", b"# a\n\n# b\n", "empty-file", (1, 1), "no record", None),
    ("only a mark", b"---\n", "empty-file", (1, 1), "no record", None),
    ("two documents", b"a: 1\n---\nb: 2\n", "several-documents", (2, 1), "second document", {"a": 1}),
    ("key twice", b"a: 1\nb: 2\na: 3\n", "duplicate-key", (3, 1), "line 1", {"a": 3, "b": 2}),
    ("key twice in a line", b"{a: 1, a: 2}", "duplicate-key", (1, 8), "line 1", {"a": 2}),
    (
        "key twice below",
        b"- x: {}\n- b: 1\n  'b': 2\n",
        "duplicate-key",
        (3, 3),
        "line 2",
        [{"x": {}}, {"b": 2}],
    ),
    ("merge key", b"a:\n  <<: {b: 1}\n", "merge-key", (2, 3), "<<", {"a": {"<<": {"b": 1}}}),
    ("anchor", b"a: &x 1\n", "anchor-or-alias", (1, 4), "&x", {"a": 1}),
    ("anchor of a list", b"a: &x [1]\n", "anchor-or-alias", (1, 4), "&x", {"a": [1]}),
    ("alias", b"a: *x\n", "anchor-or-alias", (1, 4), "*x", {"a": "*x"}),
    ("alias as a key", b"*x : 1\n", "anchor-or-alias", (1, 1), "*x", {"*x": 1}),
    ("tag", b"a: !!str 1\n", "explicit-tag", (1, 4), "str", {"a": 1}),
    ("unknown tag", b"a: !x {b: 1}\n", "explicit-tag", (1, 4), "!x", {"a": {"b": 1}}),
    ("bare tag", b"a: ! b\n", "explicit-tag", (1, 4), "!", {"a": "b"}),
    ("tag outside UTF-8", b"a: !%ed%a0%80 x\n", "explicit-tag", (1, 1), "tag", None),
    ("list as a key", b"[a, b]: c\n", "complex-key", (1, 1), "as a key", {"(key in line 1, column 1)": "c"}),
    (
        "mapping as a key",
        b"? a: 1\n: b\n",
        "complex-key",
        (1, 3),
        "as a key",
        {"(key in line 1, column 3)": "b"},
    ),
    ("long key", b"k" * 101 + b": 1", "complex-key", (1, 1), "101", {"k" * 101: 1}),
    ("too deep", b"[" * 33 + b"]" * 33, "nested-too-deep", (1, 33), "32", None),
    ("too deep mappings", b"{a: " * 10_000, "nested-too-deep", (1, 129), "32", None),
    ("too deep dashes", b"- " * 10_000, "nested-too-deep", (1, 65), "32", None),
    ("ambiguous", b"a: 010\n", "ambiguous-scalar", (1, 4), "010", {"a": "010"}),
    ("ambiguous in a list", b"- 1\n- 0x1F\n", "ambiguous-scalar", (2, 3), "0x1F", [1, "0x1F"]),
    ("infinite", b"a: .inf\n", "non-finite-number", (1, 4), ".inf", {"a": ".inf"}),
    ("overflow", b"a: 1e999\n", "non-finite-number", (1, 4), "1e999", {"a": "1e999"}),
    ("5,000 digits", b"a: " + b"1" * 5000, "non-finite-number", (1, 4), "5,000 digits", {"a": "1" * 5000}),
    ("directive", b"%YAML 1.1\n---\na: 1\n", "yaml-syntax", (1, 1), "directive", {"a": 1}),
    ("colon in text", b"a: b: c\n", "yaml-syntax", (1, 5), "where no key can be", None),
    ("no colon", b"a: 1\nb\nc: 2\n", "yaml-syntax", (2, 1), "not `key: value`", None),
    ("no colon at the end", b"a: b\nc\n", "yaml-syntax", (2, 1), "not `key: value`", None),
    ("open quote", b'a: "b\nc: d\n', "yaml-syntax", (1, 4), "never closed", None),
    ("open bracket", b"a: 1\nb: [1,\n  2\n", "yaml-syntax", (2, 4), "never closed", None),
    ("open brace", b"b: {a: 1\n", "yaml-syntax", (1, 4), "never closed", None),
    ("bracket too many", b"a: [1]]\n", "yaml-syntax", (1, 7), "a key was expected", None),
    ("text after the end", b"[a]]", "yaml-syntax", (1, 4), "record has ended", None),
    ("two commas", b"[1,,2]", "yaml-syntax", (1, 4), "value was expected", None),
    ("indentation", b"a:\n  b: 1\n c: 2\n", "yaml-syntax", (3, 2), "key was expected", None),
    ("key after a list", b"- a\nb: 1\n", "yaml-syntax", (2, 1), "list does not go on", None),
    ("quote inside quotes", b"a: 'it's'\n", "yaml-syntax", (1, 8), "key was expected", None),
    ("at sign", b"a: @x\n", "yaml-syntax", (1, 4), "cannot start with this character", None),
    ("bad escape", b'a: "\\q"\n', "yaml-syntax", (1, 5), "escape", None),
    ("lone surrogate", b'a: "\\ud800"\n', "yaml-syntax", (1, 7), "no character", None),
    ("unknown directive", b"%FOO\n---\na: 1\n", "yaml-syntax", (1, 5), "%", None),
]


@pytest.mark.parametrize(
    ("content", "rule", "place", "fragment", "value"),
    [case[1:] for case in PROBLEMS],
    ids=[case[0] for case in PROBLEMS],
)
def test_problem(content: bytes, rule: str, place: tuple[int, int], fragment: str, value: object) -> None:
    document = parse(content)
    assert [problem.rule for problem in document.problems] == [rule]
    (problem,) = document.problems
    assert problem.location == place
    assert fragment in problem.message
    assert problem.hint
    assert document.value == value
    assert document.broken == (value is None)


def test_too_large_is_not_read() -> None:
    document = parse(b"a" * (MAX_BYTES + 1))
    assert [problem.rule for problem in document.problems] == ["file-too-large"]
    assert (document.text, document.broken) == ("", True)
    assert parse(b"a" * MAX_BYTES).problems == []


def test_deepest_and_longest_that_are_allowed() -> None:
    assert parse(b"[" * MAX_DEPTH + b"]" * MAX_DEPTH).problems == []
    assert parse(b"k" * MAX_KEY + b": 1").problems == []


@pytest.mark.parametrize(
    "content", [b"[" * 10_000, b"{" * 10_000, b"[\n" * 10_000, b"? " * 10_000, b"{[" * 10_000]
)
def test_nothing_nests_too_deep_to_be_refused(content: bytes) -> None:
    assert [problem.rule for problem in parse(content).problems if problem.rule != "complex-key"] == [
        "nested-too-deep"
    ]


def test_several_problems_come_in_the_order_of_the_text() -> None:
    document = parse(b"a: 010\nb: &x 1\na: .nan\nc:\t!!int 2\n")
    assert [(problem.rule, *problem.location) for problem in document.problems] == [
        ("ambiguous-scalar", 1, 4),
        ("anchor-or-alias", 2, 4),
        ("duplicate-key", 3, 1),
        ("non-finite-number", 3, 4),
        ("tab-character", 4, 3),
        ("explicit-tag", 4, 4),
    ]
    assert document.value == {"a": ".nan", "b": 1, "c": 2}


def test_many_problems_are_counted() -> None:
    document = parse(b"- *a\n" * 300)
    assert len(document.problems) == MAX_PROBLEMS
    assert "200 more problems" in document.problems[-1].message
    assert document.unlisted == 200


@pytest.mark.parametrize("text", ["- 010\n", "a: 1\n"])
def test_what_is_only_counted_is_not_put_into_words(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    def counted(rule: str, *rest: Any) -> Problem:
        told.append(rule)
        return Problem(rule, *rest)

    def described(word: str, refused: re.Match[str]) -> tuple[str, str]:
        words.append(refused[0])
        return word, ""

    words: list[str] = []
    monkeypatch.setattr("tools.records.subset.Problem", counted)
    monkeypatch.setattr("tools.records.scalars._ambiguous", described)
    document = parse(text.encode() * 1000)
    assert document.unlisted in (900, 899)
    assert len(told) == MAX_PROBLEMS
    assert len(words) <= 2 * MAX_PROBLEMS


def test_bombs_are_never_expanded() -> None:
    levels = [b"a0: &a0 [x, x]"]
    levels += [b"a%d: &a%d [%s]" % (n, n, b", ".join([b"*a%d" % (n - 1)] * 10)) for n in range(1, 20)]
    document = parse(b"\n".join(levels))
    assert {problem.rule for problem in document.problems} == {"anchor-or-alias"}


@pytest.mark.parametrize(
    "content", [bytes(range(256)), b"\x89PNG\r\n\x1a\n\0\0", b"\x7fELF\2\1\1\0", b"PK\3\4"]
)
def test_binary_files_have_problems(content: bytes) -> None:
    assert parse(content).problems


def test_lines_of_the_text() -> None:
    document = parse("a: 1\r\nb: é\n\nc: 3".encode())
    assert [document.line(number) for number in range(7)] == ["", "a: 1", "b: é", "", "c: 3", "", ""]
    assert parse(b"a: \xff\n").line(1) == "a: \ufffd"
