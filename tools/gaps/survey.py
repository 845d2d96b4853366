"""One pass over the ledger: every record is read once, and what the sections count is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from tools.gaps.benchmark import Benchmark, read_benchmark
from tools.gaps.scope import Scope
from tools.records.catalog import FOLDERS, Catalog
from tools.records.garbage import uncollected
from tools.records.parse import Json

WITHDRAWN: Final = frozenset({"superseded", "retracted"})
"""Statuses of records that no longer stand; nothing is asked of them."""


@dataclass(slots=True)
class Survey:
    """What a scope holds of records that stand, by kind and id.

    `benchmarks` are those of the scope. `runs` counts, for (kind, id) of an accelerator, model or engine, the
    benchmarks of the whole ledger on it; `formats` are those that they are known to compute in on an accelerator.
    `cited` counts the records of the scope that cite a source. `unreadable` files hold no mapping; they are the
    business of `tools validate`.
    """

    scope: Scope
    benchmarks: list[Benchmark] = field(default_factory=list)
    records: Mapping[str, dict[str, dict[str, Json]]] = field(
        default_factory=lambda: {kind: {} for kind in FOLDERS}
    )
    runs: Counter[tuple[str, str]] = field(default_factory=Counter)
    formats: dict[str, set[str]] = field(default_factory=dict)
    cited: Counter[str] = field(default_factory=Counter)
    withdrawn: dict[str, str] = field(default_factory=dict)
    set_aside: Counter[str] = field(default_factory=Counter)
    unreadable: int = 0


def survey(catalog: Catalog, scope: Scope, progress: Callable[[int], None] = lambda _: None) -> Survey:
    """The survey of a ledger within a scope."""
    found = Survey(scope)
    with uncollected():
        for entry in catalog.files():
            progress(1)
            record = catalog.record(entry.id)
            if record is None:
                found.unreadable += 1
                continue
            status = record.get("status")
            is_asked = scope.takes(entry, record)
            if isinstance(status, str) and status in WITHDRAWN:
                found.withdrawn[entry.id] = status
                found.set_aside[entry.kind] += is_asked
                continue
            if is_asked:
                found.records[entry.kind][entry.id] = record
            if entry.kind == "benchmark":
                _add(found, read_benchmark(entry.id, record), is_asked)
            elif is_asked and entry.kind != "source":
                found.cited.update(_cited(record))
    return found


def _add(found: Survey, benchmark: Benchmark, is_asked: bool) -> None:
    for accelerator in benchmark.accelerators:
        found.runs["accelerator", accelerator] += 1
        found.formats.setdefault(accelerator, set()).update(benchmark.formats)
    for kind, name in (("model", benchmark.model), ("engine", benchmark.engine)):
        if name is not None:
            found.runs[kind, name] += 1
    if is_asked:
        found.benchmarks.append(benchmark)
        found.cited.update(benchmark.sources)


def _cited(record: dict[str, Json]) -> set[str]:
    listed = record.get("sources")
    return {
        source
        for item in (listed if isinstance(listed, list) else ())
        if isinstance(item, dict) and isinstance(source := item.get("source_id"), str)
    }
