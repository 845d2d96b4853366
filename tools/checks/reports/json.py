"""Findings for a program: the shape that `schemas/output/findings.schema.json` describes.

The text is ASCII, other characters are escaped: it passes through any terminal, pipe or log unharmed.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tools.checks.reports.words import well_formed
from tools.finding import Finding, Level

if TYPE_CHECKING:
    from tools.checks.outcome import Skipped
    from tools.checks.run import Report


def render(report: Report, *_: object) -> str:
    """One JSON document with every finding and the summary."""
    document: dict[str, Any] = {
        "findings": [_finding(finding) for finding in report.findings],
        "summary": {
            "files": report.files,
            "records": report.records,
            "errors": report.count(Level.ERROR),
            "warnings": report.count(Level.WARNING),
            "infos": report.count(Level.INFO),
            "acknowledged": report.acknowledged,
            "seconds": round(report.seconds, 3),
        },
    }
    if report.skips is not None:
        document["skips"] = [_skip(skip) for skip in report.skips]
    return json.dumps(document, indent=2) + "\n"


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "level": finding.level,
        "file": well_formed(finding.file),
        "line": finding.location.line,
        "column": finding.location.column,
        "record": well_formed(finding.record),
        "pointer": well_formed(finding.pointer),
        "message": well_formed(finding.message),
        "hint": well_formed(finding.hint),
        "acknowledged": _acknowledged(finding),
    }


def _acknowledged(finding: Finding) -> dict[str, str] | None:
    accepted = finding.acknowledged
    if accepted is None:
        return None
    return {"reason": well_formed(accepted.reason), "by": well_formed(accepted.by), "date": accepted.day}


def _skip(skip: Skipped) -> dict[str, str]:
    return {
        "rule": skip.rule,
        "file": well_formed(skip.file),
        "record": well_formed(skip.record),
        "pointer": well_formed(skip.pointer),
        "lacks": well_formed(skip.lacks),
    }
