"""Edits of text: what they name moves, everything else stays as it is, in canonical files and in others."""

from __future__ import annotations

import pytest

from tools.errors import ToolsError
from tools.records.change import changed_text
from tools.records.graft import Edit
from tools.records.layout import KeyOrder, format_document
from tools.records.parse import parse
from tools.records.pointer import PointerError
from tools.records.revise import node_of
from tools.records.tree import Scalar

ORDER = KeyOrder({"id": None, "kind": None, "engine": None, "results": None, "notes": None, "audit": None})


def changed(text: str, *edits: Edit, order: KeyOrder = ORDER) -> str:
    return changed_text(parse(text.encode()), edits, order)


def put(pointer: str, value: object) -> Edit:
    return Edit(pointer, node_of(value))  # type: ignore[arg-type]


def insert(pointer: str, value: object) -> Edit:
    return Edit(pointer, node_of(value), inserts=True)  # type: ignore[arg-type]


def remove(pointer: str) -> Edit:
    return Edit(pointer, None)


CANONICAL = """\
id: x
engine: {id: vllm, version: "0.10"}  # as the log has it
results:
  # the first
  - {metric: a, value: 1.50}
  - {metric: b, value: 2}
audit: []
"""


@pytest.mark.parametrize(
    ("edit", "old", "new"),
    [
        (put("/results/0/value", 3), "value: 1.50", "value: 3"),
        (put("/engine/version", "0.11"), '"0.10"', '"0.11"'),
        (put("/kind", "benchmark"), "id: x\n", "id: x\nkind: benchmark\n"),
        (remove("/results/1"), "  - {metric: b, value: 2}\n", ""),
        (insert("/results/1", {"metric": "c"}), "  - {metric: b", "  - {metric: c}\n  - {metric: b"),
        (insert("/audit/0", {"by": "me"}), "audit: []", "audit:\n  - {by: me}"),
    ],
)
def test_canonical_text_stays_canonical(edit: Edit, old: str, new: str) -> None:
    assert format_document(parse(CANONICAL.encode()), ORDER) == CANONICAL
    text = changed(CANONICAL, edit)
    assert text == CANONICAL.replace(old, new)
    assert format_document(parse(text.encode()), ORDER) == text


def test_a_number_keeps_the_digits_it_was_given() -> None:
    assert "value: 2.20}" in changed(CANONICAL, Edit("/results/0/value", Scalar(2.2, "2.20")))
    assert "value: 2.20}" in changed(CANONICAL + "\n", Edit("/results/0/value", Scalar(2.2, "2.20")))


LOOSE = """\
# the file
kind:  "benchmark"   # odd quotes
id: x

results:
- metric: 'a'   # first
  value: 1.50
  # of the first
# of the second
-
  metric: b
  value: 2
engine: { id: vllm,version: '0.10' , }
'a/b': {'~': 1}
notes: |
  one
  two

tail:
    - 1
    # last
"""


@pytest.mark.parametrize(
    ("edit", "old", "new"),
    [
        (put("/results/0/value", 3), "1.50", "3"),
        (put("/results/0/metric", "c"), "'a'", "c"),
        (put("/kind", "it: is"), '"benchmark"', '"it: is"'),
        (put("/engine/version", "0.11"), "'0.10'", '"0.11"'),
        (put("/engine/commit", "abc"), "'0.10' ,", "'0.10', commit: abc ,"),
        (put("/a~1b/~0", 2), "'~': 1", "'~': 2"),
        (remove("/a~1b/~0"), "{'~': 1}", "{}"),
        (remove("/engine/id"), "id: vllm,version", "version"),
        (remove("/engine/version"), ",version: '0.10'", ""),
        (remove("/results/0/metric"), "metric: 'a'   # first\n  value", "value"),
        (remove("/results/0/value"), "  value: 1.50\n", ""),
        (remove("/results/1"), "# of the second\n-\n  metric: b\n  value: 2\n", ""),
        (insert("/results/1", {"metric": "c"}), "# of the second", "- {metric: c}\n# of the second"),
        (insert("/results/0", {"metric": "c"}), "results:\n", "results:\n- {metric: c}\n"),
        (insert("/results/2", 7), "  value: 2\n", "  value: 2\n- 7\n"),
        (put("/notes", "now"), "notes: |\n  one\n  two\n", "notes: now\n"),
        (put("/results/0/value", {"min": 1}), "value: 1.50\n", "value: {min: 1}\n"),
        (put("/audit", [{"by": "me"}]), "  two\n", "  two\naudit:\n  - {by: me}\n"),
        (insert("/tail/1", 2), "    - 1\n", "    - 1\n    - 2\n"),
        (remove("/tail/0"), "tail:\n    - 1\n    # last\n", "# last\ntail: []\n"),
    ],
)
def test_other_text_moves_only_where_it_is_named(edit: Edit, old: str, new: str) -> None:
    assert LOOSE.count(old) == 1
    assert changed(LOOSE, edit) == LOOSE.replace(old, new)


