"""The ledger as rules see it: the catalog, the day, and a memory of what was asked.

Every answer a rule gets is noted in `uses`, under the question. That list is stored with the outcome of a file and
asked again before a cached outcome is taken (`still_holds`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import date

from tools.checks.remembered import remembered
from tools.checks.rule import Record
from tools.records.catalog import Catalog, Reference
from tools.records.parse import Json
from tools.records.read import read_file
from tools.schema.references import references


def digest(content: bytes) -> str:
    """A short digest of a file's bytes."""
    return hashlib.blake2b(content, digest_size=16).hexdigest()


class CatalogLedger:
    """A `Ledger` over a catalog; `uses` collects questions and answers since it was last emptied."""

    def __init__(self, catalog: Catalog, today: date) -> None:
        self.catalog = catalog
        self.today = today
        self.uses: dict[str, str] = {}
        self._digests: dict[str, str] = {}
        self._answers: dict[str, str] = {}
        self._kinds_asked: dict[str, tuple[str, str, tuple[str, ...]]] = {}

    def kinds(self, record_id: str) -> tuple[str, ...]:
        """The kinds under which an id exists, one for each file that claims it."""
        known = self._kinds_asked.get(record_id)
        if known is None:
            kinds = self._kinds(record_id)
            known = self._kinds_asked[record_id] = (f"kinds {record_id}", " ".join(kinds), kinds)
        question, answer, kinds = known
        self.uses[question] = answer
        return kinds

    def _kinds(self, record_id: str) -> tuple[str, ...]:
        clash = self.catalog.clashes.get(record_id)
        if clash:
            return tuple(sorted(entry.kind for entry in clash))
        entry = self.catalog.find(record_id)
        return (entry.kind,) if entry else ()

    def value(self, record_id: str) -> dict[str, Json] | None:
        """The content of another record."""
        self.uses[f"value {record_id}"] = self._content_digest(record_id)
        return self.catalog.record(record_id)

    def _content_digest(self, record_id: str) -> str:
        if record_id not in self._digests:
            entry = self.catalog.find(record_id)
            content = read_file(entry.path) if entry else None
            self._digests[record_id] = digest(content) if isinstance(content, bytes) else ""
        return self._digests[record_id]

    def nearest(self, name: str, kind: str | None) -> list[str]:
        """Ids that a name may have meant."""
        self.uses["ids"] = self.catalog.digest()
        return self.catalog.nearest(name, kind)

    def ids(self, kind: str) -> list[str]:
        """The ids of all records of a kind."""
        self.uses["ids"] = self.catalog.digest()
        return sorted(entry.id for entry in self.catalog.entries.values() if entry.kind == kind)

    def references(self, record: Record) -> Iterator[Reference]:
        """The other records that a record names."""
        return iter(_references(record))

    def still_holds(self, uses: dict[str, str]) -> bool:
        """Whether every stored question has the same answer today."""
        return all(
            self._answers.get(question) == answer or self._now(question) == answer
            for question, answer in uses.items()
        )

    def _now(self, question: str) -> str:
        """The answer to a stored question today, which many files asked."""
        verb, _, record_id = question.partition(" ")
        if verb == "kinds":
            now = " ".join(self._kinds(record_id))
        elif verb == "value":
            now = self._content_digest(record_id)
        else:
            now = self.catalog.digest()
        self._answers[question] = now
        return now


@remembered()
def _references(record: Record) -> list[Reference]:
    return list(references(record.kind, record.value))
