"""The verdict on a record before it is written: schema and rules, on the text that the file would have."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Protocol

from tools.checks.acknowledge import settled_alone
from tools.checks.inspect import Inspector, Target
from tools.checks.ledger import CatalogLedger
from tools.checks.rule import Scope
from tools.checks.rules import RULES, find
from tools.errors import InternalError, ToolsError
from tools.finding import Finding, Level
from tools.records.catalog import Catalog, Entry
from tools.records.parse import Document
from tools.records.read import read_file


class Judge(Protocol):
    """What the rules say of a proposed text; `document` is what it holds, where it was parsed already."""

    def __call__(
        self, entry: Entry, content: bytes, document: Document | None = None
    ) -> Sequence[Finding]: ...


def judging(catalog: Catalog, today: date) -> Judge:
    """What judges proposed texts against the ledger as it stands; rules that need all records are left out.

    It raises `InternalError` when a rule fails.
    """
    inspector = Inspector(CatalogLedger(catalog, today), RULES)
    root = f"{catalog.root}{os.sep}"

    def judge(entry: Entry, content: bytes, document: Document | None = None) -> Sequence[Finding]:
        file = entry.path.removeprefix(root)
        outcome = inspector.inspect(Target(entry, file), content, document)
        if outcome.crashes:
            raise InternalError(f"a rule failed\n{outcome.crashes[0]}", "please report the lines above")
        return settled_alone(outcome, file, RULES)

    return judge


def require_warning(root: Path, record_id: str, name: str, today: date) -> str:
    """The name of a rule that warns (or informs) of a record and is not acknowledged there yet.

    A rule that looks at the whole ledger is asked of all of it. Raises `ToolsError` where there is nothing to
    acknowledge, with the rules of which there is.
    """
    rule = find(name)
    if rule.scope is Scope.BASE:
        raise ToolsError(
            f"`{rule.name}` is about a change, not about the record, and is never acknowledged",
            f"`tools explain {rule.name}` says what it asks for",
        )
    if {rule.level, *rule.other_levels} == {Level.ERROR}:
        raise _is_error(rule.name)
    found = _findings(root, record_id, today, whole=rule.survey is not None)
    mine = [finding for finding in found if finding.rule == rule.name]
    open_ones = [
        finding for finding in found if finding.level is not Level.ERROR and not finding.acknowledged
    ]
    if any(finding.rule == rule.name for finding in open_ones):
        return rule.name
    if any(finding.acknowledged for finding in mine):
        raise ToolsError(
            f"`{rule.name}` is acknowledged already", f"`tools history {record_id}` tells why and by whom"
        )
    if mine:
        raise _is_error(rule.name)
    names = ", ".join(sorted({finding.rule for finding in open_ones}))
    raise ToolsError(
        f"`{rule.name}` does not warn of `{record_id}`",
        f"the warnings are {names}" if names else "there is no warning of this record",
    )


def _is_error(name: str) -> ToolsError:
    return ToolsError(f"`{name}` is no warning but an error", "an error is mended: `tools explain` says how")


def _findings(root: Path, record_id: str, today: date, *, whole: bool) -> Sequence[Finding]:
    """What there is to say of a record; with `whole`, of the ledger."""
    catalog = Catalog(root)
    entry = catalog.require(record_id)
    if whole:
        from tools.checks.run import Run

        report = Run(catalog, RULES, today).check(catalog.files())
        if report.crashes:
            raise InternalError(f"a rule failed\n{report.crashes[0]}", "please report the lines above")
        return [
            finding for finding in report.findings if Path(catalog.root, finding.file) == Path(entry.path)
        ]
    content = read_file(entry.path)
    return judging(catalog, today)(entry, content) if isinstance(content, bytes) else ()
