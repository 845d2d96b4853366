"""Warnings that a change brings: those of a record as it is that it did not have as it was.

Both versions are looked at beside the ledger of the later one, by the rules of one record; what a survey of the whole
ledger would say is left to `tools validate`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path

from tools.audit.versions import Pair, Version
from tools.checks.acknowledge import settled_alone
from tools.checks.inspect import Inspector, Target
from tools.checks.ledger import CatalogLedger
from tools.checks.rules import RULES
from tools.finding import Finding, Level
from tools.records.catalog import Catalog, Entry
from tools.records.revision import Repository


@contextmanager
def catalog_at(root: Path, ref: str | None) -> Iterator[Catalog]:
    """The ledger at a git revision, laid out for as long as it is needed; without one, the ledger as it lies there."""
    if ref is None:
        yield Catalog(root)
        return
    repository = Repository(root)
    with tempfile.TemporaryDirectory() as folder:
        repository.lay_out(repository.commit(ref), Path(folder))
        yield Catalog(Path(folder))


def new_warnings(catalog: Catalog, pairs: Iterable[Pair], today: date) -> list[Finding]:
    """The warnings of changed and new records that their earlier version does not have; acknowledged ones are none."""
    inspector = Inspector(CatalogLedger(catalog, today), RULES)
    found: list[Finding] = []
    for pair in pairs:
        if pair.after is not None:
            known = {(warning.rule, warning.message) for warning in _warnings(inspector, pair.before)}
            warnings = _warnings(inspector, pair.after)
            found += (warning for warning in warnings if (warning.rule, warning.message) not in known)
    return found


def _warnings(inspector: Inspector, version: Version | None) -> list[Finding]:
    if version is None or version.content is None:
        return []
    entry = Entry(version.id, version.kind, version.file)
    outcome = inspector.inspect(Target(entry, version.file), version.content)
    found = settled_alone(outcome, version.file, RULES)
    return [finding for finding in found if finding.level is Level.WARNING and finding.acknowledged is None]
