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
from collections.abc import Iterable

from tools.errors import InternalError, ToolsError
from tools.records.blocks import UNORDERED, WIDTH, KeyOrder, page_text
from tools.records.characters import readable
from tools.records.comments import comments_of, find_comments, read_commented_page
from tools.records.graft import Edit, graft
from tools.records.parse import Document, Json, parse
from tools.records.revise import is_same, node_of, revised, value_of
from tools.records.tree import Entry, Page

__all__ = [
    "UNORDERED",
    "WIDTH",
    "KeyOrder",
    "edit_document",
    "format_document",
    "render",
    "rewrite_document",
]


def format_document(document: Document, order: KeyOrder) -> str:
    """The canonical text of a document, with all its comments.

    Raises `ToolsError` for a document with problems: what it means is not certain, so it cannot be written
    anew.
    """
    if _is_as_rendered(document, order):
        return document.text
    page = _page(document)
    in_text = (comment.text for comment in find_comments(document.text, page))
    if Counter(in_text) != Counter(comments_of(page)):
        raise InternalError("the layout of records lost a comment while reading")
    return _checked_text(page, order, document.value, document.text)


def rewrite_document(document: Document, value: Json, order: KeyOrder) -> str:
    """The canonical text of `value`, with the comments and printed digits that the document has for what
    stayed.

    The comments of what is gone go with it. Raises `ToolsError` for a document with problems, and for a value
    that no record can hold (a number that is not finite, a key that is too long).
    """
    page = _page(document)
    page.root.node = revised(page.root.node, value)
    return _checked_text(page, order, value)


def edit_document(document: Document, edits: Iterable[Edit], order: KeyOrder) -> str:
    """The canonical text of a document after some edits, one after the other.

    What they do not touch keeps its comments and printed digits. Raises as `rewrite_document` does, and
    `PointerError` for an edit that leads nowhere.
    """
    page = _page(document)
    for edit in edits:
        graft(page.root, edit)
    return _checked_text(page, order, value_of(page.root.node))


def render(value: Json, order: KeyOrder = UNORDERED) -> str:
    """The canonical text of a plain value; raises `ToolsError` for a value that no record can hold."""
    return _checked_text(Page(Entry(None, node_of(value))), order, value)


def _is_as_rendered(document: Document, order: KeyOrder) -> bool:
    """Whether the text is what its value alone gives: then it is canonical, and need not be read with its places.

    A text with comments, or with numbers that are not written in the shortest way, is not and may still be.
    """
    return not document.problems and document.text == page_text(
        Page(Entry(None, node_of(document.value))), order
    )


def _page(document: Document) -> Page:
    if document.problems:
        first = document.problems[0]
        raise ToolsError(
            f"a file with problems cannot be written anew: line {first.location.line}, {first.message}",
            "run `tools validate` and mend what it reports first",
        )
    return read_commented_page(readable(document.text))


def _checked_text(page: Page, order: KeyOrder, value: Json, already_read: str = "") -> str:
    """The text of a page, read again unless it is one that was read `already`."""
    text = page_text(page, order)
    if text == already_read:
        return text
    again = parse(text.encode("utf-8"))
    if again.problems:
        problem = again.problems[0]
        raise ToolsError(f"the value cannot be written as a record: {problem.message}", problem.hint)
    if not is_same(again.value, value):
        raise InternalError("the layout of records changed a value")
    in_text = (comment.text for comment in find_comments(text, again.page))
    if Counter(in_text) != Counter(comments_of(page)):
        raise InternalError("the layout of records lost a comment while writing")
    return text
