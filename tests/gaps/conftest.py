"""The small ledger with records laid beside it that lack what the others have."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tools.records.catalog import Catalog

LEDGER = Path(__file__).parents[1] / "cases" / "ledger"

HOSTED = """\
id: hosted-run
kind: benchmark
status: draft
model_id: example-8b
hardware: {system_name: cloud}
conditions: {concurrency: 4, input_length: {nominal: 550}, output_length: {nominal: 150}, scenario: closed_loop}
absent:
  - {condition: hardware, reason: withheld, source_id: example-log, note: hosted API; the provider names no part}
  - {condition: engine_version, reason: not_applicable}
sources: [{source_id: example-log}, {source_id: example-paper}]
audit: [{date: 2026-03-02, by: a, action: created, reason: filed}]
"""
FP8 = """\
id: fp8-run
kind: benchmark
status: contested
model_id: example-8b
engine: {id: example-engine, version: "1"}
accelerator_ids: [example-card-24gb, example-sxm-80gb]
precision: {weights: fp8, activations: fp8}
conditions: {batch_size: 1, input_length: {nominal: 9}, output_length: {nominal: 9}, scenario: fixed_batch}
absent: [{condition: warmup, reason: not_stated, source_id: example-paper, would_need: the script}]
sources: [{source_id: example-paper}]
audit: [{date: 2026-03-02, by: a, action: created, reason: filed}]
"""
OLD = """\
id: old-run
kind: benchmark
status: retracted
accelerator_ids: [example-box-128gb]
"""
WEAK = """\
id: weak-card
kind: accelerator
status: verified
release_year: 2025
memory:
  capacity: {value: 24, unit: GB, basis: secondary, source_id: example-paper}
  bandwidth: {value: 300, unit: GB/s, basis: announced, source_id: example-paper, disputed: [{value: 299, said_by: b}]}
peaks:
  - {precision: fp16, unit_kind: vector, value: 9, unit: TFLOP/s, basis: secondary, source_id: example-paper}
sources: [{source_id: example-paper}]
"""
HYBRID = """\
id: hybrid-7b
kind: model
status: verified
base_model_id: gone-7b
parameters: {total_b: 7, active_b: 7}
layers: 32
hidden_size: 4096
vocab_size: 32000
attention: {kind: hybrid, heads: 32, kv_heads: 8, head_dim: 128}
feed_forward: {intermediate_size: 11008}
"""
GONE = "id: gone-7b\nkind: model\nstatus: superseded\nsuperseded_by: example-7b\n"
UNDATED = """\
id: undated
kind: source
status: verified
commit: 0123456789abcdef0123456789abcdef01234567
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The folder of that ledger."""
    root = tmp_path / "ledger"
    shutil.copytree(LEDGER, root)
    for place, text in {
        "benchmarks/hosted-run": HOSTED,
        "benchmarks/fp8-run": FP8,
        "benchmarks/old-run": OLD,
        "benchmarks/broken": "a: [",
        "accelerators/weak-card": WEAK,
        "models/hybrid-7b": HYBRID,
        "models/gone-7b": GONE,
        "sources/undated": UNDATED,
    }.items():
        (root / "data" / f"{place}.yaml").write_text(text, encoding="utf-8")
    return root


@pytest.fixture
def catalog(root: Path) -> Catalog:
    """Its records."""
    return Catalog(root)
