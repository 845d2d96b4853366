"""A record on its way in: what a file stated, what it did not, and why it was refused if it was.

Every importer fills drafts and nothing else. A draft takes a value once (another value for the same place is a
`ConflictError`), takes a number through the vocabulary (the unit is converted there, the file's own key, value
and unit stay in `derived_from.original`), and `settle` declares every condition absent that nobody stated. There
is no default for a number: what is not given is not there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tools.audit.amendment import Signature
from tools.importers.printed import Printed
from tools.importers.tree import ConflictError, Tree, at, place, plain
from tools.schema.conditions import require_condition
from tools.schema.vocabulary import UnitError, convert, vocabulary

STATUS = "draft"
CREATED = "created"
UNRECOVERABLE = "unrecoverable"


@dataclass(frozen=True, slots=True)
class Original:
    """A number as the file has it: the name of its key or column, its digits and its unit in the file's words."""

    key: str | None
    number: Printed
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a draft was read: a source record and the place in it; `read_from` is how it was taken from there."""

    source_id: str
    locator: str
    read_from: str = "file"
    note: str | None = None
    tolerance: float | None = None
    """Half-width of the reading error of a chart, in the unit of the value read."""
    artifact_sha256: str | None = None
    """Digest of the file that was read."""

    def whole(self) -> dict[str, Tree]:
        """The citation as a record holds it."""
        said: dict[str, Tree] = {
            "source_id": self.source_id,
            "locator": self.locator,
            "read_from": self.read_from,
        }
        more: dict[str, Tree] = {
            "tolerance": self.tolerance,
            "artifact_sha256": self.artifact_sha256,
            "note": self.note,
        }
        return said | {key: value for key, value in more.items() if value is not None}

    def evidence(self) -> dict[str, Tree]:
        """The citation as an audit entry holds it."""
        return {"source_id": self.source_id, "locator": self.locator}


@dataclass(frozen=True, slots=True)
class Later:
    """An audit entry after the first: what was done to the record as the file would have it, and why."""

    action: str
    reason: str
    evidence: tuple[Citation, ...]
    changes: tuple[tuple[str, Tree], ...]
    """(pointer, the value before); what it became is what the draft has there."""


@dataclass
class Draft:
    """One operating point: its fields, its citations, its open questions; `refusals` say why it is no record."""

    place: str
    """What a message calls it: the file and row, or the file and key."""
    fields: dict[str, Tree] = field(default_factory=dict)
    citations: list[Citation] = field(default_factory=list)
    results: list[dict[str, Tree]] = field(default_factory=list)
    absences: dict[str, dict[str, Tree]] = field(default_factory=dict)
    later: list[Later] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    _by_kind: dict[tuple[str, ...], dict[str, Tree]] = field(default_factory=dict)
    _cited: set[Citation] = field(default_factory=set)

    def refuse(self, reason: str) -> None:
        """Says why this is no record; several reasons may be given, the first counts."""
        self.refusals.append(reason)

    def remark(self, text: str) -> None:
        """Says something about the file that is for whoever imports, not for the record."""
        self.remarks.append(text)

    def put(self, pointer: str, value: Tree) -> None:
        """States a field; None states nothing. Raises `ConflictError` where another value stands there."""
        if value is not None:
            place(self.fields, pointer, value)

    def count(self, name: str, value: Tree) -> None:
        """States a total of the run (`completed`, `output_tokens`, ...); None states nothing."""
        self.put(f"/counts/{name}", value)

    def cite(self, citation: Citation) -> None:
        """Adds a place that the record rests on, once."""
        if citation not in self._cited:
            self._cited.add(citation)
            self.citations.append(citation)

    def add_result(
        self,
        metric: str,
        number: Printed,
        unit: str,
        *,
        statistic: str | None = None,
        original: Original | None = None,
        more: Mapping[str, Tree] | None = None,
        citation: Citation | None = None,
    ) -> None:
        """Adds a number given in `unit`, converted into the metric's own.

        Raises `ConflictError` for another value of the same metric and statistic, and `UnitError` for a metric or
        unit that the vocabulary does not have or join. The same value again adds nothing.
        """
        made = _result(metric, number, unit, statistic, original, more or {})
        standing = self._by_kind.setdefault(tuple(str(plain(made.get(key))) for key in _IDENTITY), made)
        if standing is not made:
            if plain(standing["value"]) != plain(made["value"]):
                raise ConflictError(
                    f"two values of {named(made)}: {plain(standing['value'])} and {plain(made['value'])}"
                )
            return
        if citation is not None:
            made["sources"] = [citation.whole()]
        self.results.append(made)

    def absent(
        self, condition: str, reason: str, would_need: str | None = None, note: str | None = None
    ) -> None:
        """Declares a condition absent, unless it is stated or declared already; what would recover it is told."""
        known = require_condition(condition)
        if condition in self.absences or self.is_stated(condition):
            return
        said: dict[str, Tree] = {"condition": condition, "reason": reason}
        if reason != "not_applicable" and len({citation.source_id for citation in self.citations}) == 1:
            said["source_id"] = self.citations[0].source_id
        if would_need or reason in ("not_stated", UNRECOVERABLE):
            said["would_need"] = would_need or known.would_need
        if note:
            said["note"] = note
        self.absences[condition] = said

    def settle(self, reason: str = "not_stated") -> None:
        """Declares absent every one of the conditions that is neither stated nor declared."""
        for name in vocabulary().conditions:
            self.absent(name, reason)

    def is_stated(self, condition: str) -> bool:
        """Whether the draft states one of the conditions."""
        return any(at(self.fields, place) is not None for place in require_condition(condition).stated_by)

    def amend(self, later: Later) -> None:
        """Adds an audit entry for what the record says otherwise than the file does.

        Raises `ConflictError` for a place that an earlier entry has changed already: what it was in between is not
        known here.
        """
        changed = {pointer for entry in self.later for pointer, _ in entry.changes}
        twice = next((pointer for pointer, _ in later.changes if pointer in changed), None)
        if twice is not None:
            raise ConflictError(f"two audit entries change {twice}")
        self.later.append(later)

    def record(self, record_id: str, signed: Signature) -> dict[str, Tree]:
        """The record with its id, its log and its numbers as printed."""
        standing: dict[str, Tree] = {
            "id": record_id,
            "kind": "benchmark",
            "status": STATUS,
            **self.fields,
            "results": [*self.results],
        }
        if self.absences:
            standing["absent"] = [*self.absences.values()]
        standing["sources"] = [citation.whole() for citation in self.citations]
        entries: list[Tree] = [self._created(signed)]
        entries += [self._entry(later, standing, signed) for later in self.later]
        standing["audit"] = entries
        return standing

    def _created(self, signed: Signature) -> dict[str, Tree]:
        return {
            "date": signed.day.isoformat(),
            "by": signed.by,
            "action": CREATED,
            "reason": signed.reason,
            "evidence": [citation.evidence() for citation in self.citations],
        }

    @staticmethod
    def _entry(later: Later, standing: dict[str, Tree], signed: Signature) -> dict[str, Tree]:
        changes: list[Tree] = []
        for pointer, before in later.changes:
            after = at(standing, pointer)
            change: dict[str, Tree] = {"path": pointer}
            if before is not None:
                change["from"] = before
            if after is not None:
                change["to"] = after
            changes.append(change)
        return {
            "date": signed.day.isoformat(),
            "by": signed.by,
            "action": later.action,
            "reason": later.reason,
            "evidence": [citation.evidence() for citation in later.evidence],
            "changes": changes,
        }


def _result(
    metric: str,
    number: Printed,
    unit: str,
    statistic: str | None,
    original: Original | None,
    more: Mapping[str, Tree],
) -> dict[str, Tree]:
    known = vocabulary().metrics.get(metric)
    if known is None:
        raise UnitError(f"`{metric}` is no metric")
    made: dict[str, Tree] = {"metric": metric}
    if statistic is not None:
        made["statistic"] = statistic
    own = unit if unit in known.units else next(iter(known.units))
    if own == unit:
        made["value"] = number
        if number.printed:
            made["printed"] = number.printed
    else:
        made["value"] = convert(number.exact, unit, own)
    made["unit"] = own
    made.update(more)
    if original is not None:
        said: dict[str, Tree] = {"key": original.key} if original.key else {}
        said["value"] = original.number
        if original.unit:
            said["unit"] = original.unit
        if original.number.printed:
            said["printed"] = original.number.printed
        derived = made.get("derived_from")
        made["derived_from"] = {**(derived if isinstance(derived, dict) else {}), "original": said}
    return made


# What makes two numbers of one record the same number.
_IDENTITY = ("metric", "statistic", "position", "window", "token_kind", "power_basis")


def named(result: Mapping[str, Tree]) -> str:
    """What a message calls a result: its metric and statistic."""
    return " ".join(str(plain(result[key])) for key in ("metric", "statistic", "position") if key in result)
