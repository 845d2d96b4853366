"""The verdict on a record before it is written: schema and rules, on the text that the file would have."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

from tools.checks.inspect import Inspector, Target
from tools.checks.ledger import CatalogLedger
from tools.checks.rules import RULES, find
from tools.errors import InternalError, ToolsError
from tools.finding import Finding, Level
from tools.records.catalog import Catalog, Entry
from tools.records.read import read_file


def judging(catalog: Catalog, today: date) -> Callable[[Entry, bytes], Sequence[Finding]]:
    """What judges proposed texts against the ledger as it stands; rules that need all records are left out.

    It raises `InternalError` when a rule fails.
    """
    inspector = Inspector(CatalogLedger(catalog, today), RULES)
    root = f"{catalog.root}{os.sep}"

    def judge(entry: Entry, content: bytes) -> Sequence[Finding]:
        outcome = inspector.inspect(Target(entry, entry.path.removeprefix(root)), content)
        if outcome.crashes:
            raise InternalError(f"a rule failed\n{outcome.crashes[0]}", "please report the lines above")
        return outcome.findings

    return judge


def require_warning(root: Path, record_id: str, name: str, today: date) -> str:
    """The name of a rule that warns of a record. Raises `ToolsError` where it does not, with those that do."""
    rule = find(name)
    if rule.level is not Level.WARNING:
        raise ToolsError(
            f"`{rule.name}` is no warning but an {rule.level}",
            "an error is mended: `tools explain` says how"
            if rule.level is Level.ERROR
            else "it asks for no answer",
        )
    if rule.check is not None:
        catalog = Catalog(root)
        entry = catalog.require(record_id)
        content = read_file(entry.path)
        found = judging(catalog, today)(entry, content) if isinstance(content, bytes) else ()
        warnings = sorted({finding.rule for finding in found if finding.level is Level.WARNING})
        if rule.name not in warnings:
            told = (
                f"the warnings are {', '.join(warnings)}"
                if warnings
                else "there is no warning of this record"
            )
            raise ToolsError(f"`{rule.name}` does not warn of `{record_id}`", told)
    return rule.name
