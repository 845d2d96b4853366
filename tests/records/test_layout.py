"""Canonical text: its form, that comments and printed digits survive, and what is refused."""

from __future__ import annotations

import pytest

from tools.errors import ToolsError
from tools.records import pointer
from tools.records.layout import WIDTH, KeyOrder, format_document, render, rewrite_document
from tools.records.parse import Json, parse

ORDER = KeyOrder(
    {"id": None, "results": KeyOrder(items=KeyOrder({"metric": None, "value": None})), "notes": None}
)


def formatted(text: str, order: KeyOrder = ORDER) -> str:
    once = format_document(parse(text.encode()), order)
    assert format_document(parse(once.encode()), order) == once
    return once


# name, before, after ("" when it is canonical already)
FORMS = [
    ("canonical", "id: x\nengine: {id: vllm}\nids: [a, b]\nlist:\n  - {a: 1}\n  - b: [1]\n", ""),
    ("the record is a block", "{id: x, b: 2}", "id: x\nb: 2\n"),
    ("list items are indented", "a:\n- 1\n- b:\n    c: {}\n", "a:\n  - 1\n  - b:\n      c: {}\n"),
    ("lists in lists", "a: [[1, 2], [[]]]", "a:\n  - [1, 2]\n  - - []\n"),
    ("single values share a line", "a:\n  b: 1\n  c: x\nd:\n- 1\n- 2\n", "a: {b: 1, c: x}\nd: [1, 2]\n"),
    ("nothing inside", "a: {  }\nb: [ ]\nc:\nd: ''\n", 'a: {}\nb: []\nc: null\nd: ""\n'),
    ("key order", "z: 1\nnotes: m\na: 2\nid: x\n", "id: x\nnotes: m\nz: 1\na: 2\n"),
    ("key order inside", "results: [{value: 1, metric: m}]", "results:\n  - {metric: m, value: 1}\n"),
    ("document marks", "---\nid: x\n...\n", "id: x\n"),
    ("line ends", "id: x\r\na: |\r\n  b\r\n  c\r\n", "id: x\na: |\n  b\n  c\n"),
    ("blank lines", "\n\nid: x\n\n\na: 1\n\n", "id: x\na: 1\n"),
    ("printed digits", "a: 2.20\nb: 1E5\nc: -0\nd: [1.0, 10e-3]\n", ""),
    ("null", "a: ~\nb: Null\n", "a: null\nb: null\n"),
    ("quotes that are not needed", "a: 'x'\nb: \"y z\"\n", "a: x\nb: y z\n"),
    ("quotes that are", "a: 'yes'\nb: '1'\nc: 12:30:45\n", 'a: "yes"\nb: "1"\nc: "12:30:45"\n'),
    ("dates", "a: 2025-01-02\nb: '2025-01-02'\n", "a: 2025-01-02\nb: 2025-01-02\n"),
    ("quoted keys", "1: a\nyes: b\n'x y': c\n", '"1": a\n"yes": b\nx y: c\n'),
    ("commas in brackets", "a: ['b, c', 'd: e', f]", 'a: ["b, c", "d: e", f]\n'),
    ("links in brackets", "a: ['https://x.y/z', 'https://x.y/?z']", 'a: [https://x.y/z, "https://x.y/?z"]\n'),
    ("text with line breaks", 'a: "b\\nc\\n"\nd: "e\\n\\nf"\n', "a: |\n  b\n  c\nd: |-\n  e\n\n  f\n"),
    (
        "line breaks that need quotes",
        'a: " b\\nc"\nd: "e \\nf"\ng: "h\\n\\n"\n',
        'a: " b\\nc"\nd: "e \\nf"\ng: "h\\n\\n"\n',
    ),
    ("line breaks in an item", '- "b\\nc"\n', "- |-\n  b\n  c\n"),
    ("line breaks open the collection", 'a: {b: "c\\nd"}', "a:\n  b: |-\n    c\n    d\n"),
    (
        "escapes",
        'a: "\\t\\u2028\\x07\\u202e\\ufeff\\x7f\\0é😀"',
        'a: "\\t\\u2028\\u0007\\u202e\\ufeff\\u007f\\u0000é😀"\n',
    ),
    ("single value", "'x'", "x\n"),
    ("single text with line breaks", '"x\\ny"', "|-\n  x\n  y\n"),
    ("list", "[1, {a: 2}]", "- 1\n- {a: 2}\n"),
]


@pytest.mark.parametrize(("before", "after"), [case[1:] for case in FORMS], ids=[case[0] for case in FORMS])
def test_form(before: str, after: str) -> None:
    assert formatted(before) == (after or before)


def test_long_text_is_folded_within_the_width() -> None:
    words = "word " * 60 + "end  of text"
    text = formatted(f"a: {words}\nb:\n  - c: {words}\n    d: []\n")
    assert text.startswith("a: >-\n  word word")
    assert "\n  - c: >-\n      word" in text
    assert max(map(len, text.splitlines())) <= WIDTH
    assert parse(text.encode()).value == {"a": words, "b": [{"c": words, "d": []}]}


