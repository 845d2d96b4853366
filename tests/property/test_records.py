"""What must hold for any bytes, any value and any text, whatever a record may look like."""

from __future__ import annotations

import copy
import json
from collections import Counter
from typing import Any

import yaml
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from strategies_yaml import (
    ODD_TEXT,
    RECORD,
    commented_records,
    deep_values,
    mappings,
    mutated_records,
    scalars,
    values,
)

from tools.records import pointer
from tools.records.comments import find_comments
from tools.records.layout import KeyOrder, format_document, render, rewrite_document
from tools.records.parse import MAX_PROBLEMS, Document, Json, parse

ORDERS = st.sampled_from(
    [
        KeyOrder(),
        KeyOrder(
            {"id": None, "results": KeyOrder(items=KeyOrder({"unit": None, "value": None})), "audit": None}
        ),
        KeyOrder({"notes": None, "audit": None, "a": None, "absent": None, "conditions": None}),
    ]
)


def identity(value: Json) -> str:
    """A text that is the same for values that are the same in a record: 1, 1.0 and true differ."""
    return json.dumps(value, sort_keys=True)


def comments(document: Document) -> Counter[str]:
    return Counter(comment.text for comment in find_comments(document.text, document.page))


def assert_sound(document: Document) -> None:
    """Every problem lies in the text and says something; places of all kinds can be asked for."""
    lines = document.text.split("\n")
    assert len(document.problems) <= MAX_PROBLEMS
    assert not document.broken or document.problems
    assert document.value is None or not document.broken
    for problem in document.problems:
        assert problem.message
        assert 1 <= problem.location.line <= len(lines)
        assert 1 <= problem.location.column <= len(lines[problem.location.line - 1]) + 1
    json.dumps(document.value, allow_nan=False)
    for path in ("", "/id", "/results/0/value", "nonsense"):
        assert document.locate(path).line >= 1


@settings(max_examples=120)
@given(st.binary(max_size=200))
def test_any_bytes_can_be_parsed(content: bytes) -> None:
    assert_sound(parse(content))


@settings(max_examples=120)
@given(st.text("ab01 -:#[]{},&*!|>'\"%@?\\\n.~<=\té\u2028\ufeff", max_size=60))
def test_any_text_can_be_parsed(text: str) -> None:
    assert_sound(parse(text.encode()))


@settings(max_examples=60)
@given(mutated_records())
def test_any_damage_to_a_record_can_be_parsed(content: bytes) -> None:
    document = parse(content)
    assert_sound(document)
    if not document.problems:
        once = format_document(document, KeyOrder())
        again = parse(once.encode())
        assert format_document(again, KeyOrder()) == once
        assert identity(again.value) == identity(document.value)
        assert comments(again) == comments(document)


@settings(max_examples=40)
@given(st.one_of(values, deep_values()))
def test_what_is_rendered_is_read_back(value: Any) -> None:
    text = render(value)
    document = parse(text.encode())
    assert document.problems == []
    assert identity(document.value) == identity(value)
    assert format_document(document, KeyOrder()) == text
    assert text.endswith("\n")
    assert not any(line.endswith(" ") for line in text.split("\n"))


@settings(max_examples=40)
@given(mappings)
@example({"text": list(ODD_TEXT), **{text: text for text in ODD_TEXT if len(text) <= 100}})
def test_another_reader_of_yaml_reads_the_same(value: Any) -> None:
    class Reader(yaml.SafeLoader):
        """PyYAML's own reader, except that a date without quotes is text."""

    Reader.yaml_implicit_resolvers = {
        first: [pair for pair in pairs if pair[0] != "tag:yaml.org,2002:timestamp"]
        for first, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }
    assert identity(yaml.load(render(value), Reader)) == identity(value)


@settings(max_examples=40)
@given(commented_records(), ORDERS)
@example(RECORD.encode(), KeyOrder())
def test_the_layout_keeps_values_and_comments(content: bytes, order: KeyOrder) -> None:
    document = parse(content)
    assert document.problems == []
    once = format_document(document, order)
    again = parse(once.encode())
    assert identity(again.value) == identity(document.value)
    assert comments(again) == comments(document)
    assert format_document(again, order) == once
    assert "215.30" in once
    assert "1975.20" in once


@settings(max_examples=60)
@given(commented_records(), ORDERS, scalars, st.randoms(use_true_random=False))
def test_a_rewritten_record_is_canonical(content: bytes, order: KeyOrder, new: Json, random: Any) -> None:
    document = parse(content)
    value = copy.deepcopy(document.value)
    path = random.choice(paths(value))
    random.choice([pointer.remove, lambda value, path: pointer.put(value, path, new)])(value, path)
    text = rewrite_document(document, value, order)
    again = parse(text.encode())
    assert identity(again.value) == identity(value)
    assert format_document(again, order) == text
    assert comments(again) <= comments(document)


def paths(value: Json, path: str = "") -> list[str]:
    """The pointers to everything inside a value."""
    inside: list[tuple[str | int, Json]] = []
    if isinstance(value, dict):
        inside = list(value.items())
    elif isinstance(value, list):
        inside = list(enumerate(value))
    found = []
    for token, inner in inside:
        inner_path = path + pointer.join([token])
        found += [inner_path, *paths(inner, inner_path)]
    return found


@settings(max_examples=40)
@given(mappings, ORDERS)
def test_places_of_keys_and_values(value: Any, order: KeyOrder) -> None:
    document = parse(render(value, order).encode())
    for path in paths(value):
        tokens = pointer.split(path)
        key = document.locate(path, key=True)
        place = document.locate(path)
        assert (key.line, key.column) <= (place.line, place.column)
        if isinstance(pointer.get(value, path.rpartition("/")[0]), dict):
            spelled = render(tokens[-1]).rstrip("\n")
            written = document.line(key.line)[key.column - 1 :]
            assert written.startswith((spelled, json.dumps(tokens[-1], ensure_ascii=False)[:1]))


@settings(max_examples=50)
@given(mappings, scalars, st.randoms(use_true_random=False))
def test_pointers_undo_each_other(value: Any, new: Json, random: Any) -> None:
    assume(value)
    before = copy.deepcopy(value)
    path = random.choice(paths(value))
    assert pointer.join(pointer.split(path)) == path
    old = pointer.get(value, path)
    assert pointer.replace(value, path, new) == old
    assert pointer.get(value, path) is new
    pointer.replace(value, path, old)
    assert value == before
    assert pointer.remove(value, path) == old
    pointer.put(value, path, old)
    assert value == before
