"""One pass over a ledger: every file read once, every rule run once, findings in order.

Files come from the cache where nothing they rest on has changed. The others are inspected here or, when there are
many, in forked workers that inherit the compiled schema and the catalog.
"""

from __future__ import annotations

import os
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

from tools.checks.acknowledge import UNMATCHED, settled
from tools.checks.inspect import Inspector, Target, crash_of
from tools.checks.ledger import CatalogLedger, digest
from tools.checks.outcome import Outcome, Skipped
from tools.checks.placing import Places
from tools.checks.rule import Rule
from tools.errors import ToolsError
from tools.finding import Finding, Level
from tools.records.catalog import Catalog, Entry
from tools.records.parse import Json

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

    from tools.checks.cache import Cache

CHUNK = 50
"""Files handed to a worker at a time."""
SERIAL_LIMIT = 300
"""Files below which forking costs more than it saves."""
WINDOW = 8
"""Chunks under way at once; bounds the memory that waiting files take."""
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

    def check(self, entries: Sequence[Entry]) -> Report:
        """Check the given files of the catalog."""
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
        misses: list[tuple[Target, bytes]] = []
        pool = _Pool(inspector, self.jobs or _cores())
        with pool:
            for target in targets:
                content = inspector.read(target)
                if isinstance(content, Outcome):
                    yield target, content
                    continue
                known = cache.get(target.file, digest(content)) if cache else None
                if known is not None and ledger.still_holds(known.uses):
                    yield target, known
                    continue
                misses.append((target, content))
                if len(misses) >= SERIAL_LIMIT and pool.wanted:
                    for chunk in _chunks(misses):
                        yield from self._kept(pool.submit(chunk), cache)
                    misses = []
            if pool.running:
                for chunk in _chunks(misses):
                    yield from self._kept(pool.submit(chunk), cache)
                yield from self._kept(pool.drain(), cache)
            else:
                yield from self._kept(((t, inspector.inspect(t, c)) for t, c in misses), cache)

    @staticmethod
    def _kept(
        outcomes: Iterator[tuple[Target, Outcome]], cache: Cache | None
    ) -> Iterator[tuple[Target, Outcome]]:
        for target, outcome in outcomes:
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


def _cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _chunks(items: list[tuple[Target, bytes]]) -> Iterator[list[tuple[Target, bytes]]]:
    for start in range(0, len(items), CHUNK):
        yield items[start : start + CHUNK]


_inspector: Inspector | None = None
"""The inspector that forked workers inherit."""


def _inspect_chunk(chunk: list[tuple[Target, bytes]]) -> list[tuple[Target, Outcome]]:
    assert _inspector is not None
    return [(target, _inspector.inspect(target, content)) for target, content in chunk]


class _Pool:
    """Forked workers, started with the first chunk; results come back in the order of the chunks."""

    def __init__(self, inspector: Inspector, jobs: int) -> None:
        self.inspector = inspector
        self.jobs = jobs
        self.wanted = jobs > 1 and hasattr(os, "fork")
        self._executor: ProcessPoolExecutor | None = None
        self._pending: deque[Future[list[tuple[Target, Outcome]]]] = deque()

    @property
    def running(self) -> bool:
        return self._executor is not None

    def __enter__(self) -> _Pool:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if self._executor is None:
            return
        self._executor.shutdown(cancel_futures=True)
        from concurrent.futures.process import BrokenProcessPool

        if isinstance(error, BrokenProcessPool):
            raise ToolsError(
                "a worker process was killed, so not every file was checked",
                "the machine may be short of memory: try again with --jobs 1",
            ) from error

    def submit(self, chunk: list[tuple[Target, bytes]]) -> Iterator[tuple[Target, Outcome]]:
        """Hand over a chunk, and give what has come back meanwhile."""
        global _inspector
        if self._executor is None:
            import multiprocessing
            from concurrent.futures import ProcessPoolExecutor

            _inspector = self.inspector
            fork = multiprocessing.get_context("fork")
            self._executor = ProcessPoolExecutor(self.jobs, fork, _leave_interrupts_to_the_parent)
        self._pending.append(self._executor.submit(_inspect_chunk, chunk))
        while len(self._pending) > WINDOW * self.jobs:
            yield from self._pending.popleft().result()

    def drain(self) -> Iterator[tuple[Target, Outcome]]:
        """Everything that is still under way."""
        while self._pending:
            yield from self._pending.popleft().result()


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
