"""The look of a life on a terminal: entries along a rail, wrapped to a width, with labels in a column.

Colour is the caller's: what can stand out passes through a `style` function with the name of its role. The text comes
from records, so whatever could steer the terminal is replaced.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from tools.audit.entry import AuditEntry, Evidence, Slot
from tools.audit.values import pairs, shown
from tools.records.characters import UNWRITABLE

Style: TypeAlias = Callable[[str, str], str]
"""(text, name of its role) to styled text; roles: strong, dim, good, info, warning, error."""

NARROWEST, WIDEST = 48, 110
"""Columns between which the text is wrapped, whatever the terminal."""

_LABEL = 11
_WHITE = re.compile("[\t\n\r]")


def plain(text: str, _role: str) -> str:
    """The style of text that is not styled."""
    return text


@dataclass(frozen=True, slots=True)
class Page:
    """Draws lines of at most `width` columns, where words allow."""

    width: int
    style: Style

    @classmethod
    def of_width(cls, width: int, style: Style) -> Page:
        """A page of a width in columns, within reason."""
        return cls(max(NARROWEST, min(width, WIDEST)), style)

    def entry(self, entry: AuditEntry) -> Iterator[str]:
        """Day, action and author on one line, with the reason below it."""
        day = entry.day.isoformat() if entry.day else "day not recorded"
        action = self.style(clean(entry.action).replace("_", " ") or "no action stated", "info")
        by = self.style(f"by: {clean(entry.by or 'not recorded')}", "dim")
        yield f"{self.style('●', 'info')} {self.style(day, 'strong')}  {action}  {by}"
        for paragraph in entry.reason.splitlines():
            yield from map(self.rail, self.wrapped(paragraph, "  "))

    def value(self, label: str, role: str, path: str, value: Slot) -> Iterator[str]:
        """A value beside its path where there is room, else below it, member by member."""
        told = f"{path}  {shown(value)}"
        if not isinstance(value, list) or len(told) <= self.width - _LABEL - 4:
            yield from self.labelled(label, role, told)
            return
        yield from self.labelled(label, role, path)
        for item in value:
            text = pairs(item) if isinstance(item, dict) else shown(item)
            indent = " " * (_LABEL + 2)
            yield from map(self.rail, self.wrapped(f"- {text}", indent, indent + "  "))

    def labelled(self, label: str, role: str, text: str) -> Iterator[str]:
        """A label and its text, which goes on below itself."""
        indent = " " * (_LABEL + 2)
        first, *others = self.wrapped(text, indent, indent + "  ")
        yield self.rail(f"  {self.style(label.ljust(_LABEL), role)}{first[len(indent) :]}")
        yield from map(self.rail, others)

    def rail(self, text: str) -> str:
        """A line that belongs to an entry."""
        return f"{self.style('│', 'dim')}{text}".rstrip()

    def wrapped(self, text: str, indent: str = "", hanging: str | None = None, role: str = "") -> list[str]:
        """The lines of a text; `hanging` indents all but the first."""
        lines = textwrap.wrap(
            clean(text),
            self.width - 1,
            initial_indent=indent,
            subsequent_indent=indent if hanging is None else hanging,
            break_long_words=False,
            break_on_hyphens=False,
        )
        return [self.style(line, role) if role else line for line in lines or [indent]]


def cited_in(item: Evidence, record_id: str) -> str:
    """One piece of evidence in the life of a record, on one line."""
    named = item.source_id or item.record_id or "no source named"
    where = "this record" if named == record_id else named
    cited = f"{where}, {item.locator}" if item.locator else where
    return f"{cited} ({item.note})" if item.note else cited


def clean(text: str) -> str:
    """The text on one line, without characters that would move the cursor or turn the reading direction."""
    return _WHITE.sub(" ", UNWRITABLE.sub("\ufffd", text))


def count(number: int, one: str, many: str = "") -> str:
    """`1 entry`, `2 entries`."""
    return f"{number} {one if number == 1 else many or one + 's'}"
