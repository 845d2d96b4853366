"""What a rule is: a value with a name, a level, a reason to exist and one pure function.

A rule never opens a file, never prints and never loads the schema; it reads a `Record` and asks the `Ledger` about
others, and yields `Fault`s, or a `Skip` where a fact that its limit is computed from is missing. The runner turns
faults into findings and knows nothing of particular rules.

Five scopes:

* `DOCUMENT`: the parser or the schema yields the finding; the rule carries the words that explain it.
* `RECORD`: `check(record, ledger)` looks at one record.
* `LEDGER`: `gather(record, ledger)` keeps a small fact of each record (plain JSON values, so that it can be
  cached), and `survey(facts, catalog)` looks at the facts of all of them at once, keyed by file.
* `BASE`: the comparison with a git revision yields the finding; here too the rule carries the words.
* `FINDINGS`: the finding is about what the other rules found; one of these rules gathers what a record says of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import NamedTuple, Protocol

from tools.finding import Level
from tools.records import pointer
from tools.records.catalog import Catalog, Reference
from tools.records.parse import Document, Json


class Scope(StrEnum):
    """What a rule needs to see: the text of one file, one record, the whole ledger, a record beside its base, or the
    findings of the other rules."""

    DOCUMENT = "document"
    RECORD = "record"
    LEDGER = "ledger"
    BASE = "base"
    FINDINGS = "findings"


@dataclass(frozen=True, slots=True)
class Fault:
    """One place where a rule is broken: JSON Pointer, what is wrong, what to do; `at_key` points at the key.

    `level` is given where the fault is less (or more) than the rule's own level, one of its `other_levels`.
    """

    pointer: str
    message: str
    hint: str = ""
    at_key: bool = False
    level: Level | None = None


@dataclass(frozen=True, slots=True)
class Skip:
    """A rule that stayed silent about a place because a fact is missing; `lacks` says which and where it belongs."""

    pointer: str
    lacks: str


class PlacedFault(NamedTuple):
    """A fault that a survey found in `file`, at the place its fact recorded (line and column from 1).

    Without a line it is found by the pointer of the fault, in the file as it lies there.
    """

    file: str
    fault: Fault
    line: int = 0
    column: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """One record as a rule sees it. `id` and `kind` are what the file's place says, `value` is what it holds."""

    id: str
    kind: str
    file: str
    value: dict[str, Json]
    document: Document

    def get(self, path: str) -> Json:
        """What stands at a JSON Pointer, or None."""
        return pointer.find(self.value, path)

    def text(self, path: str) -> str | None:
        """The string at a JSON Pointer, or None when something else or nothing stands there."""
        found = self.get(path)
        return found if isinstance(found, str) else None

    def mappings(self, path: str) -> Iterator[tuple[str, dict[str, Json]]]:
        """(pointer, mapping) for each mapping of the list at a JSON Pointer; anything else is left out."""
        found = self.get(path)
        if isinstance(found, list):
            for index, item in enumerate(found):
                if isinstance(item, dict):
                    yield f"{path}/{index}", item


class Ledger(Protocol):
    """What a rule may ask about the rest of the ledger."""

    @property
    def today(self) -> date:
        """The day of the check."""

    def kinds(self, record_id: str) -> tuple[str, ...]:
        """The kinds under which an id exists, one for each file that claims it; empty when it does not."""

    def value(self, record_id: str) -> dict[str, Json] | None:
        """The content of another record, or None."""

    def nearest(self, name: str, kind: str | None) -> list[str]:
        """Ids that a name may have meant, best first."""

    def ids(self, kind: str) -> list[str]:
        """The ids of all records of a kind, in order."""

    def references(self, record: Record) -> Iterator[Reference]:
        """The other records that a record names."""


RecordCheck = Callable[[Record, Ledger], Iterator[Fault] | Iterator[Fault | Skip]]
Gather = Callable[[Record, Ledger], Json]
Survey = Callable[[Mapping[str, Json], Catalog], Iterator[PlacedFault]]


@dataclass(frozen=True)
class Rule:
    """One rule.

    `summary` says the fault in one line, `why` teaches it in a paragraph, `reference` is where it can be read up.
    `formula` is what is computed, with its tolerance; `tolerance` says where that comes from. `kinds` are the kinds
    of record that the rule is about (none means every kind), `other_levels` those that single faults may have
    beside `level`. `aliases` are names the rule had before. Facts of a survey are keyed by file; a record without
    a fact (None) is left out.

    `needs` is what has to be in a record so that `check` or `gather` can say anything of it: of each group at least
    one, a metric of its results by name, or a key by its JSON Pointer (`/counts`, `/conditions/concurrency`,
    `/results/*/repeats` for a key of any result). The rule is not asked about other records (`tools.checks.needs`).
    """

    name: str
    level: Level
    summary: str
    why: str
    reference: str = ""
    aliases: tuple[str, ...] = ()
    check: RecordCheck | None = None
    gather: Gather | None = None
    survey: Survey | None = None
    against_base: bool = False
    about_findings: bool = False
    formula: str = ""
    tolerance: str = ""
    kinds: tuple[str, ...] = ()
    needs: tuple[tuple[str, ...], ...] = ()
    other_levels: tuple[Level, ...] = ()

    @property
    def scope(self) -> Scope:
        """What the rule needs to see."""
        if self.against_base:
            return Scope.BASE
        if self.about_findings:
            return Scope.FINDINGS
        if self.check is not None:
            return Scope.RECORD
        return Scope.DOCUMENT if self.survey is None else Scope.LEDGER
