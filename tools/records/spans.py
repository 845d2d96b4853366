"""Where in a text an entry begins and ends: with its lines, and with the comments that are its own.

libyaml's marks end a block where the next token starts, beyond blank lines and comments; here a value ends with
its last character, and a region with the last line that belongs to the entry.
"""

from __future__ import annotations

import re

from tools.records.tree import Collection, Entry, Node, Scalar

_HAS_COMMENT = re.compile(r"(?:^|[\s,\[{}\]])#")


class NotHereError(Exception):
    """The text has a form at this place in which no edit can be written."""


def replaced(text: str, start: int, end: int, new: str) -> str:
    """The text with another piece from one offset to another."""
    return text[:start] + new + text[end:]


def start_of_line(text: str, offset: int) -> int:
    """Offset of the first character of a line."""
    return text.rfind("\n", 0, offset) + 1


def end_of_line(text: str, offset: int) -> int:
    """Offset behind the end of a line: the start of the next, or the end of the text."""
    found = text.find("\n", offset)
    return len(text) if found < 0 else found + 1


def end_of_value(text: str, entry: Entry) -> int:
    """Offset behind the last character of an entry's value; for one left empty, behind its key or dash."""
    node = entry.node
    if isinstance(node, Scalar):
        if node.is_block:
            return _end_of_block(text, node)
        return max(node.end.offset, entry.key_end.offset)
    if node.is_flow:
        return node.end.offset
    return end_of_value(text, node.entries[-1])


def _end_of_block(text: str, node: Scalar) -> int:
    start, end = node.start.offset, node.end.offset
    header = text[start : end_of_line(text, start)].partition("#")[0]
    if "+" in header:
        # Blank lines at its end are content.
        return end - 1 if text[end - 1 : end] == "\n" else end
    return start + len(text[start:end].rstrip(" \r\n"))


def end_of_region(text: str, entry: Entry, column: int) -> int:
    """Offset behind the last line of an entry that starts in a column: its value, and the comments in it."""
    end = scan = end_of_line(text, end_of_value(text, entry))
    inside = _column_inside(entry.node, column)
    while inside is not None and scan < len(text):
        following = end_of_line(text, scan)
        line = text[scan:following]
        content = line.lstrip(" ")
        if content.startswith("#") and len(line) - len(content) >= inside:
            end = following
        elif content.strip("\r\n"):
            break
        scan = following
    return end


def _column_inside(node: Node, column: int) -> int | None:
    """From which column a comment below a value is still in it (see `tools.records.comments`); None for none."""
    while isinstance(node, Collection) and not node.is_flow:
        if node.start.column > column:
            return node.start.column
        node = node.entries[-1].node
    return None


def ends_in_text_block(node: Node) -> bool:
    """Whether a value ends with text that goes on for as long as the lines are indented."""
    while isinstance(node, Collection) and not node.is_flow:
        node = node.entries[-1].node
    return isinstance(node, Scalar) and node.is_block


def comment_follows(text: str, offset: int, column: int) -> bool:
    """Whether the next line that is not blank is a comment further in than a column."""
    while offset < len(text):
        following = end_of_line(text, offset)
        line = text[offset:following]
        if content := line.strip(" \r\n"):
            return content.startswith("#") and len(line) - len(line.lstrip(" ")) > column
        offset = following
    return False


def start_of_lead(text: str, line: int, entry: Entry, begin: int) -> int:
    """Offset of the first of an entry's own comment lines directly above the line that starts at `line`."""
    for _ in range(len(entry.lead) - comments_inside(text, entry, begin)):
        above = start_of_line(text, max(line - 1, 0))
        if line == 0 or not text[above:line].lstrip(" ").startswith("#"):
            break
        line = above
    return line


def comments_inside(text: str, entry: Entry, begin: int) -> int:
    """How many of an entry's comments above its value stand below the key or dash at `begin`.

    Those between a key and the block below it are the first entry's there.
    """
    node = entry.node
    if entry.key is not None and isinstance(node, Collection) and not node.is_flow:
        return 0
    first, *others = text[max(begin + 1, entry.key_end.offset) : node.start.offset].split("\n")
    # Beside a key a comment is its note; a dash has none.
    lines = others if entry.key is not None else [first, *others]
    return sum(line.lstrip(" ").startswith("#") for line in lines)


def has_comment(piece: str) -> bool:
    """Whether a piece of text between two values holds a comment; of a piece with values, whether it may."""
    return _HAS_COMMENT.search(piece) is not None
