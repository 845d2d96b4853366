"""One file from bytes to an outcome: parse, schema, the rules of record scope, the facts for the surveys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from tools.checks.ledger import CatalogLedger, digest
from tools.checks.outcome import Outcome
from tools.checks.rule import Fault, Record, Rule
from tools.finding import Finding, Level, Location
from tools.records.catalog import FOLDERS, Entry
from tools.records.parse import Document, Problem, parse
from tools.records.read import read_file
from tools.schema.validate import faults as schema_faults

FINDINGS_PER_FILE = 100
"""Findings listed of one file; a rule is asked for one more than that, so that a hostile file costs little."""
EXCERPT_LENGTH = 160
SCHEMA_RULE = "schema-violation"
CUT_RULE = "more-findings"


@dataclass(frozen=True)
class Target:
    """A file to check: its entry in the catalog and the name under which findings speak of it."""

    entry: Entry
    file: str


class Inspector:
    """Checks files one by one with the same rules and ledger."""

    def __init__(self, ledger: CatalogLedger, rules: Sequence[Rule]) -> None:
        self.ledger = ledger
        self.checks = [rule for rule in rules if rule.check is not None]
        self.gathers = [rule for rule in rules if rule.gather is not None]

    def read(self, target: Target) -> bytes | Outcome:
        """The bytes of a file, or the outcome that says why there are none."""
        content = read_file(target.entry.path)
        if isinstance(content, Problem):
            outcome = Outcome("")
            outcome.findings.append(_from_problem(content, target, None))
            return outcome
        return content

    def inspect(self, target: Target, content: bytes) -> Outcome:
        """Everything there is to say about one file."""
        outcome = Outcome(digest(content))
        document = parse(content)
        found = [_from_problem(problem, target, document) for problem in document.problems]
        if not document.broken:
            found += self._judged(target, document)
        if isinstance(document.value, dict) and target.entry.kind in FOLDERS:
            outcome.is_record = True
            entry = target.entry
            record = Record(entry.id, entry.kind, target.file, document.value, document)
            self._apply_rules(record, target, outcome, found)
        outcome.findings = _limited(found, target)
        return outcome

    @staticmethod
    def _judged(target: Target, document: Document) -> list[Finding]:
        """What the schema says, except of the words that the parser refused already."""
        kind = target.entry.kind
        if kind not in FOLDERS:
            fault = Fault(
                "/kind", "does not say what kind of record it is", f"`kind` is one of {', '.join(FOLDERS)}"
            )
            return [_finding(SCHEMA_RULE, Level.ERROR, target, document, fault)]
        refused = {problem.location for problem in document.problems}
        found = [
            _finding(
                SCHEMA_RULE,
                Level.ERROR,
                target,
                document,
                Fault(fault.pointer, fault.message, fault.hint, fault.at_key),
            )
            for fault in schema_faults(kind, document.value, document.spelling)
        ]
        return [finding for finding in found if finding.location not in refused]

    def _apply_rules(self, record: Record, target: Target, outcome: Outcome, found: list[Finding]) -> None:
        self.ledger.uses = outcome.uses
        for rule in self.checks:
            assert rule.check is not None
            try:
                found += [
                    _finding(rule.name, rule.level, target, record.document, fault)
                    for fault in islice(rule.check(record, self.ledger), FINDINGS_PER_FILE + 1)
                ]
            except Exception:
                outcome.crashes.append(crash_of(rule, record.file))
        for rule in self.gathers:
            assert rule.gather is not None
            try:
                fact = rule.gather(record, self.ledger)
            except Exception:
                outcome.crashes.append(crash_of(rule, record.file))
                continue
            if fact is not None:
                outcome.facts[rule.name] = fact


def crash_of(rule: Rule, file: str = "the ledger") -> str:
    """The traceback of a rule that failed just now, and what it failed on."""
    import traceback

    return f"rule {rule.name} on {file}\n{traceback.format_exc()}"


def _limited(found: list[Finding], target: Target) -> list[Finding]:
    found.sort(key=lambda finding: (finding.location, finding.rule, finding.message))
    if len(found) <= FINDINGS_PER_FILE:
        return found
    last = found[FINDINGS_PER_FILE - 1]
    return [
        *found[:FINDINGS_PER_FILE],
        Finding(
            CUT_RULE,
            Level.ERROR,
            target.file,
            last.location,
            f"at least {len(found) - FINDINGS_PER_FILE:,} more findings in this file are not listed",
            "mend the ones above first",
            record=target.entry.id,
        ),
    ]


def _from_problem(problem: Problem, target: Target, document: Document | None) -> Finding:
    return Finding(
        problem.rule,
        Level.ERROR,
        target.file,
        problem.location,
        problem.message,
        problem.hint,
        record=target.entry.id,
        excerpt=excerpt(document, problem.location),
    )


def _finding(rule: str, level: Level, target: Target, document: Document, fault: Fault) -> Finding:
    location = document.locate(fault.pointer, key=fault.at_key)
    return Finding(
        rule,
        level,
        target.file,
        location,
        fault.message,
        fault.hint,
        fault.pointer,
        target.entry.id,
        excerpt(document, location),
    )


def excerpt(document: Document | None, location: Location) -> str:
    """The line a finding points at, cut to a readable length around its column."""
    if document is None:
        return ""
    line = document.line(location.line)
    if len(line) <= EXCERPT_LENGTH:
        return line
    start = max(0, min(location.column - 1 - EXCERPT_LENGTH // 2, len(line) - EXCERPT_LENGTH))
    return line[start : start + EXCERPT_LENGTH]
