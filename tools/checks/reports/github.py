"""Findings as workflow commands of GitHub Actions, which shows them at their lines in a pull request.

Escaping is as in GitHub's own toolkit (https://github.com/actions/toolkit, packages/core/src/command.ts).
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tools.checks.reports.words import plain, plain_lines, tally, told
from tools.finding import Finding, Level

if TYPE_CHECKING:
    from tools.checks.run import Report

SHOWN_PER_LEVEL = 10
"""Annotations of one level that GitHub keeps of a step; the others stand in the log only."""

_COMMANDS = {Level.ERROR: "error", Level.WARNING: "warning", Level.INFO: "notice"}


def render(report: Report, *_: object) -> str:
    """One command a line.

    Where GitHub will not show them all, a notice says so. It comes first: behind ten others it would itself
    be dropped.
    """
    lines = [_finding(finding) for finding in report.findings]
    lines += [_command("error", {"title": "a rule failed"}, plain_lines(crash)) for crash in report.crashes]
    if max(Counter(line.split(" ", 1)[0] for line in lines).values(), default=0) > SHOWN_PER_LEVEL:
        text = f"{tally(report.findings)}; GitHub shows {SHOWN_PER_LEVEL} of a level, this step's log has all"
        lines.insert(0, _command("notice", {"title": "not all findings are shown"}, [text]))
    return "".join(f"{line}\n" for line in lines)


def _finding(finding: Finding) -> str:
    line, column = finding.location
    properties = {"file": plain(finding.file), "line": str(line), "col": str(column), "title": finding.rule}
    # What is accepted asks for nothing, whatever its level.
    command = "notice" if finding.acknowledged else _COMMANDS[finding.level]
    return _command(command, properties, told(finding))


def _command(name: str, properties: dict[str, str], lines: list[str]) -> str:
    stated = ",".join(f"{key}={_escaped(value, ':,')}" for key, value in properties.items())
    text = _escaped("\n".join(lines))
    return f"::{name} {stated}::{text}"


def _escaped(text: str, also: str = "") -> str:
    """Percent-encoded where the runner would read it as syntax."""
    for character in f"%\r\n{also}":
        text = text.replace(character, f"%{ord(character):02X}")
    return text
