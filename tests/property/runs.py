"""Benchmark records of runs that could have happened: one closed loop, simulated, so that all its numbers agree.

Every request waits `ttft` for its first token and `tpot` for each further one; a fixed number is in flight, and when
one ends the next begins. All rates, totals, latencies, power and energy follow from that, so no rule may say anything
about such a record. The parts and models are those of the small ledger in tests/cases/ledger; a step is never
shorter than reading the weights once, and the prompts never need more arithmetic than the part has.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from hypothesis import strategies as st

Json = dict[str, Any]


class Part(NamedTuple):
    """What the simulation has to respect of an accelerator: bytes per second, FLOP/s in 16 bit, watts."""

    bandwidth: float
    flops: float
    watts: float


PARTS = {"example-sxm-80gb": Part(3.35e12, 989e12, 700), "example-sxm-141gb": Part(4.8e12, 989e12, 700)}
PARAMETERS = {"example-8b": 8.03e9, "example-70b": 70.55e9}
BYTES_PER_PARAMETER = 2
CREATED = {
    "date": "2026-03-02",
    "by": "example-curator",
    "action": "created",
    "reason": "Filed from the log.",
    "evidence": [{"source_id": "example-log", "locator": "line 12"}],
}


def rounded(value: float, digits: int = 7) -> float:
    """A value with as many digits as a tool prints."""
    return float(f"{value:.{digits}g}")


@st.composite
def consistent_runs(draw: st.DrawFn, identifier: str = "simulated-run") -> Json:
    """A complete, valid benchmark record whose numbers follow from one simulated run."""
    part_id = draw(st.sampled_from(sorted(PARTS)))
    model_id, count = draw(
        st.sampled_from([("example-8b", 1), ("example-8b", 2), ("example-70b", 4), ("example-70b", 8)])
    )
    part, parameters = PARTS[part_id], PARAMETERS[model_id]
    concurrency = draw(st.sampled_from([1, 4, 16, 32, 64]))
    isl = draw(st.sampled_from([128, 1000, 2048, 8192]))
    osl = draw(st.sampled_from([64, 200, 512, 1024]))
    waves = draw(st.integers(10, 40))
    step_floor = parameters * BYTES_PER_PARAMETER / (part.bandwidth * count)
    tpot = step_floor * draw(st.floats(1.6, 12))
    prefill_floor = 2 * parameters * isl * concurrency / (part.flops * count)
    ttft = prefill_floor * draw(st.floats(1.5, 6)) + tpot
    e2e = ttft + tpot * (osl - 1)
    requests = waves * concurrency
    duration = waves * e2e
    rate = requests / duration
    watts = count * part.watts * draw(st.floats(0.35, 0.95))
    tail = draw(st.floats(1.0, 1.6))
    record: Json = {
        "id": identifier,
        "kind": "benchmark",
        "title": "A simulated closed loop",
        "status": "verified",
        "evidence": "measured",
        "measured_by": "self",
        "run_id": f"run-of-{identifier}",
        "model_id": model_id,
        "precision": {"weights": "bf16", "activations": "bf16", "kv_cache": "bf16"},
        "engine": {"id": "example-engine", "version": "0.10.0"},
        "accelerator_ids": [part_id],
        "hardware": {"accelerator_count": count, "nodes": 1, "accelerators_per_node": count},
        "parallelism": {"tensor": count},
        "technique": {"kind": "autoregressive"},
        "conditions": {
            "scenario": "closed_loop",
            "concurrency": concurrency,
            "input_length": {"nominal": isl, "mean": isl, "kind": "exact"},
            "output_length": {"nominal": osl, "mean": osl, "kind": "exact"},
            "dataset": "random",
            "dataset_kind": "synthetic",
            "ignore_eos": True,
            "prefix_cache": "disabled",
            "warmup": {"handling": "excluded", "requests": 8},
            "window": "full_run",
        },
        "counts": {
            "requests": requests,
            "completed": requests,
            "failed": 0,
            "input_tokens": requests * isl,
            "output_tokens": requests * osl,
            "duration_s": rounded(duration),
        },
        "results": [],
        "sources": [{"source_id": "example-log", "locator": "line 12", "read_from": "log"}],
        "audit": [CREATED],
    }
    output_rate = rate * osl
    figures: list[tuple[str, str, float, str, Json]] = [
        ("tps_aggregate", "", output_rate, "tok/s", {}),
        ("input_tok_s", "", rate * isl, "tok/s", {}),
        ("total_tok_s", "", rate * (isl + osl), "tok/s", {}),
        ("output_tok_s_per_accelerator", "", output_rate / count, "tok/s", {}),
        ("peak_output_tok_s", "", output_rate * tail, "tok/s", {}),
        ("requests_per_s", "", rate, "req/s", {}),
        ("ttft_ms", "mean", ttft * 1e3, "ms", {}),
        ("ttft_ms", "p50", ttft * 1e3, "ms", {}),
        ("ttft_ms", "p90", ttft * 1e3 * tail, "ms", {}),
        ("tpot_ms", "mean", tpot * 1e3, "ms", {}),
        ("itl_ms", "mean", tpot * 1e3, "ms", {"definition_variant": "per_event"}),
        ("e2e_latency_ms", "mean", e2e * 1e3, "ms", {}),
        ("tok_s_per_user", "mean", 1 / tpot, "tok/s", {}),
        ("power_w", "", watts, "W", {"power_basis": "measured_accelerator"}),
        (
            "joules_per_token",
            "",
            watts / output_rate,
            "J/tok",
            {"power_basis": "measured_accelerator", "token_kind": "output"},
        ),
    ]
    for metric, statistic, value, unit, extra in figures:
        stated = {"statistic": statistic} if statistic else {}
        record["results"].append({"metric": metric, **stated, "value": rounded(value), "unit": unit, **extra})
    return record


def result_of(record: Json, metric: str, statistic: str = "") -> Json:
    """The result of a metric, to be changed in place."""
    return next(
        item
        for item in record["results"]
        if item["metric"] == metric and item.get("statistic", "") == statistic
    )


def pointer_of(record: Json, metric: str, statistic: str = "") -> str:
    """JSON Pointer of the value of a metric."""
    return f"/results/{record['results'].index(result_of(record, metric, statistic))}/value"
