"""Findings for a person: where, what, the line itself with a caret, and what to do; a summary at the end.

Colour is the caller's: what can stand out passes through `style`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from operator import attrgetter
from typing import TYPE_CHECKING

from tools.checks.inspect import EXCERPT_LENGTH
from tools.checks.reports.skips import skips_text
from tools.checks.reports.words import (
    Style,
    accepted_because,
    counted,
    flat,
    plain,
    plain_lines,
    tally,
    unstyled,
)
from tools.checks.rule import Rule
from tools.finding import Finding, Level

if TYPE_CHECKING:
    from tools.checks.run import Report


def render(report: Report, _: Mapping[str, Rule], style: Style = unstyled) -> str:
    """Every finding, file by file, then the skips if they were asked for, and the summary.

    A clean run is the summary alone.
    """
    lines: list[str] = []
    for finding in sorted(report.findings, key=attrgetter("file")):
        lines += [*_lines(finding, style), ""]
    if report.skips is not None:
        lines += [*skips_text(report.skips, style), ""]
    return "\n".join([*lines, _summary(report, style)]) + "\n"


def _lines(finding: Finding, style: Style) -> Iterator[str]:
    line, column = finding.location
    place = f"{style(plain(finding.file), 'file')}:{line}:{column}"
    yield f"{place}  {style(finding.level, _role(finding))}  {style(finding.rule, 'strong')}"
    message, *others = plain_lines(finding.message)
    yield f"  {message}"
    # Others may be a record's own lines; behind a bar, none of them can pass for a line of this report.
    yield from (f"  {style('|', 'dim')} {other}" for other in others)
    yield from _excerpt(finding, style)
    if finding.acknowledged:
        yield f"  {style(f'acknowledged: {accepted_because(finding.acknowledged)}', 'dim')}"
    elif finding.hint:
        yield f"  {style('help:', 'info')} {flat(finding.hint)}"


def _excerpt(finding: Finding, style: Style) -> Iterator[str]:
    if not finding.excerpt.strip():
        return
    line, column = finding.location
    gutter = f"{line} |"
    text = plain(finding.excerpt)
    if len(text) >= EXCERPT_LENGTH:
        # A cut line, without a caret, which would point astray where a terminal breaks the line.
        left = "…" if column > EXCERPT_LENGTH // 2 + 1 else ""
        yield f"  {style(gutter, 'dim')} {left}{text}…"
        return
    yield f"  {style(gutter, 'dim')} {text}"
    if column <= len(text) + 1:
        blank = " " * _width(text[: column - 1])
        yield f"  {style('|'.rjust(len(gutter)), 'dim')} {blank}{style('^', _role(finding))}"


def _role(finding: Finding) -> str:
    return "dim" if finding.acknowledged else finding.level


def _width(text: str) -> int:
    """Columns that a text takes on a terminal: two for wide characters, none for marks on the one before."""
    marks = sum(unicodedata.category(character) in ("Mn", "Me", "Cf") for character in text)
    wide = sum(unicodedata.east_asian_width(character) in ("W", "F") for character in text)
    return len(text) + wide - marks


def _summary(report: Report, style: Style) -> str:
    looked_at = f"{counted(report.files, 'file')}, {counted(report.records, 'record')}"
    worst = next((level for level in Level if report.count(level)), "good")
    text = f"{looked_at}: {style(tally(report.findings), worst)} ({report.seconds:.2f} s)"
    if report.crashes:
        failed = f"not complete: {counted(len(report.crashes), 'check')} failed"
        return f"{text}; {style(failed, 'error')}"
    return f"{text}; `tools explain RULE` teaches a rule" if report.findings else text
