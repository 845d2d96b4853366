"""The lines of a summary that people read in a terminal: headings, paragraphs, items, at one width."""

from __future__ import annotations

import textwrap

WIDTH = 100


def heading(text: str) -> list[str]:
    """A heading and the line below it."""
    return [text, "-" * len(text)]


def paragraph(text: str) -> list[str]:
    """Wrapped text."""
    return textwrap.wrap(text, WIDTH, break_on_hyphens=False)


def item(text: str) -> list[str]:
    """Wrapped text behind a star."""
    return textwrap.wrap(text, WIDTH, initial_indent="* ", subsequent_indent="  ", break_on_hyphens=False)
