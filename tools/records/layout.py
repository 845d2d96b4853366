"""Canonical text: the one way a record is written, so that a difference between two files is one of content.

Two spaces a level, list items indented below their key, keys in the order that the caller gives (those it
does not know follow in the order they came). A collection of single values stands on one line (`{id: vllm}`)
if it fits into `WIDTH` columns and no comment stands inside; the record itself is always a block. Text is
quoted only where needed (`tools.records.spelling`), long text is folded, text with line breaks is a literal
block. Numbers keep the digits they were printed with, because `2.20` and `2.2` are not the same evidence.
Comments move with their node (`tools.records.comments`). Blank lines go, except the one below the comments
that head the file.

Whatever is written is read again before it is given back: a text that lost a value or a comment never leaves
here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tools.errors import InternalError, ToolsError
from tools.records.blocks import UNORDERED, WIDTH, KeyOrder, page_text
from tools.records.characters import readable
from tools.records.comments import find_comments, read_commented_page
from tools.records.parse import Document, Json, parse
from tools.records.revise import is_same, node_of, revised
from tools.records.tree import Collection, Entry, Page

__all__ = ["UNORDERED", "WIDTH", "KeyOrder", "format_document", "render", "rewrite_document"]


def format_document(document: Document, order: KeyOrder) -> str:
    """The canonical text of a document, with all its comments.

    Raises `ToolsError` for a document with problems: what it means is not certain, so it cannot be written
    anew.
    """
    page = _page(document)
    in_text = (comment.text for comment in find_comments(document.text, page))
    if Counter(in_text) != Counter(_comments(page)):
        raise InternalError("the layout of records lost a comment while reading")
    return _checked_text(page, order, document.value)


def rewrite_document(document: Document, value: Json, order: KeyOrder) -> str:
    """The canonical text of `value`, with the comments and printed digits that the document has for what
    stayed.

    The comments of what is gone go with it. Raises `ToolsError` for a document with problems, and for a value
    that no record can hold (a number that is not finite, a key that is too long).
    """
    page = _page(document)
    page.root.node = revised(page.root.node, value)
    return _checked_text(page, order, value)


def render(value: Json, order: KeyOrder = UNORDERED) -> str:
    """The canonical text of a plain value; raises `ToolsError` for a value that no record can hold."""
    return _checked_text(Page(Entry(None, node_of(value))), order, value)


def _page(document: Document) -> Page:
    if document.problems:
        first = document.problems[0]
        raise ToolsError(
            f"a file with problems cannot be written anew: line {first.location.line}, {first.message}",
            "run `tools validate` and mend what it reports first",
        )
    return read_commented_page(readable(document.text))


def _checked_text(page: Page, order: KeyOrder, value: Json) -> str:
    text = page_text(page, order)
    again = parse(text.encode("utf-8"))
    if again.problems:
        problem = again.problems[0]
        raise ToolsError(f"the value cannot be written as a record: {problem.message}", problem.hint)
    if not is_same(again.value, value):
        raise InternalError("the layout of records changed a value")
    in_text = (comment.text for comment in find_comments(text, again.page))
    if Counter(in_text) != Counter(_comments(page)):
        raise InternalError("the layout of records lost a comment while writing")
    return text


def _comments(page: Page) -> Iterator[str]:
    yield from page.header
    yield from _entry_comments(page.root)
    yield from page.footer


def _entry_comments(entry: Entry) -> Iterator[str]:
    yield from entry.lead
    yield from entry.note
    if isinstance(entry.node, Collection):
        for inner in entry.node.entries:
            yield from _entry_comments(inner)
        yield from entry.node.tail