def test_a_key_comes_below_the_one_before_it_in_canonical_order() -> None:
    text = 'kind: a\nid:   "x"\nresults: [1]\n'
    assert changed(text, put("/engine", {"id": "e"})) == 'kind: a\nid:   "x"\nengine: {id: e}\nresults: [1]\n'


def test_line_ends_stay() -> None:
    for text in (CANONICAL, LOOSE):
        crlf = text.replace("\n", "\r\n")
        edits = [put("/results/0/value", 3), insert("/results/1", {"metric": "c"})]
        assert changed(crlf, *edits) == changed(text, *edits).replace("\n", "\r\n")


def test_mixed_line_ends_stay_where_they_are() -> None:
    assert changed("id: x\r\nkind: b\r\nnotes: c\n", put("/kind", "d")) == "id: x\r\nkind: d\r\nnotes: c\n"


def test_a_file_without_an_end_of_line() -> None:
    assert changed("id:  x", put("/kind", "b")) == "id:  x\nkind: b\n"
    assert changed("id:  x", put("/id", "z")) == "id:  z"


def test_a_comment_further_in_stays_a_comment() -> None:
    text = "results:\n  a:  1\n      # deep\n  b: 2\n"
    long = "word " * 40 + "end"
    assert changed(text, put("/results/a", long)) == text.replace("a:  1", f"a: {long}")
    assert changed(text, put("/results/a", [[1]])) == text.replace("a:  1", "a: [[1]]")


def test_json_is_edited_as_it_is_written() -> None:
    text = '{\n  "id": "x",\n  "results": [\n    {"value": 1}\n  ]\n}\n'
    assert changed(text, put("/results/0/value", 2)) == text.replace("1", "2")
    appended = changed(text, insert("/results/1", {"value": 2}))
    assert appended == text.replace('{"value": 1}', '{"value": 1},\n    {value: 2}')


def test_places_are_told_by_unicode_as_written() -> None:
    text = "e\u0301:  1\n\u00e9: 2\n"
    assert changed(text, put("/e\u0301", 3)) == text.replace("1", "3")
    assert changed(text, put("/\u00e9", 3)) == text.replace("2", "3")


@pytest.mark.parametrize("pointer", ["/nothing/here", "/results/7", "/id/x"])
def test_nowhere(pointer: str) -> None:
    for text in (CANONICAL, LOOSE):
        with pytest.raises(PointerError):
            changed(text, put(pointer, 1))
        with pytest.raises(PointerError):
            changed(text, remove(pointer))


def test_a_comment_in_the_way_is_never_written_over() -> None:
    text = "id:  x\nresults: [1, # one\n  2]\n"
    with pytest.raises(ToolsError, match="in place") as caught:
        changed(text, remove("/results/1"))
    assert "tools fmt" in caught.value.hint


def test_a_comment_never_becomes_text() -> None:
    text = "audit:\n  - reason: >-\n      one\n      two\n    changes:  []\n      # deep\n    by: me\n"
    with pytest.raises(ToolsError, match="in place"):
        changed(text, remove("/audit/0/changes"))


def test_a_file_with_problems_is_left_alone() -> None:
    with pytest.raises(ToolsError, match="problems"):
        changed("id: x\nid: y\n", put("/id", "z"))
