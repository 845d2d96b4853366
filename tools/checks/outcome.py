"""What checking one file gave: findings, facts for the surveys, and everything of the ledger that was asked.

An outcome is made of plain values, so that it can cross a process border and lie in the cache. `uses` is what
makes a cached outcome safe to take again: each question the rules asked about other records, with the answer
they got. If an answer would be another today, the outcome is void.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tools.finding import Finding, Level, Location
from tools.records.parse import Json


class Skipped(NamedTuple):
    """A rule that stayed silent about a place of a record, and the fact that it lacked."""

    rule: str
    file: str
    record: str
    pointer: str
    lacks: str


@dataclass(slots=True)
class Outcome:
    """The result for one file. `crashes` are tracebacks of rules that failed; such an outcome is never cached.

    `skips` are not cached either: whoever asks for them has the files checked anew.
    """

    digest: str
    is_record: bool = False
    findings: list[Finding] = field(default_factory=list)
    facts: dict[str, Json] = field(default_factory=dict)
    uses: dict[str, str] = field(default_factory=dict)
    crashes: list[str] = field(default_factory=list)
    skips: list[Skipped] = field(default_factory=list)

    def to_json(self) -> list[Any]:
        """Plain lists and strings, for the cache."""
        return [
            self.digest,
            self.is_record,
            [
                [f.rule, f.level, f.file, *f.location, f.message, f.hint, f.pointer, f.record, f.excerpt]
                for f in self.findings
            ],
            self.facts,
            self.uses,
        ]

    @classmethod
    def from_json(cls, stored: list[Any]) -> Outcome:
        """The outcome that `to_json` stored."""
        digest, is_record, findings, facts, uses = stored
        return cls(
            digest,
            is_record,
            [
                Finding(rule, Level(level), file, Location(line, column), *texts)
                for rule, level, file, line, column, *texts in findings
            ],
            facts,
            uses,
        )
