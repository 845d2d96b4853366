"""Findings of the checks as rows."""

from __future__ import annotations

from collections.abc import Iterable

from tools.finding import Finding
from tools.warehouse.fields import day
from tools.warehouse.rows.setting import Filled, Setting, result_index


def finding_rows(setting: Setting, findings: Iterable[Finding]) -> Filled:
    """A row for each finding, in their order."""
    for number, finding in enumerate(findings):
        accepted = finding.acknowledged
        yield (
            "findings",
            {
                "finding": number,
                "rule": finding.rule,
                "level": finding.level.value,
                "record_id": setting.id("any", finding.record),
                "file": finding.file,
                "line": finding.location.line,
                "column": finding.location.column,
                "pointer": finding.pointer,
                "result_index": result_index(finding.pointer),
                "message": finding.message,
                "hint": finding.hint,
                "is_acknowledged": accepted is not None,
                "acknowledged_reason": accepted.reason if accepted else None,
                "acknowledged_by": accepted.by if accepted else None,
                "acknowledged_on": day(accepted.day) if accepted else None,
            },
        )
