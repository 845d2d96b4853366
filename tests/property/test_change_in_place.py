"""Edits of text in any form: the value is as meant, comments stay, and only lines that an edit names move."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any

import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies_yaml import RECORD, commented_records, keys, mappings, values

from tools.errors import InternalError, ToolsError
from tools.records import pointer
from tools.records.change import changed_text
from tools.records.comments import find_comments
from tools.records.graft import Edit
from tools.records.layout import KeyOrder, format_document, render
from tools.records.parse import Json, parse
from tools.records.revise import is_same, node_of

ORDERS = st.sampled_from(
    [KeyOrder(), KeyOrder({"id": None, "kind": None, "notes": None, "conditions": None, "audit": None})]
)


def places(value: Json, way: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Json]]:
    """Every mapping and list in a value, with the tokens that lead there."""
    if isinstance(value, (dict, list)):
        yield way, value
        for token, below in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(below, (*way, token))


@st.composite
def styled(draw: st.DrawFn, value: Any) -> str:
    """Some text for a value, in one of the forms that programs write."""
    form = draw(st.sampled_from(["canonical", "json", "indented json", "block", "flow", "mixed"]))
    if form == "canonical":
        return render(value)
    if form in ("json", "indented json"):
        return json.dumps(value, indent=4 if form != "json" else None, ensure_ascii=False) + "\n"
    default_flow_style = {"block": False, "flow": True, "mixed": None}[form]
    return yaml.safe_dump(value, default_flow_style=default_flow_style, sort_keys=False, allow_unicode=True)


def edit_once(data: st.DataObject, value: dict[str, Json]) -> Edit:
    """One edit that makes sense for a value, carried out on it."""
    way, holder = data.draw(st.sampled_from(list(places(value))))
    new = data.draw(values)
    if isinstance(holder, dict):
        key = data.draw(st.sampled_from(sorted(holder)) | keys if holder else keys)
        removes = key in holder and data.draw(st.booleans())
        place = pointer.join([*way, key])
        if removes:
            del holder[key]
        else:
            holder[key] = copy.deepcopy(new)
        return Edit(place, None if removes else node_of(new))
    assert isinstance(holder, list)
    kind = data.draw(st.sampled_from(["insert", "remove", "replace"] if holder else ["insert"]))
    index = data.draw(st.integers(0, len(holder) - (kind != "insert")))
    place = pointer.join([*way, index])
    if kind != "insert":
        del holder[index]
    if kind != "remove":
        holder.insert(index, copy.deepcopy(new))
    return Edit(place, None if kind == "remove" else node_of(new), inserts=kind == "insert")


def check(data: st.DataObject, text: str, order: KeyOrder) -> None:
    document = parse(text.encode())
    assume(not document.problems and isinstance(document.value, dict))
    value = copy.deepcopy(document.value)
    edits = [edit_once(data, value) for _ in range(data.draw(st.integers(1, 3)))]
    changed, refusal = "", ""
    try:
        changed = changed_text(document, edits, order)
    except InternalError:
        raise
    except ToolsError as error:
        refusal = error.message
    # Of several edits, the first may leave a comment where the second takes it for its own.
    assert len(edits) > 1 or "comment" not in refusal
    assume(not refusal)
    again = parse(changed.encode())
    assert again.problems == []
    assert is_same(again.value, value)
    if format_document(document, order) == text:
        assert format_document(again, order) == changed


@settings(max_examples=30, deadline=None)
@given(st.data(), mappings, ORDERS)
def test_any_value_in_any_form(data: st.DataObject, value: dict[str, Json], order: KeyOrder) -> None:
    check(data, data.draw(styled(value)), order)


@settings(max_examples=25, deadline=None)
@given(st.data(), commented_records(), ORDERS)
def test_records_with_comments(data: st.DataObject, content: bytes, order: KeyOrder) -> None:
    check(data, content.decode(), order)


SINGLE = ["/id", "/kind", "/title", "/engine/version", "/conditions/request_rate", "/results/0/value"]


@settings(max_examples=20, deadline=None)
@given(commented_records(), st.sampled_from(SINGLE), st.integers(0, 9) | st.text("ab", min_size=1))
def test_a_single_value_moves_nothing_but_itself(content: bytes, place: str, new: Json) -> None:
    document = parse(content)
    changed = changed_text(document, [Edit(place, node_of(new))], KeyOrder())
    matcher = SequenceMatcher(None, document.text.splitlines(True), changed.splitlines(True), autojunk=False)
    moved = [step for step in matcher.get_opcodes() if step[0] != "equal"]
    assert [(tag, end - start) for tag, start, end, *_ in moved] == [("replace", 1)]
    assert [c.text for c in find_comments(changed, parse(changed.encode()).page)] == [
        c.text for c in find_comments(document.text, document.page)
    ]


@pytest.mark.parametrize("kept", RECORD.splitlines()[:3])
def test_what_heads_the_file_stays(kept: str) -> None:
    changed = changed_text(parse(RECORD.encode()), [Edit("/id", None)], KeyOrder())
    assert (kept in changed.splitlines()) != kept.startswith("id:")
