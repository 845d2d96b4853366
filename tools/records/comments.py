"""Comments: found in the text, because libyaml drops them, and given to the node they belong to.

A comment above a node is its `lead`, one beside it its `note`, and one that is indented like the entries of a
collection that ends above it is that collection's `tail`. The file itself keeps what stands above a blank
line at its top, what an editor reads there (`# yaml-language-server: ...`), and what follows the last entry.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from tools.records.tree import Collection, Entry, Page, Scalar, read_page

_COMMENT = re.compile(r"#[^\n]*")
_SECTION_END = re.compile(r"\n[ \r]*\n|---")
_FOR_EDITORS = re.compile(r"#\s*(?:yaml-language-server:|-\*-)")


@dataclass(frozen=True, slots=True)
class Comment:
    """One comment from its `#` to the end of its line; `alone` if nothing stands before it there."""

    text: str
    start: int
    end: int
    line: int
    column: int
    alone: bool


class _Landmark(NamedTuple):
    """The end of something that a comment on the same line can be about."""

    offset: int
    line: int
    entry: Entry


def is_for_editors(comment: str) -> bool:
    """Whether an editor looks for this comment at the top of a file."""
    return _FOR_EDITORS.match(comment) is not None


def read_commented_page(text: str) -> Page:
    """The tree of a text in which the parser found no problem, with every comment in its place."""
    page = read_page(text)
    if comments := find_comments(text, page):
        _Attachment(text, page).attach(comments)
    return page


def find_comments(text: str, page: Page) -> list[Comment]:
    """Every comment in the order of the text: outside the scalars, whatever follows a `#` on its line."""
    if "#" not in text:
        return []
    line_starts = [0] + [match.end() for match in re.finditer("\n", text)]
    comments: list[Comment] = []
    gap = 0
    for start, end in [*_scalar_spans(text, page.root), (len(text), len(text))]:
        for match in _COMMENT.finditer(text, gap, start):
            line = bisect_right(line_starts, match.start()) - 1
            before = text[line_starts[line] : match.start()]
            comments.append(
                Comment(match[0].rstrip(), match.start(), match.end(), line, len(before), not before.strip())
            )
        gap = end
    return comments


def comments_of(page: Page) -> Iterator[str]:
    """Every comment that a tree holds, each once, in no order that means anything."""
    yield from page.header
    yield from entry_comments(page.root)
    yield from page.footer


def entry_comments(entry: Entry) -> Iterator[str]:
    """Every comment of an entry: above it, beside it and inside its value."""
    yield from entry.lead
    yield from entry.note
    if isinstance(entry.node, Collection):
        for inner in entry.node.entries:
            yield from entry_comments(inner)
        yield from entry.node.tail


def _scalar_spans(text: str, entry: Entry) -> Iterator[tuple[int, int]]:
    """Where keys and values stand; a block scalar from its second line, as the first may end in a comment."""
    if entry.key is not None:
        yield entry.key_start.offset, entry.key_end.offset
    node = entry.node
    if isinstance(node, Collection):
        for inner in node.entries:
            yield from _scalar_spans(text, inner)
        return
    start = node.start.offset
    if node.is_block:
        start = text.find("\n", start, node.end.offset) % (node.end.offset + 1)
    yield start, node.end.offset


class _Attachment:
    """Hands the comments of one text to its nodes, in the order of the text."""

    def __init__(self, text: str, page: Page) -> None:
        self.text = text
        self.page = page
        self.landmarks = list(_landmarks(page.root))
        self.offsets = [landmark.offset for landmark in self.landmarks]
        self.waiting: list[Comment] = []
        self.next = 0

    def attach(self, comments: list[Comment]) -> None:
        for comment in comments:
            landmark = self._landmark_before(comment)
            if is_for_editors(comment.text):
                self.page.header.append(comment.text)
            elif not comment.alone and landmark is not None and landmark.line == comment.line:
                landmark.entry.note.append(comment.text)
            else:
                self.waiting.append(comment)
        root = self.page.root
        self._attach_top(self._take_before(root.node.start.offset))
        self._attach_inside(root)
        self._attach_gap(self._take_before(len(self.text)), root, -1, self.page.footer)
        if isinstance(root.node, Collection):
            # The root is always written as a block, which leaves no line for the note of the whole.
            self.page.footer[:0] = root.note
            root.note = []

    def _take_before(self, offset: int) -> list[Comment]:
        first = self.next
        while self.next < len(self.waiting) and self.waiting[self.next].start < offset:
            self.next += 1
        return self.waiting[first : self.next]

    def _landmark_before(self, comment: Comment) -> _Landmark | None:
        index = bisect_right(self.offsets, comment.start) - 1
        return self.landmarks[index] if index >= 0 else None

    def _attach_top(self, comments: list[Comment]) -> None:
        """What stands above a blank line belongs to the file, the rest to the first entry."""
        root = self.page.root.node
        following = [comment.start for comment in comments[1:]] + [root.start.offset]
        header_length = 0
        for count, (comment, start) in enumerate(zip(comments, following, strict=False), start=1):
            if _SECTION_END.search(self.text, comment.end, start):
                header_length = count
        if isinstance(root, Scalar) or root.is_flow or not root.entries:
            header_length = len(comments)
        else:
            root.entries[0].lead.extend(comment.text for comment in comments[header_length:])
        self.page.header.extend(comment.text for comment in comments[:header_length])

    def _attach_inside(self, entry: Entry) -> None:
        node = entry.node
        if isinstance(node, Scalar) or node.is_flow:
            entry.lead.extend(comment.text for comment in self._take_before(node.start.offset))
        if isinstance(node, Scalar):
            return
        previous: Entry | None = None
        for inner in node.entries:
            closed = None if node.is_flow else previous
            self._attach_gap(self._take_before(inner.start.offset), closed, node.start.column, inner.lead)
            self._attach_inside(inner)
            previous = inner
        if node.is_flow:
            below = node.tail if node.entries else entry.lead
            below.extend(comment.text for comment in self._take_before(node.end.offset))

    def _attach_gap(
        self, comments: list[Comment], closed: Entry | None, outer_column: int, otherwise: list[str]
    ) -> None:
        """Places the comments between two entries: below what the first has `closed`, or above the second."""
        if not comments:
            return
        landmark = self._landmark_before(comments[0])
        position = landmark.offset if landmark else 0
        depth = len(self.text)
        for comment in comments:
            # A dash between the entries opens the second: nothing after it can belong to the first.
            if _COMMENT.sub("", self.text[position : comment.start]).strip(" \r\n,"):
                closed = None
            position = comment.end
            depth = min(depth, comment.column)
            holder = _collection_at(closed.node, outer_column, depth) if closed else None
            if holder is None:
                closed = None
                otherwise.append(comment.text)
            else:
                depth = holder.start.column
                holder.tail.append(comment.text)


def _landmarks(entry: Entry) -> Iterator[_Landmark]:
    if entry.key is not None:
        yield _Landmark(entry.key_end.offset, entry.key_end.line, entry)
    node = entry.node
    if isinstance(node, Scalar):
        if node.is_block:
            yield _Landmark(node.start.offset + 1, node.start.line, entry)
        yield _Landmark(node.end.offset, node.end.line, entry)
        return
    if node.is_flow:
        yield _Landmark(node.start.offset + 1, node.start.line, entry)
    for inner in node.entries:
        yield from _landmarks(inner)
    if node.is_flow:
        yield _Landmark(node.end.offset, node.end.line, entry)


def _collection_at(node: Scalar | Collection, outer_column: int, column: int) -> Collection | None:
    """The innermost collection that ends with `node` and whose entries start between the two columns."""
    found: Collection | None = None
    while isinstance(node, Collection) and not node.is_flow and node.entries:
        if outer_column < node.start.column <= column:
            found = node
        node = node.entries[-1].node
    return found