@pytest.mark.parametrize("tail", ["x", " ", "\\t"])
def test_long_text_that_cannot_be_broken_stays_on_its_line(tail: str) -> None:
    text = formatted(f'a: "{"x" * 150}{tail}"\n')
    assert len(text.splitlines()) == 1


def test_collections_break_where_a_line_ends() -> None:
    fits = "a: [" + ", ".join(["xxxx"] * 15) + ", " + "y" * 5 + "]"
    assert len(fits) == WIDTH
    assert formatted(fits) == fits + "\n"
    assert formatted(fits.replace("y]", "yy]")).startswith("a:\n  - xxxx\n")


# name, before, after ("" when it is canonical already)
COMMENTS = [
    ("above and beside", "# top of a\na: 1  # beside a\n# above b\nb: [1]  # beside b\n# end\n", ""),
    ("first line for editors", "# yaml-language-server: $schema=x\nid: x\n", ""),
    (
        "the editor line stays first",
        "# yaml-language-server: $schema=x\n# about z\nz: 1\nid: x\n",
        "# yaml-language-server: $schema=x\nid: x\n# about z\nz: 1\n",
    ),
    ("editor lines anywhere", "a: 1 # yaml-language-server: x\n", "# yaml-language-server: x\na: 1\n"),
    (
        "header",
        "# license\n# more\n\n# about z\nz: 1\nid: x\n",
        "# license\n# more\n\nid: x\n# about z\nz: 1\n",
    ),
    (
        "moves with its key",
        "# about z\nz: 1  # one\n# about id\nid: x\n",
        "# about id\nid: x\n# about z\nz: 1  # one\n",
    ),
    ("opens a collection", "a: {b: 1, # one\n  c: 2}", "a:\n  b: 1  # one\n  c: 2\n"),
    ("above in brackets", "a: [1,\n  # two\n  2]", "a:\n  - 1\n  # two\n  - 2\n"),
    ("at the end of brackets", "a: [1\n  # end\n  ] # all\n", "a:  # all\n  - 1\n  # end\n"),
    ("in empty brackets", "a: [ # one\n  # two\n  ]", "# two\na: []  # one\n"),
    ("beside brackets", "a: [1, 2]   #two spaces\n", "a: [1, 2]  #two spaces\n"),
    ("beside a key", "a:  # all\n  b: {c: 1}\n", "a:  # all\n  b: {c: 1}\n"),
    ("beside a key that becomes a line", "a: # all\n  b: 1\n", "a: {b: 1}  # all\n"),
    ("below a key", "a:\n  # about b\n  b: 1\n", ""),
    ("between key and value", "a:\n  # here\n  b\n", "# here\na: b\n"),
    ("two beside", "a: # one\n  b # two\n", "# one\na: b  # two\n"),
    ("beside a dash", "- # one\n  a: {b: []}\n- # two\n  c\n", "# one\n- a:\n    b: []\n# two\n- c\n"),
    ("below a dash", "- a: 1\n-\n    # two\n  b: 2\n", "- {a: 1}\n# two\n- {b: 2}\n"),
    ("first in an item", "- b: 1 # b\n  # about id\n  a: 2\n", "- b: 1  # b\n  # about id\n  a: 2\n"),
    ("end of a list", "a:\n  - 1\n  # end of a\n# about b\nb: 2\n", ""),
    ("ends inside ends", "a:\n  - b: 1\n    # end of item\n  # end of a\nc: 2\n", ""),
    ("end of the file, indented", "a:\n  - 1\n  # end of a\n# end\n", ""),
    ("deeper than anything", "a: 1\n    # about b\nb: 2\n", "a: 1\n# about b\nb: 2\n"),
    (
        "never deeper again",
        "a:\n  - 1\n# about b\n  # still b\nb: 2\n",
        "a: [1]\n# about b\n# still b\nb: 2\n",
    ),
    (
        "beside a text block",
        "a: |  # text\n  # no comment\n  b\n# c\nc: >-\n  d\n",
        "a: |  # text\n  # no comment\n  b\n# c\nc: d\n",
    ),
    ("signs inside text", "a: b#c\nd: 'e # f'\ng: \"h # i\" # j\n", 'a: b#c\nd: "e # f"\ng: "h # i"  # j\n'),
    ("beside marks", "--- # start\na: 1\n... # end\n", "# start\na: 1\n# end\n"),
    ("around a single value", "# a\nb # c\n# d\n", "# a\nb  # c\n# d\n"),
    ("around a record in brackets", "# a\n{b: 1, c: 2} # d\n# e\n", "# a\n\nb: 1\nc: 2\n# d\n# e\n"),
    ("before an empty record", "# a\n{}\n", ""),
    ("with other line ends", "# a\r\n\r\nb: 1 # c\r\n", "# a\n\nb: 1  # c\n"),
    ("empty", "#\na: 1 #\n", "#\na: 1  #\n"),
]


