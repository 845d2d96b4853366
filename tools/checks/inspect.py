"""One file from bytes to an outcome: parse, schema, the rules of record scope, the facts for the surveys."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import NamedTuple

from tools.checks.ledger import CatalogLedger, digest
from tools.checks.needs import Concerned
from tools.checks.outcome import Outcome, Skipped
from tools.checks.remembered import forget
from tools.checks.reports.words import counted
from tools.checks.rule import Fault, Record, Rule, Skip
from tools.finding import Finding, Level, Location
from tools.records.catalog import FOLDERS, Entry
from tools.records.garbage import uncollected
from tools.records.parse import Document, Problem, parse
from tools.records.read import read_file
from tools.schema.validate import faults as schema_faults

FINDINGS_PER_FILE = 100
"""Findings listed of one file. A rule is asked for one more than that and no further, because a fault can be
dear: the nearest ids are looked up for each reference that leads nowhere."""

EXCERPT_LENGTH = 160
SCHEMA_RULE = "schema-violation"
CUT_RULE = "more-findings"
_RULES_BY_KEYWORD = {"dimension": "metric-unit-incompatible"}
"""Faults of the schema that have a rule of their own; all others are schema violations."""

_NOT_ALL_TOLD = "cut"
"""The keyword of the schema's remark that it did not look for every fault."""


@dataclass(frozen=True)
class Target:
    """A file to check: its entry in the catalog and the name under which findings speak of it."""

    entry: Entry
    file: str


@dataclass(slots=True)
class _Found:
    """The findings of one file, and what is known of those nobody looked for."""

    target: Target
    document: Document | None
    findings: list[Finding] = field(default_factory=list)
    skips: list[Skipped] = field(default_factory=list)
    unlisted: int = 0
    is_cut: bool = False

    @classmethod
    def of(cls, target: Target, document: Document) -> _Found:
        """What the parser found in a file."""
        found = cls(target, document, unlisted=document.unlisted)
        for problem in document.problems:
            found.add_problem(problem)
        return found

    def add_problem(self, problem: Problem) -> None:
        self.findings.append(
            Finding(
                problem.rule,
                Level.ERROR,
                self.target.file,
                problem.location,
                problem.message,
                problem.hint,
                record=self.target.entry.id,
            )
        )

    def add_fault(self, rule: str, level: Level, fault: Fault) -> None:
        assert self.document is not None
        self.findings.append(
            Finding(
                rule,
                level,
                self.target.file,
                self.document.locate(fault.pointer, key=fault.at_key),
                fault.message,
                fault.hint,
                fault.pointer,
                self.target.entry.id,
            )
        )

    def add_faults(self, rule: Rule, told: Iterable[Fault | Skip]) -> None:
        """Adds what a rule yields, up to one fault more than can be listed."""
        for count, item in enumerate(told):
            if isinstance(item, Skip):
                self.skips.append(
                    Skipped(rule.name, self.target.file, self.target.entry.id, item.pointer, item.lacks)
                )
            else:
                self.add_fault(rule.name, item.level or rule.level, item)
            if count == FINDINGS_PER_FILE:
                self.is_cut = True
                return

    def listed(self) -> list[Finding]:
        """The first findings in the order of the text, with their lines; the last one says how many are left."""
        ordered = sorted(self.findings, key=lambda found: (found.location, found.rule, found.message))
        listed = [
            replace(finding, excerpt=excerpt(self.document, finding.location))
            for finding in ordered[:FINDINGS_PER_FILE]
        ]
        if len(ordered) > FINDINGS_PER_FILE:
            listed.append(self._rest(len(ordered) - FINDINGS_PER_FILE + self.unlisted, listed[-1].location))
        return listed

    def _rest(self, count: int, location: Location) -> Finding:
        told = counted(count, "more finding")
        return Finding(
            CUT_RULE,
            Level.ERROR,
            self.target.file,
            location,
            f"{'at least ' if self.is_cut else ''}{told} in this file {'is' if count == 1 else 'are'} not listed",
            "mend the ones above first",
            record=self.target.entry.id,
        )


class _Read(NamedTuple):
    """A record that is looked at: as rules see it, what is found in it, what becomes of that."""

    record: Record
    found: _Found
    outcome: Outcome


