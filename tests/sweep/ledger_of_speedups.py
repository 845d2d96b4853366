"""A small ledger whose measured speedups follow from known constants, so that a fit has something to find."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tools.records.catalog import Catalog
from tools.sweep.calibration.efficiencies import Layers
from tools.sweep.calibration.steps import Bench
from tools.sweep.calibration.store import FOLDER, LAYERS
from tools.sweep.calibration.terms import Overheads, Terms
from tools.sweep.measured.points import measured

REPOSITORY = Path(__file__).resolve().parents[2]
H100 = "nvidia-h100-sxm-80gb"
TERMS = Terms(
    {
        "vllm": Overheads(2e-3, 3e-4, 6e-6, 3e-5, 6e-4),
        "sglang": Overheads(8e-4, 2e-4, 5e-6, 2e-5, 3e-4),
        "other": Overheads(1.2e-3, 2.5e-4, 5.5e-6, 2.5e-5, 4e-4),
    },
    0.6,
    8e-6,
)
FITS = [
    {
        "accelerator": H100,
        "operator": "product",
        "format": "bf16",
        "values": {"memory_efficiency": 0.9, "compute_efficiency": 0.75, "corner": 2.0, "kernel_us": 4.0},
        "median_error": 0.05,
        "rows": 100,
    },
    {
        "accelerator": H100,
        "operator": "attention",
        "format": "bf16",
        "values": {"cache_efficiency": 0.85, "kernel_us": 10.0},
        "median_error": 0.05,
        "rows": 100,
    },
]
"""What a layer table gave."""

TAU = {2: 2.1, 4: 2.6}


def record(source: str, engine: str, batch: int, gamma: int, **changes: Any) -> dict[str, Any]:
    """A measured speedup of EAGLE-3 on Llama-3.1-8B; `changes` replace whole fields, None takes one away."""
    value = {
        "id": f"{source}-{engine}-b{batch}-g{gamma}",
        "kind": "benchmark",
        "status": "draft",
        "evidence": "measured",
        "model_id": "llama-3.1-8b",
        "engine": {"id": engine},
        "accelerator_ids": [H100],
        "hardware": {"accelerator_count": 1},
        "precision": {"weights": "bf16"},
        "technique": {"kind": "eagle3", "gamma": gamma, "topology": "chain", "acceptance_length": TAU[gamma]},
        "conditions": {"batch_size": batch, "sequence_length": 512, "dataset": "MT-Bench"},
        "results": [
            {
                "metric": "speedup_ratio",
                "value": 1.0,
                "unit": "ratio",
                "baseline": {"technique": "autoregressive"},
            }
        ],
        "sources": [{"source_id": source}],
    }
    return {name: content for name, content in {**value, **changes}.items() if content is not None}


def write(root: Path, records: list[dict[str, Any]]) -> None:
    """The records as files; JSON is YAML."""
    folder = root / "data" / "benchmarks"
    folder.mkdir(parents=True, exist_ok=True)
    for value in records:
        (folder / f"{value['id']}.yaml").write_text(json.dumps(value), encoding="utf-8")


def ledger(root: Path, records: list[dict[str, Any]]) -> Catalog:
    """A ledger of such records beside the parts and models of the repository that they name."""
    for folder, names in {
        "accelerators": (H100, "nvidia-a100-80gb-pcie"),
        "models": ("llama-3.1-8b", "llama-7b"),
    }.items():
        (root / "data" / folder).mkdir(parents=True, exist_ok=True)
        for name in names:
            shutil.copy(REPOSITORY / "data" / folder / f"{name}.yaml", root / "data" / folder)
    write(root, records)
    (root / FOLDER).mkdir(parents=True, exist_ok=True)
    text = json.dumps({"tables": {}, "fits": FITS})
    (root / FOLDER / LAYERS).write_text(text, encoding="utf-8")
    return Catalog(root)


def lawful(
    root: Path,
    records: list[dict[str, Any]],
    bent: Callable[[float], float] = lambda speedup: speedup,
    *,
    timed: bool = False,
) -> Catalog:
    """The ledger with the speedups that TERMS give, each put through `bent`; `timed` adds the baselines' rates."""
    catalog = ledger(root, records)
    bench = Bench(catalog, measured(catalog).points, Layers(FITS))
    steps = bench.steps(TERMS)
    pairs = zip(steps.speedup(bench.tau), steps.plain + steps.token, strict=True)
    by_id = dict(zip((point.record_id for point in bench.points), pairs, strict=True))
    for value in records:
        if value["id"] not in by_id:
            continue
        speedup, plain_s = map(float, by_id[value["id"]])
        printed = value["results"][0]
        printed["value"] = bent(speedup)
        if timed:
            rate = value["conditions"]["batch_size"] / plain_s
            printed["baseline"] |= {"value": rate, "unit": "tok/s"}
            value["results"].append({"metric": "tps_aggregate", "value": speedup * rate, "unit": "tok/s"})
    write(root, records)
    return Catalog(root)


def three_sources() -> list[dict[str, Any]]:
    """Two sources with vLLM and one with SGLang."""
    return [
        record(source, engine, batch, gamma)
        for source, engine in (("one", "vllm"), ("two", "vllm"), ("three", "sglang"))
        for batch in (1, 4, 16, 64)
        for gamma in TAU
    ]


def without_tau(value: dict[str, Any]) -> dict[str, Any]:
    """The record with its acceptance length not stated."""
    technique = {name: made for name, made in value["technique"].items() if name != "acceptance_length"}
    return {**value, "technique": technique}
