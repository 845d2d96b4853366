"""Ledgers of any size for measurements: the real records, and benchmark records with varied numbers.

The records have the shape of an imported serving run: about 2.5 KB, two dozen results, counts that agree with the
rates, absences with reasons, and an audit entry. Models of 7 to 8 billion parameters on eight large accelerators, at
rates far below what those can do, so that no rule has anything to say of them. They are inputs for timing and nothing
else.
"""

from __future__ import annotations

import random
import shutil
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
MODELS = ("llama-3.1-8b", "mistral-7b-v0.3", "qwen2.5-7b", "qwen3-8b")
ACCELERATORS = (
    "nvidia-h100-sxm-80gb",
    "nvidia-h200-sxm-141gb",
    "nvidia-b200-sxm-180gb",
    "amd-instinct-mi300x",
)
ENGINES = ("vllm", "sglang", "tensorrt-llm")
REQUESTS = 2000
"""At least so many of a run, so that twenty lie beyond its p99."""
TOKENS_PER_SECOND = 40_000
"""Most tokens a run reads and writes: 2 FLOP x 8e9 parameters x 40,000 are a tenth of eight H100."""
_STATISTICS = (("mean", 1.0), ("p50", 0.93), ("p90", 1.6), ("p95", 1.9), ("p99", 2.7))


def make_ledger(root: Path, records: int, seed: int = 1) -> Path:
    """A ledger at `root` with `records` benchmark records beside the real ones; gives `root`."""
    shutil.copytree(REPOSITORY / "data", root / "data")
    sources = sorted(path.stem for path in (root / "data" / "sources").glob("*.yaml"))
    folder = root / "data" / "benchmarks"
    generator = random.Random(seed)
    for number in range(records):
        text = _record(number, generator, sources)
        (folder / f"run-{number:06d}.yaml").write_text(text, encoding="utf-8")
    return root


def _record(number: int, generator: random.Random, sources: list[str]) -> str:
    source = generator.choice(sources)
    concurrency = generator.choice((1, 2, 4, 8, 16, 32, 64, 128, 256))
    isl, osl = generator.choice(((128, 128), (1024, 128), (1024, 1024), (8192, 1024)))
    waves = -(-REQUESTS // concurrency)
    completed = concurrency * waves
    busy = 1000 * concurrency * (isl + osl) / TOKENS_PER_SECOND / osl
    tpot = max(busy, generator.uniform(1.0, 2.0)) * generator.uniform(1.0, 3.0)
    ttft = 1000 * isl / TOKENS_PER_SECOND + tpot * generator.uniform(2.0, 6.0)
    duration = waves * (ttft + tpot * (osl - 1)) / 1000
    rate = completed * osl / duration
    lines = [
        f"id: run-{number:06d}",
        "kind: benchmark",
        f"title: Serving run {number} at {concurrency} requests in flight",
        "status: draft",
        "evidence: measured",
        "measured_by: third_party",
        "measured_on: 2026-10-05",
        f"model_id: {generator.choice(MODELS)}",
        "precision: {weights: fp8, kv_cache: fp16}",
        f'engine: {{id: {generator.choice(ENGINES)}, version: "0.{generator.randint(6, 12)}.0"}}',
        f"accelerator_ids: [{generator.choice(ACCELERATORS)}]",
        "hardware: {accelerator_count: 8, nodes: 1, accelerators_per_node: 8}",
        "parallelism: {tensor: 8}",
        'client: {name: vllm bench serve, version: "0.10.0", count_side: server_usage}',
        "conditions:",
        "  scenario: closed_loop",
        f"  concurrency: {concurrency}",
        f"  input_length: {{nominal: {isl}, mean: {isl}, kind: mean}}",
        f"  output_length: {{nominal: {osl}, mean: {osl}, kind: exact}}",
        "  dataset: random",
        "  dataset_kind: synthetic",
        "  ignore_eos: true",
        "  prefix_cache: disabled",
        "counts:",
        f"  requests: {completed}",
        f"  completed: {completed}",
        "  failed: 0",
        f"  input_tokens: {completed * isl}",
        f"  output_tokens: {completed * osl}",
        f"  duration_s: {duration:.9f}",
        "results:",
        f"  - {{metric: tps_aggregate, value: {rate:.6f}, unit: tok/s}}",
        f"  - {{metric: requests_per_s, value: {completed / duration:.9f}, unit: req/s}}",
    ]
    for metric, mean in (
        ("ttft_ms", ttft),
        ("tpot_ms", tpot),
        ("itl_ms", tpot),
        ("e2e_latency_ms", ttft + tpot * (osl - 1)),
    ):
        lines += [
            f"  - {{metric: {metric}, statistic: {statistic}, value: {mean * factor:.9f}, unit: ms}}"
            for statistic, factor in _STATISTICS
        ]
    lines += [
        "absent:",
        f"  - {{condition: warmup, reason: unrecoverable, source_id: {source}, would_need: the command line}}",
        "sources:",
        f"  - {{source_id: {source}, locator: row {number}, read_from: file}}",
        "audit:",
        "  - date: 2026-10-05",
        "    by: importer",
        "    action: created",
        "    reason: imported from the output of the benchmark client",
        f"    evidence: [{{source_id: {source}, locator: row {number}}}]",
    ]
    return "\n".join(lines) + "\n"
