"""What benchmarks lack: conditions by kind and by what they belong to, the accelerator, the second look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from tools.gaps.benchmark import UNDECLARED, Absence, Benchmark
from tools.gaps.scope import Scope
from tools.schema.vocabulary import vocabulary


@dataclass(frozen=True, slots=True)
class Kind:
    """One of the conditions: benchmarks that state it, and those that do not, by reason."""

    condition: str
    stated: int
    absent: Mapping[str, int]


@dataclass(slots=True)
class Group:
    """Benchmarks of one source, accelerator or model (None: of none): how many, how many lack nothing there, and how
    many lack each condition."""

    id: str | None
    benchmarks: int = 0
    complete: int = 0
    lacking: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class Unplaced:
    """Benchmarks of one source without an accelerator, for one reason: what their notes say of it, and what the source
    calls the systems, each with the number of benchmarks."""

    source: str | None
    reason: str
    benchmarks: int = 0
    notes: Counter[str] = field(default_factory=Counter)
    systems: Counter[str] = field(default_factory=Counter)


def kinds(benchmarks: Iterable[Benchmark]) -> list[Kind]:
    """Every condition with its absences, in the order of the vocabulary."""
    total = 0
    absent: dict[str, Counter[str]] = {name: Counter() for name in vocabulary().conditions}
    for benchmark in benchmarks:
        total += 1
        for absence in benchmark.absences:
            absent[absence.condition][absence.reason] += 1
    reasons = reasons_of_absence()
    return [
        Kind(name, total - found.total(), {reason: found[reason] for reason in reasons})
        for name, found in absent.items()
    ]


def reasons_of_absence() -> tuple[str, ...]:
    """Why a condition may not be in a record, that nobody said so included."""
    return (*vocabulary().enumerations["absence_reason"], UNDECLARED)


def by_source(benchmarks: Iterable[Benchmark], scope: Scope) -> list[Group]:
    """Benchmarks by the sources they cite; each absence counts for the source that lacks it."""
    groups = _grouped(
        benchmarks,
        lambda one: one.sources_of_gaps,
        lambda absence, source: absence.source == source,
    )
    return [group for group in groups if scope.takes_source(group.id)]


def by_accelerator(benchmarks: Iterable[Benchmark]) -> list[Group]:
    """Benchmarks by the accelerators they name; one that names several counts for each."""
    return _grouped(benchmarks, lambda one: one.accelerators or (None,), lambda *_: True)


def by_model(benchmarks: Iterable[Benchmark]) -> list[Group]:
    """Benchmarks by their model."""
    return _grouped(benchmarks, lambda one: (one.model,), lambda *_: True)


def _grouped(
    benchmarks: Iterable[Benchmark],
    belongs_to: Callable[[Benchmark], Iterable[str | None]],
    counts: Callable[[Absence, str | None], bool],
) -> list[Group]:
    groups: dict[str | None, Group] = {}
    for benchmark in benchmarks:
        for name in belongs_to(benchmark):
            group = groups.setdefault(name, Group(name))
            lacking = [absence.condition for absence in benchmark.lacks if counts(absence, name)]
            group.benchmarks += 1
            group.complete += not lacking
            group.lacking.update(lacking)
    return sorted(groups.values(), key=lambda group: (-group.lacking.total(), group.id or ""))


def unplaced(benchmarks: Iterable[Benchmark], scope: Scope) -> list[Unplaced]:
    """Benchmarks that name no accelerator, by source and reason."""
    groups: dict[tuple[str | None, str], Unplaced] = {}
    for benchmark in benchmarks:
        if benchmark.accelerators:
            continue
        absence = next((one for one in benchmark.absences if one.condition == "hardware"), None)
        if absence is None or not scope.takes_source(absence.source):
            continue
        found = groups.setdefault((absence.source, absence.reason), Unplaced(absence.source, absence.reason))
        found.benchmarks += 1
        if absence.note:
            found.notes[absence.note] += 1
        if benchmark.system is not None:
            found.systems[benchmark.system] += 1
    return sorted(groups.values(), key=lambda found: (-found.benchmarks, found.source or "", found.reason))


def waiting(benchmarks: Iterable[Benchmark], scope: Scope) -> list[tuple[str | None, int, int]]:
    """(source, drafts, benchmarks) for each source with drafts, the most first."""
    of_source: Counter[str | None] = Counter()
    drafts: Counter[str | None] = Counter()
    for benchmark in benchmarks:
        for source in benchmark.sources or (None,):
            of_source[source] += 1
            drafts[source] += benchmark.status == "draft"
    rows = [(source, count, of_source[source]) for source, count in drafts.items() if count]
    rows.sort(key=lambda row: (-row[1], row[0] or ""))
    return [row for row in rows if scope.takes_source(row[0])]