class Inspector:
    """Checks files one by one with the same rules and ledger."""

    def __init__(self, ledger: CatalogLedger, rules: Sequence[Rule]) -> None:
        self.ledger = ledger
        self.rules = rules
        self.concerned = Concerned(rules)

    def read(self, target: Target) -> bytes | Outcome:
        """The bytes of a file, or the outcome that says why there are none."""
        content = read_file(target.entry.path)
        if isinstance(content, Problem):
            found = _Found(target, None)
            found.add_problem(content)
            return Outcome("", findings=found.listed())
        return content

    def inspect(self, target: Target, content: bytes, document: Document | None = None) -> Outcome:
        """Everything there is to say about one file; `document` is what it holds, where it was parsed already."""
        with uncollected():
            ((_, outcome),) = self._outcomes([(_Found.of(target, document or parse(content)), content)])
        return outcome

    def inspect_all(self, files: Sequence[tuple[Target, bytes]]) -> list[tuple[Target, Outcome]]:
        """What there is to say about each of several files, which are read at the same time.

        Each step, and each rule, is done for all of them before the next, so that what it works with stays in the
        caches of the processor: one file after the other takes half as long again.
        """
        with uncollected():
            return self._outcomes([(_Found.of(target, parse(content)), content) for target, content in files])

    def _outcomes(self, read: Sequence[tuple[_Found, bytes]]) -> list[tuple[Target, Outcome]]:
        outcomes = [(found.target, Outcome(digest(content))) for found, content in read]
        for found, _ in read:
            self._judge(found)
        records = []
        for (found, _), (target, outcome) in zip(read, outcomes, strict=True):
            document, entry = found.document, target.entry
            if document is not None and isinstance(document.value, dict) and entry.kind in FOLDERS:
                outcome.is_record = True
                record = Record(entry.id, entry.kind, target.file, document.value, document)
                records.append(_Read(record, found, outcome))
        self._apply_rules(records)
        for (found, _), (_, outcome) in zip(read, outcomes, strict=True):
            outcome.findings = found.listed()
            outcome.skips = found.skips
        return outcomes

    @staticmethod
    def _judge(found: _Found) -> None:
        """Adds what the schema says, except of the words that the parser refused already."""
        document, kind = found.document, found.target.entry.kind
        if document is None or document.broken:
            return
        if kind not in FOLDERS:
            fault = Fault(
                "/kind", "does not say what kind of record it is", f"`kind` is one of {', '.join(FOLDERS)}"
            )
            found.add_fault(SCHEMA_RULE, Level.ERROR, fault)
            return
        refused = {problem.location for problem in document.problems}
        for told in schema_faults(kind, document.value, document.spelling):
            found.is_cut |= told.keyword == _NOT_ALL_TOLD
            if document.locate(told.pointer, key=told.at_key) not in refused:
                fault = Fault(told.pointer, told.message, told.hint, told.at_key)
                rule = _RULES_BY_KEYWORD.get(told.keyword, SCHEMA_RULE)
                found.add_fault(rule, Level.ERROR, fault)

    def _apply_rules(self, records: Sequence[_Read]) -> None:
        """Adds what each rule says of the records that it concerns, rule by rule."""
        checked: dict[int, list[_Read]] = {}
        gathered: dict[int, list[_Read]] = {}
        for read in records:
            asked = self.concerned.by(read.record)
            for rule in asked.checks:
                checked.setdefault(id(rule), []).append(read)
            for rule in asked.gathers:
                gathered.setdefault(id(rule), []).append(read)
        for rule in self.rules:
            for read in checked.get(id(rule), ()):
                self._check(rule, read)
        for rule in self.rules:
            for read in gathered.get(id(rule), ()):
                self._gather(rule, read)
        forget()

    def _check(self, rule: Rule, read: _Read) -> None:
        assert rule.check is not None
        self.ledger.uses = read.outcome.uses
        try:
            told = rule.check(read.record, self.ledger)
            first = next(told, None)
            if first is not None:
                read.found.add_faults(rule, chain((first,), told))
        except Exception:
            read.outcome.crashes.append(crash_of(rule, read.record.file))

    def _gather(self, rule: Rule, read: _Read) -> None:
        assert rule.gather is not None
        self.ledger.uses = read.outcome.uses
        try:
            fact = rule.gather(read.record, self.ledger)
        except Exception:
            read.outcome.crashes.append(crash_of(rule, read.record.file))
            return
        if fact is not None:
            read.outcome.facts[rule.name] = fact


def crash_of(rule: Rule, file: str = "the ledger") -> str:
    """The traceback of a rule that failed just now, and what it failed on."""
    import traceback

    return f"rule {rule.name} on {file}\n{traceback.format_exc()}"


def excerpt(document: Document | None, location: Location) -> str:
    """The line a finding points at, cut to a readable length around its column."""
    if document is None:
        return ""
    line = document.line(location.line)
    if len(line) <= EXCERPT_LENGTH:
        return line
    start = max(0, min(location.column - 1 - EXCERPT_LENGTH // 2, len(line) - EXCERPT_LENGTH))
    return line[start : start + EXCERPT_LENGTH]