@pytest.mark.parametrize(
    ("before", "after"), [case[1:] for case in COMMENTS], ids=[case[0] for case in COMMENTS]
)
def test_comments(before: str, after: str) -> None:
    assert formatted(before) == (after or before)


def test_an_item_written_anew_keeps_its_first_comment_above_the_dash() -> None:
    order = KeyOrder(items=KeyOrder({"a": None}))
    text = "- b: 1 # b\n  # about a\n  a: 2\n"
    assert formatted(text, order) == "# about a\n- a: 2\n  b: 1  # b\n"
    assert formatted(text.replace(" # b\n", "\n"), order) == "# about a\n- {a: 2, b: 1}\n"
    assert (
        formatted("-\n  - b: 1\n    # about a\n    a: 2\n", KeyOrder(items=order))
        == "# about a\n- - {a: 2, b: 1}\n"
    )


@pytest.mark.parametrize("text", ["a: 010", "a: &x 1", "a: [", "a: 1\n---\nb: 2\n", ""])
def test_documents_with_problems_are_not_written_anew(text: str) -> None:
    document = parse(text.encode())
    with pytest.raises(ToolsError) as caught:
        format_document(document, ORDER)
    assert document.problems[0].message in caught.value.message


RECORD = """\
# yaml-language-server: $schema=x
id: x  # the id
results:
  # from table 1
  - {metric: a, value: 2.20}  # a
  # from table 2
  - metric: b  # b
    value: 1.10
notes: [p, q]  # both
"""


def rewritten(value: Json) -> str:
    text = rewrite_document(parse(RECORD.encode()), value, ORDER)
    document = parse(text.encode())
    assert document.value == value
    assert format_document(document, ORDER) == text
    return text


def record() -> dict[str, Json]:
    value = parse(RECORD.encode()).value
    assert isinstance(value, dict)
    return value


def test_nothing_changed_changes_nothing() -> None:
    assert rewritten(record()) == RECORD


CHANGES = [
    ("a value", "/results/0/value", 3.5, "value: 2.20}  # a", "value: 3.5}  # a"),
    ("a value beside its comment", "/results/1/metric", "c", "metric: b  # b", "metric: c  # b"),
    ("the type of a number", "/results/1/value", 1, "value: 1.10", "value: 1"),
    ("an item", "/notes/1", "r", "notes: [p, q]  # both", "notes: [p, r]  # both"),
]


@pytest.mark.parametrize(("path", "new", "old_text", "new_text"), [case[1:] for case in CHANGES])
def test_a_change_touches_only_its_place(path: str, new: Json, old_text: str, new_text: str) -> None:
    value = record()
    pointer.replace(value, path, new)
    assert rewritten(value) == RECORD.replace(old_text, new_text)


def test_new_keys_and_items_find_their_place() -> None:
    value = record()
    results = value["results"]
    assert isinstance(results, list)
    results.insert(0, {"value": 7, "metric": "z"})
    value["audit"] = [{"action": "correction", "changes": []}]
    expected = RECORD.replace("results:\n", "results:\n  - {metric: z, value: 7}\n")
    assert rewritten(value) == expected + "audit:\n  - action: correction\n    changes: []\n"


def test_what_is_gone_takes_its_comments_along() -> None:
    value = record()
    results = value["results"]
    assert isinstance(results, list)
    del results[0], value["notes"]
    expected = RECORD.replace("  # from table 1\n  - {metric: a, value: 2.20}  # a\n", "")
    assert rewritten(value) == expected.replace("notes: [p, q]  # both\n", "")


def test_rewriting_into_something_else() -> None:
    assert rewritten({"results": {"a": 1}}) == "# yaml-language-server: $schema=x\nresults: {a: 1}\n"
    assert rewritten([]) == "# yaml-language-server: $schema=x\n[]\n"


def test_emptied_collections_keep_what_stood_at_their_end() -> None:
    document = parse(b"a:\n  - 1\n  # end of a\nb: 1\n")
    assert rewrite_document(document, {"a": [], "b": 1}, ORDER) == "# end of a\na: []\nb: 1\n"


NUMBERS = [
    (1, "1"),
    (-0.0, "-0.0"),
    (2.5, "2.5"),
    (1e16, "1.0e+16"),
    (1.5e-07, "1.5e-07"),
    (1e-07, "1.0e-07"),
    (10**30, "1" + "0" * 30),
    (True, "true"),
    (None, "null"),
]


@pytest.mark.parametrize(("number", "text"), NUMBERS)
def test_numbers_that_were_never_printed(number: Json, text: str) -> None:
    assert render({"a": number}) == f"a: {text}\n"


@pytest.mark.parametrize(
    "value",
    [float("nan"), float("inf"), "\ud800", {"k" * 101: 1}, 10**4301 - 1 + 10**4302],
    ids=["nan", "inf", "half a character", "long key", "long number"],
)
def test_values_that_no_record_can_hold(value: Json) -> None:
    with pytest.raises(ToolsError):
        render({"a": value})


def test_values_of_other_kinds_are_refused() -> None:
    with pytest.raises(TypeError):
        render({"a": {1, 2}})  # type: ignore[dict-item]
