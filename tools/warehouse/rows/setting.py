"""What rows need to know beside the record itself: the ids of the ledger, and what the checks found.

It is made once in the parent and inherited by the workers.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from tools.finding import Finding, Level
from tools.records.catalog import FOLDERS, Catalog
from tools.records.parse import Json
from tools.warehouse.fields import Fields, Known, Row
from tools.warehouse.layout import tables

Filled: TypeAlias = Iterator[tuple[str, Row]]
"""(table, row) of everything that a record fills."""

NONE = "none"
"""The lint level of what has no finding that counts."""

_RANK = {NONE: 0, Level.INFO.value: 1, Level.WARNING.value: 2, Level.ERROR.value: 3}
_RESULT = re.compile(r"/results/([0-9]{1,9})(?:/|$)")


def result_index(pointer: str) -> int | None:
    """The result that a JSON Pointer of a benchmark leads to or into, or None."""
    found = _RESULT.match(pointer)
    return int(found[1]) if found else None


@dataclass(slots=True)
class Lint:
    """The findings of one record: how many of each level count, and where the worst ones are."""

    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_RANK, 0))
    acknowledged: int = 0
    general: str = NONE
    of_result: dict[int, str] = field(default_factory=dict)

    @property
    def worst(self) -> str:
        """The worst level in the record."""
        return max(
            (level for level, count in self.counts.items() if count), key=_RANK.__getitem__, default=NONE
        )

    def of(self, index: int) -> str:
        """The worst level of a result: its own findings, and those that are about no result."""
        return max(self.general, self.of_result.get(index, NONE), key=_RANK.__getitem__)

    @property
    def digest(self) -> str:
        """A digest of all that rows tell of the findings."""
        told = (sorted(self.counts.items()), self.acknowledged, self.general, sorted(self.of_result.items()))
        return hashlib.blake2b(repr(told).encode(), digest_size=16).hexdigest()

    def add(self, finding: Finding) -> None:
        """Counts a finding."""
        if finding.acknowledged is not None:
            self.acknowledged += 1
            return
        level = finding.level.value
        self.counts[level] += 1
        index = result_index(finding.pointer)
        if index is None:
            self.general = max(self.general, level, key=_RANK.__getitem__)
        else:
            self.of_result[index] = max(self.of_result.get(index, NONE), level, key=_RANK.__getitem__)


@dataclass(frozen=True)
class Setting:
    """Ids by kind (all of them under `any`), findings by record, and the digest of what the rows of each record follow
    from; `fields` reads the columns that hold fields as they are."""

    known: Known
    lint: Mapping[str, Lint]
    digests: Mapping[str, str]
    _fields: dict[tuple[str, str], Fields] = field(default_factory=dict, repr=False)

    def fields(self, table: str, below: str) -> Callable[[Mapping[str, Json]], Row]:
        """The reader of the columns of a table whose fields stand below a place of the schema."""
        made = self._fields.get((table, below))
        if made is None:
            made = self._fields[table, below] = Fields(tables()[table], below, self.known)
        return made.read

    def id(self, kind: str, value: Json) -> Json:
        """The value where it is the id of a record of that kind."""
        return value if isinstance(value, str) and value in self.known[kind] else None

    def lint_of(self, record_id: str) -> Lint:
        """The findings of a record."""
        return self.lint.get(record_id) or Lint()


def setting_of(catalog: Catalog, findings: Iterable[Finding], of_records: Mapping[str, str]) -> Setting:
    """The setting of a ledger and of what was found in it; `of_records` are digests of its files by id."""
    by_kind: dict[str, set[str]] = {kind: set() for kind in FOLDERS}
    for entry in catalog.entries.values():
        by_kind[entry.kind].add(entry.id)
    known = {kind: frozenset(ids) for kind, ids in by_kind.items()}
    lint: dict[str, Lint] = {}
    for finding in findings:
        if finding.record in catalog.entries:
            lint.setdefault(finding.record, Lint()).add(finding)
    digests = {
        name: f"{digest} {lint[name].digest}" if name in lint else digest
        for name, digest in of_records.items()
    }
    return Setting({**known, "any": frozenset(catalog.entries)}, lint, digests)
