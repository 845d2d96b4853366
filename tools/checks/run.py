"""One pass over a ledger: every file read once, every rule run once, findings in order.

Files come from the cache where nothing they rest on has changed. The others are inspected here or, when there are
many, in forked workers that inherit the compiled schema and the catalog.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import chain
from typing import TYPE_CHECKING

from tools.checks.acknowledge import UNMATCHED, settled
from tools.checks.inspect import Inspector, Target, crash_of
from tools.checks.ledger import CatalogLedger, digest
from tools.checks.outcome import Outcome, Skipped
from tools.checks.placing import Places
from tools.checks.rule import Rule
from tools.checks.workers import SERIAL_LIMIT, Workers
from tools.finding import Finding, Level
from tools.records.catalog import Catalog, Entry
from tools.records.garbage import uncollected
from tools.records.parse import Json

if TYPE_CHECKING:
    from tools.checks.cache import Cache

BATCH = 50
"""Files inspected together; no more than records of which answers are kept (`tools.checks.remembered`)."""
BATCH_BYTES = 1 << 18
"""Bytes of files beyond which a batch takes no more of them; read, they take about 17 times as much memory."""
CACHED_FROM = 50
"""Files below which checking them costs less than asking the cache."""

Progress = Callable[[int], None]


@dataclass(frozen=True)
class Report:
    """What a run found. `crashes` are tracebacks of rules that failed: faults of ours, not of the data. `skips` is None
    where nobody asked for them."""

    findings: tuple[Finding, ...]
    files: int
    records: int
    seconds: float
    crashes: tuple[str, ...] = ()
    skips: tuple[Skipped, ...] | None = None

    def count(self, level: Level) -> int:
        """How many findings have a level and are not acknowledged."""
        return sum(finding.level is level and finding.acknowledged is None for finding in self.findings)

    @property
    def acknowledged(self) -> int:
        """How many findings are acknowledged."""
        return sum(finding.acknowledged is not None for finding in self.findings)


@dataclass
class Run:
    """The settings of one pass: what to check, by which rules, on which day, with how many processes.

    `whole` runs the surveys that need a fact of every record of the ledger too. `besides` gives findings that
    rest on more than the ledger as it stands, which no record acknowledges; it is asked first, so that a call it
    refuses ends at once. With `explain_skips` the report tells where rules lacked a fact, which no cache knows.
    """

    catalog: Catalog
    rules: Sequence[Rule]
    today: date
    whole: bool = True
    cached: bool = True
    jobs: int = 0
    progress: Progress = field(default=lambda _: None)
    besides: Callable[[], Iterable[Finding]] = field(default=tuple)
    explain_skips: bool = False

    @uncollected()
    def check(self, entries: Sequence[Entry]) -> Report:
        """Check the given files of the catalog.

        Nothing that a file is turned into refers back to itself, so nothing is left to collect, here or in workers.
        """
        started = time.perf_counter()
        targets = [Target(entry, self._shown(entry)) for entry in entries]
        cache = self._cache(len(targets))
        beside = list(self.besides())
        findings: list[Finding] = []
        facts: dict[str, dict[str, Json]] = {
            rule.name: {} for rule in self.rules if rule.survey or rule.gather
        }
        records = 0
        crashes: list[str] = []
        skips: list[Skipped] = []
        for target, outcome in self._outcomes(targets, cache):
            records += outcome.is_record
            findings += outcome.findings
            crashes += outcome.crashes
            skips += outcome.skips
            for rule, fact in outcome.facts.items():
                facts[rule][target.file] = fact
            self.progress(1)
        findings += self._surveys(facts, crashes)
        findings = beside + settled(findings, facts.get(UNMATCHED, {}), self.rules, self._spoken(crashes))
        if cache is not None:
            if self.whole:
                cache.keep_only({target.file for target in targets})
            cache.save()
        findings.sort(key=lambda finding: (finding.file, finding.location, finding.rule, finding.message))
        seconds = time.perf_counter() - started
        told = tuple(skips) if self.explain_skips else None
        return Report(tuple(findings), len(targets), records, seconds, tuple(crashes), told)

    def _cache(self, files: int) -> Cache | None:
        if not self.cached or self.explain_skips or files < CACHED_FROM:
            return None
        from tools.checks.cache import Cache

        return Cache(self.catalog.root, self.today)

    def _shown(self, entry: Entry) -> str:
        """The path as the reader knows it: relative to the ledger where it lies inside."""
        return entry.path.removeprefix(f"{self.catalog.root}{os.sep}")

    def _outcomes(self, targets: Sequence[Target], cache: Cache | None) -> Iterator[tuple[Target, Outcome]]:
        ledger = CatalogLedger(self.catalog, self.today)
        inspector = Inspector(ledger, self.rules)

        batch = _Batch()
        with Workers(
            inspector.inspect_all, self.jobs, chunk=1, serial_limit=SERIAL_LIMIT // BATCH
        ) as workers:
            for target in targets:
                content = inspector.read(target)
                if isinstance(content, Outcome):
                    yield target, content
                    continue
                known = cache.get(target.file, digest(content)) if cache else None
                if known is not None and ledger.still_holds(known.uses):
                    yield target, known
                    continue
                if batch.is_full_with(target, content):
                    yield from self._kept(workers.give(batch.taken()), cache)
            if batch.files:
                yield from self._kept(workers.give(batch.taken()), cache)
            yield from self._kept(workers.finish(), cache)

    @staticmethod
    def _kept(
        batches: Iterator[list[tuple[Target, Outcome]]], cache: Cache | None
    ) -> Iterator[tuple[Target, Outcome]]:
        for target, outcome in chain.from_iterable(batches):
            if cache is not None:
                cache.put(target.file, outcome)
            yield target, outcome

    def _spoken(self, crashes: Sequence[str]) -> frozenset[str]:
        """The rules that said all they have to say; none is taken for silent where one failed."""
        spoken = (rule.name for rule in self.rules if not rule.survey or self.whole or not rule.gather)
        return frozenset(() if crashes else spoken)

    def _surveys(self, facts: dict[str, dict[str, Json]], crashes: list[str]) -> Iterator[Finding]:
        places = Places(self.catalog.root)
        for rule in self.rules:
            if rule.survey is None or (rule.gather is not None and not self.whole):
                continue
            try:
                placed = list(rule.survey(facts[rule.name], self.catalog))
            except Exception:
                crashes.append(crash_of(rule))
                continue
            yield from (places.finding(rule, fault) for fault in placed)


class _Batch:
    """Files that wait to be inspected together."""

    def __init__(self) -> None:
        self.files: list[tuple[Target, bytes]] = []
        self.size = 0

    def is_full_with(self, target: Target, content: bytes) -> bool:
        """Takes on a file; whether no more should wait."""
        self.files.append((target, content))
        self.size += len(content)
        return len(self.files) >= BATCH or self.size >= BATCH_BYTES

    def taken(self) -> list[tuple[Target, bytes]]:
        """The files that waited; the batch is empty afterwards."""
        files, self.files, self.size = self.files, [], 0
        return files
