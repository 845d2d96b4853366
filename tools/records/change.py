"""The text of a record after some edits, whatever form it has: canonical text stays canonical, other text keeps
every byte that no edit names.

Files with CRLF line ends keep them. Whatever is written is read again before it is given back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tools.errors import InternalError, ToolsError
from tools.records.blocks import KeyOrder
from tools.records.comments import comments_of, find_comments, read_commented_page
from tools.records.graft import Edit, graft
from tools.records.layout import edit_document, format_document
from tools.records.parse import Document, parse
from tools.records.revise import is_same, value_of
from tools.records.spans import NotHereError
from tools.records.splice import splice
from tools.records.tree import read_page

_FORMAT = "`tools fmt` brings the file into a form in which it can be"


def changed_text(document: Document, edits: Sequence[Edit], order: KeyOrder) -> str:
    """The text after the edits, one after the other.

    Raises `PointerError` for an edit that leads nowhere, and `ToolsError` for a document with problems, for a
    value that no record can hold, and for a place that only a new layout could change.
    """
    text = document.text
    is_crlf = "\r\n" in text and text.count("\r\n") == text.count("\n")
    if is_crlf:
        text = text.replace("\r\n", "\n")
        document = parse(text.encode("utf-8"))
    if format_document(document, order) == text:
        changed = edit_document(document, edits, order)
    else:
        changed = _spliced(text, edits, order)
    return changed.replace("\n", "\r\n") if is_crlf else changed


def _spliced(text: str, edits: Sequence[Edit], order: KeyOrder) -> str:
    page = read_commented_page(text)
    for edit in edits:
        graft(page.root, edit)
        try:
            text = splice(text, edit, order)
        except NotHereError as error:
            raise ToolsError(
                f"{edit.pointer} cannot be changed in place as it is written", _FORMAT
            ) from error
        again = parse(text.encode("utf-8"))
        if again.problems:
            problem = again.problems[0]
            raise ToolsError(f"the value cannot be written as a record: {problem.message}", problem.hint)
        if not is_same(again.value, value_of(page.root.node)):
            raise InternalError(f"an edit in place changed more than {edit.pointer}", _FORMAT)
    in_text = Counter(comment.text for comment in find_comments(text, read_page(text)))
    # What belonged to an entry that is gone may stay, where a blank line parts the two.
    if Counter(comments_of(page)) - in_text:
        raise ToolsError("an edit in place would lose a comment as the file is written", _FORMAT)
    return text
