"""A small ledger with every case that the warehouse tells apart, and the file built from it once for all tests."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import duckdb
import pytest

from tools.warehouse.build import Built, build

CASE_LEDGER = Path(__file__).resolve().parents[1] / "cases" / "ledger"

RUN = """\
id: {id}
kind: benchmark
title: Example 7B on one example card
status: verified
evidence: measured
measured_by: self
methodology: Example round one.
model_id: example-7b
precision: {{weights: fp16}}
engine: {{id: example-engine, version: 0.10.0}}
accelerator_ids: [example-card-80gb-pcie]
hardware: {{accelerator_count: 1, system_name: Example box}}
technique: {technique}
conditions:
  {conditions}
  input_length: {{nominal: 1024}}
  output_length: {{nominal: 128}}
results:
{results}
absent:
{absent}  - {{condition: warmup, reason: unrecoverable, source_id: example-log, would_need: the command line}}
sources:
  - {{source_id: example-log, locator: line 12, read_from: log}}
audit:
  - date: 2026-03-02
    by: example-curator
    action: created
    reason: Filed from the log.
    evidence:
      - {{source_id: example-log, locator: line 12}}
"""
CORRECTION = """\
  - date: 2026-03-10
    by: second-curator
    action: correction
    reason: The log was misread.
    evidence:
      - {source_id: example-log, locator: line 13}
    changes:
      - {path: /results/0/value, from: 150, to: 120}
  - date: 2026-03-12
    by: second-curator
    action: backfill
    reason: The log has the median too.
    evidence:
      - {source_id: example-log, locator: line 14}
    changes:
      - path: /results/1
        to: {metric: tpot_ms, statistic: p50, value: 20, unit: ms}
"""
NO_LOAD = "  - {condition: load, reason: not_stated, source_id: example-log}\n"
PLAIN = "{kind: autoregressive}"
BASELINE = "baseline: {technique: autoregressive, varied: [technique], description: plain decoding}"


def _run(name: str, conditions: str, *results: str, technique: str = PLAIN, absent: str = "") -> str:
    listed = "\n".join(f"  - {{{result}}}" for result in results)
    return RUN.format(id=name, conditions=conditions, results=listed, technique=technique, absent=absent)


def _speedup(name: str, batch: int, speedup: float) -> str:
    technique = "{kind: eagle3, gamma: 4, topology: chain, acceptance_length: 3.0}"
    result = f"metric: speedup_ratio, value: {speedup}, unit: ratio, {BASELINE}"
    return _run(name, f"scenario: fixed_batch\n  batch_size: {batch}", result, technique=technique)


def _records() -> Iterator[tuple[str, str]]:
    closed = "scenario: closed_loop\n  concurrency: 8"
    rate = "metric: tps_aggregate, value: {}, unit: tok/s"
    tpot = "metric: tpot_ms, statistic: p50, value: {}, unit: ms"
    yield "corrected", _run("corrected", closed, rate.format(120), tpot.format(20)) + CORRECTION
    yield "slow", _run("slow", closed, rate.format(100), tpot.format(25))
    yield "many", _run("many", closed.replace("8", "64"), rate.format(900), tpot.format(60))
    per_accelerator = "metric: output_tok_s_per_accelerator, value: 240, unit: tok/s"
    yield "per-accelerator", _run("per-accelerator", closed, per_accelerator)
    for scenario, value in (("offline", 1000), ("server", 800)):
        yield scenario, _run(scenario, f"scenario: {scenario}", rate.format(value), absent=NO_LOAD)
    power = "metric: power_w, value: 0.5, unit: kW, power_basis: measured_accelerator"
    yield "power", _run("power", closed.replace("8", "9"), power)
    for batch, speedup in ((1, 2.0), (8, 1.4), (32, 0.9)):
        yield f"draft-b{batch}", _speedup(f"draft-b{batch}", batch, speedup)


def no_progress(*_: object) -> AbstractContextManager[Callable[[int], None]]:
    """No bar: nobody looks."""
    return nullcontext(lambda _: None)


def built(root: Path, out: Path, **options: bool) -> Built:
    """Build in this process."""
    return build(root, out, no_progress, jobs=1, **options)  # type: ignore[arg-type]


def write_sweep(root: Path, name: str, select: str, manifest: dict[str, object]) -> None:
    """A simulation whose points are the rows of a query."""
    folder = root / "generated" / "sweeps" / name
    folder.mkdir(parents=True)
    duckdb.sql(select).write_parquet(str(folder / "results.parquet"))
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


def write_twins(root: Path, *rows: tuple[str, int, float]) -> None:
    """Twins by record, batch and predicted speedup, each a tenth to either side, with two assumed conditions."""
    folder = root / "generated" / "twins"
    folder.mkdir(parents=True)
    assumed = "[{'name': 'precision', 'value': 'bf16'}, {'name': 'context', 'value': '1024'}]"
    duckdb.sql(
        "SELECT r AS record_id, 'roofline' AS cost_model, b::INTEGER AS batch_size, 4 AS gamma, 1024 AS context, "
        "3.0::DOUBLE AS tau, s::DOUBLE AS speedup, (s - 0.1)::DOUBLE AS interval_low, "
        f"(s + 0.1)::DOUBLE AS interval_high, {assumed} AS assumed "
        f"FROM (VALUES {', '.join(map(str, rows))}) t(r, b, s)"
    ).write_parquet(str(folder / "twins.parquet"))


@pytest.fixture(scope="session")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger that is read only."""
    place = tmp_path_factory.mktemp("warehouse") / "ledger"
    shutil.copytree(CASE_LEDGER, place, ignore=shutil.ignore_patterns(".cache", "generated"))
    for name, text in _records():
        (place / "data" / "benchmarks" / f"{name}.yaml").write_text(text, encoding="utf-8")
    points = (
        "SELECT 'bimodal' AS quality, b::INTEGER AS batch_size, 4 AS gamma, 1.5 AS speedup, 1.4 AS speedup_low, "
        "1.6 AS speedup_high, a AS acceptance_length FROM (VALUES (8, 2.9), (8, 2.99), (16, 3.0)) t(b, a)"
    )
    config = {"title": "A study", "cost": {"model": "constant"}}
    write_sweep(place, "example-study", points, {"seed": 7, "config": config})
    write_twins(place, ("draft-b32", 32, 1.1), ("nobody", 1, 1.0))
    return place


@pytest.fixture(scope="session")
def database(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file built from it."""
    out = tmp_path_factory.mktemp("built") / "ledger.duckdb"
    built(root, out)
    return out


@pytest.fixture(scope="session")
def warehouse(database: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection to that file."""
    with duckdb.connect(str(database), read_only=True) as connection:
        yield connection
