"""The text of an imported record is the canonical one, whatever its values are."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tools.importers.pages import document_of
from tools.importers.printed import read_number
from tools.importers.tree import Tree, plain
from tools.records.layout import format_document, render
from tools.records.parse import parse
from tools.schema.load import key_order

WORDS = st.one_of(
    st.sampled_from(
        ("yes", "1.10", "- x", "a: b", "#", "", " x", "x ", "null", "two\nlines\n", "a, b", "1e3", "é")
    ),
    st.text(
        st.characters(blacklist_categories=("Cs", "Cc"), blacklist_characters="\ufeff\u2028\u2029\x85"),
        max_size=40,
    ),
    st.text("ab ", min_size=80, max_size=240),
)
PLAIN = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**30), 10**30),
    st.floats(allow_nan=False, allow_infinity=False),
    WORDS,
)
KEYS = st.one_of(
    st.sampled_from(("id", "results", "conditions", "value", "metric")),
    st.text("abc_-", min_size=1, max_size=9),
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    PLAIN,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(KEYS, inner, max_size=5)),
    max_leaves=20,
)


@settings(deadline=None)
@given(st.dictionaries(KEYS, VALUES, min_size=1, max_size=6))
def test_it_is_the_text_that_the_layout_of_records_gives(value: dict[str, Any]) -> None:
    assert document_of(value, value).text == render(value, key_order("benchmark"))


@settings(deadline=None)
@given(st.lists(st.sampled_from(("2.20", "1e3", "1,234.50", "0.1", "7", "1E-7")), min_size=1, max_size=5))
def test_digits_stay_as_they_were_printed(cells: list[str]) -> None:
    numbers: list[Tree] = [read_number(cell) for cell in cells]
    record: dict[str, Tree] = {"id": "x", "results": numbers, "conditions": {"concurrency": numbers[0]}}
    text = document_of(record, plain(record)).text
    assert format_document(parse(text.encode()), key_order("benchmark")) == text
    assert all(cell in text for cell in cells if cell in ("2.20", "0.1", "7"))
