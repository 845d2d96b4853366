"""Findings as SARIF 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0/), for GitHub code scanning.

A finding is known again in a later run by its rule, record and JSON Pointer, whatever line it moved to. This
fingerprint has a name of its own: GitHub's `primaryLocationLineHash` is a hash of the source line, which its
upload action adds by itself. GitHub shows at most 5,000 results of an upload; the file holds all.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from tools.checks.reports.words import accepted_because, plain_lines, told, well_formed
from tools.checks.rule import Rule
from tools.finding import Finding, Level

if TYPE_CHECKING:
    from tools.checks.run import Report

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = "ruleRecordPointer/v1"

_LEVELS = {Level.ERROR: "error", Level.WARNING: "warning", Level.INFO: "note"}
_ADDRESS = re.compile(r"https?://[!-~]+")


def render(report: Report, rules: Mapping[str, Rule], *_: object) -> str:
    """One log with one run: every rule that may speak, every finding, and whether all rules could."""
    names = list(dict.fromkeys([*rules, *(finding.rule for finding in report.findings)]))
    index = {name: position for position, name in enumerate(names)}
    run = {
        "tool": {
            "driver": {
                "name": "inference-ledger",
                "rules": [_rule(rules[name]) if name in rules else {"id": name} for name in names],
            }
        },
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": not report.crashes,
                "toolExecutionNotifications": [
                    {"level": "error", "message": _message(plain_lines(crash))} for crash in report.crashes
                ],
            }
        ],
        "results": list(_results(report, index)),
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(rule: Rule) -> dict[str, Any]:
    help_lines = [rule.why, rule.reference, f"tools explain {rule.name}"]
    described: dict[str, Any] = {
        "id": rule.name,
        "shortDescription": _message([rule.summary]),
        "fullDescription": _message([rule.why]),
        "help": _message(["\n\n".join(filter(None, help_lines))]),
        "defaultConfiguration": {"level": _LEVELS[rule.level]},
    }
    if _ADDRESS.fullmatch(rule.reference):
        described["helpUri"] = rule.reference
    return described


def _results(report: Report, index: Mapping[str, int]) -> Iterator[dict[str, Any]]:
    met: Counter[str] = Counter()
    for finding in report.findings:
        identity = _identity(finding)
        met[identity] += 1
        line, column = finding.location
        yield {
            "ruleId": finding.rule,
            "ruleIndex": index[finding.rule],
            "level": _LEVELS[finding.level],
            "message": _message(told(finding)),
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": _artifact(finding.file),
                        "region": {"startLine": line, "startColumn": column},
                    }
                }
            ],
            "partialFingerprints": {FINGERPRINT: f"{identity}:{met[identity]}"},
            "properties": {"record": well_formed(finding.record), "pointer": well_formed(finding.pointer)},
            # Of all results or of none (section 3.27.23), so an empty list says that one is not accepted.
            "suppressions": _suppressions(finding),
        }


def _suppressions(finding: Finding) -> list[dict[str, str]]:
    if finding.acknowledged is None:
        return []
    because = accepted_because(finding.acknowledged)
    return [{"kind": "external", "status": "accepted", "justification": because}]


def _identity(finding: Finding) -> str:
    parts = (finding.rule, finding.record or finding.file, finding.pointer)
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _artifact(file: str) -> dict[str, str]:
    """Where a file is: below the root of the sources, or by an absolute path outside of it."""
    path = quote(file, errors="surrogateescape")
    if PurePosixPath(file).is_absolute():
        return {"uri": f"file://{path}"}
    return {"uri": path, "uriBaseId": "%SRCROOT%"}


def _message(lines: list[str]) -> dict[str, str]:
    """A message object: braces are doubled, for `{0}` is a placeholder, and `[words](address)` is no link."""
    text = "\n".join(lines).replace("{", "{{").replace("}", "}}").replace("](", "] (")
    return {"text": text}
