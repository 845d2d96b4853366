"""From bytes to characters: what must never stand in a record, whatever YAML would make of it.

Refused are tabs (editors show them at different widths), a byte-order mark, and characters that cannot be
seen or that change what a reader sees: control characters, the line ends that only some programs count
(U+0085, U+2028, U+2029, a carriage return alone) and the marks that reorder text from right to left. Any of
these may still be written as an escape inside double quotes.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from tools.finding import START, Location

UNWRITABLE = re.compile(
    "[^\t\n\r -~\xa0-\u061b\u061d-\u200d\u2010-\u2027\u202f-\u2065\u206a-\ud7ff"
    "\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
"""A character that may only appear as an escape; a tab and the two halves of a line end are judged apart."""

_LONE_RETURN = re.compile("\r(?!\n)")
_REPLACEMENT = "\ufffd"


class CharacterFault(NamedTuple):
    """Where the first offending character stands and what to say about it."""

    rule: str
    location: Location
    message: str
    hint: str


def decode(content: bytes) -> tuple[str, CharacterFault | None]:
    """The text of a file without its byte-order mark, and the fault of its encoding if it has one.

    Bytes that are not UTF-8 become U+FFFD, so that the text can at least be shown.
    """
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8")
        fault = CharacterFault(
            "not-utf8",
            location_at(before, len(before)),
            f"byte 0x{content[error.start]:02X} is not UTF-8",
            "save the file as UTF-8",
        )
        return content.decode("utf-8", "replace"), fault
    if text.startswith("\ufeff"):
        fault = CharacterFault(
            "byte-order-mark",
            START,
            "the file starts with a byte-order mark",
            "save it as UTF-8 without BOM",
        )
        return text[1:], fault
    return text, None


def character_faults(text: str) -> list[CharacterFault]:
    """At most one fault for tabs and one for characters to be escaped, each at the first of its kind."""
    if text.replace("\n", "").isprintable():
        return []
    faults = []
    if tabs := text.count("\t"):
        faults.append(
            CharacterFault(
                "tab-character",
                location_at(text, text.index("\t")),
                f"a tab character{_and_more(tabs)}",
                'indent and separate with spaces; inside double quotes write "\\t"',
            )
        )
    if offenders := _unreadable(text):
        first = offenders[0]
        character = text[first]
        name = unicodedata.name(character, "a control character")
        faults.append(
            CharacterFault(
                "control-character",
                location_at(text, first),
                f"U+{ord(character):04X} ({name}){_and_more(len(offenders))}",
                "remove it; where it is meant, write it as an escape inside double quotes",
            )
        )
    return faults


def readable(text: str) -> str:
    """The text with U+FFFD for every unwritable character: same positions, and lines end at `\\n` only."""
    return _LONE_RETURN.sub(_REPLACEMENT, UNWRITABLE.sub(_REPLACEMENT, text))


def location_at(text: str, index: int) -> Location:
    """Line and column of the character at `index`."""
    return Location(text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index))


def _unreadable(text: str) -> list[int]:
    found = [match.start() for match in UNWRITABLE.finditer(text)]
    if "\r" in text:
        found = sorted(found + [match.start() for match in _LONE_RETURN.finditer(text)])
    return found


def _and_more(count: int) -> str:
    return f", and {count - 1:,} more in this file" if count > 1 else ""
