"""How a value is spelled in canonical text.

Text stands without quotes only where every reader of YAML, whatever its version, takes it for the same text;
dates are the exception, because a date without quotes is what people write and our reader takes it for text.
"""

from __future__ import annotations

import json
import math
import re
from functools import lru_cache

from tools.errors import ToolsError
from tools.records.characters import UNWRITABLE
from tools.records.scalars import MAX_INTEGER_DIGITS, ScalarError, plain_value

MIN_WIDTH = 40
"""Columns that folded text gets however deep it is nested."""

_OTHERWISE_ELSEWHERE = re.compile(
    r"[yn]|yes|no|on|off|true|false|null|=|<<"
    r"|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?"
    r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|\s+)[0-9].*"
    r"|[-+]?[0-9][0-9,_]*(?:\.[0-9_]*)?"
    r"|[-+]?\.[0-9_]+",
    re.IGNORECASE | re.ASCII,
)
"""What YAML 1.1 reads as true, false, a time in base 60, an instant or a number, and we as text."""

_WORD = 60
"""Characters of a text that may well be met again."""

_TOO_LARGE = 10**MAX_INTEGER_DIGITS

_NEVER_FIRST = frozenset("-?:,[]{}#&*!|>'\"%@` ")
_INDICATOR = re.compile(r": |:$| #|^(?:---|\.\.\.)| $")
_FLOW_INDICATOR = re.compile(r"[,\[\]{}?]|:(?![^\s,\[\]{}])|^[:-]")
_MAY_START_PLAIN = re.compile(r"[-:?](?=[^\s,\[\]{}:#-])")
_BREAK = re.compile(r"(?<=[^ ]) (?=[^ ])")


def spell_text(text: str, in_flow: bool = False) -> str:
    """The text on one line: without quotes where that is safe, in double quotes otherwise."""
    return _spell_word(text, in_flow) if len(text) <= _WORD else _spell(text, in_flow)


def _spell(text: str, in_flow: bool) -> str:
    return text if _is_plain(text, in_flow) else _quoted(text)


_spell_word = lru_cache(maxsize=1 << 13)(_spell)
"""Keys, names and units stand in every record: they are judged once."""


def spell_number(number: int | float) -> str:
    """A number with the fewest digits that give it back; raises `ToolsError` if no record can hold it.

    A float always has a decimal point: without one, `1e+16` is text to readers of YAML 1.1.
    """
    if isinstance(number, int):
        if abs(number) >= _TOO_LARGE:
            raise ToolsError(
                f"a number of more than {MAX_INTEGER_DIGITS:,} digits cannot be written in a record"
            )
        return str(number)
    if not math.isfinite(number):
        raise ToolsError(
            f"{number} cannot be written in a record", "leave the value out and declare it absent"
        )
    digits, exponent, power = repr(number).partition("e")
    return (digits if "." in digits else f"{digits}.0") + exponent + power


def literal_lines(text: str) -> tuple[str, list[str]] | None:
    """Indicator and lines of text as a literal block, or None where that would not give it back."""
    if "\n" not in text:
        return None
    body = text.removesuffix("\n")
    lines = body.split("\n")
    first = next((line for line in lines if line), "")
    if (
        not lines[-1]
        or first.startswith(" ")
        or any(line.endswith(" ") for line in lines)
        or any(map(_must_be_escaped, lines))
    ):
        return None
    return ("|-" if body == text else "|"), lines


def folded_lines(text: str, width: int) -> list[str] | None:
    """A line of text broken at single spaces for a folded block, or None where it cannot be."""
    if "\n" in text or text != text.strip(" ") or _must_be_escaped(text):
        return None
    lines: list[str] = []
    for word in _BREAK.split(text):
        if lines and len(lines[-1]) + 1 + len(word) <= max(width, MIN_WIDTH):
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines if len(lines) > 1 else None


def _is_plain(text: str, in_flow: bool) -> bool:
    if not text or _must_be_escaped(text) or "\n" in text:
        return False
    if text[0] in _NEVER_FIRST and not _MAY_START_PLAIN.match(text):
        return False
    if _INDICATOR.search(text) or (in_flow and _FLOW_INDICATOR.search(text)):
        return False
    try:
        return plain_value(text) == text and not _OTHERWISE_ELSEWHERE.fullmatch(text)
    except ScalarError:
        return False


def _must_be_escaped(text: str) -> bool:
    return "\t" in text or "\r" in text or UNWRITABLE.search(text) is not None


def _quoted(text: str) -> str:
    quoted = json.dumps(text, ensure_ascii=False)
    return UNWRITABLE.sub(_escape, quoted)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if 0xD800 <= code <= 0xDFFF:
        raise ToolsError("text with half a character (a lone surrogate) cannot be written in a record")
    return f"\\u{code:04x}"
