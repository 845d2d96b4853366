"""A ledger on which every saved question has an answer, with a run beside it that must not get into it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from tools.records.layout import render
from tools.records.parse import Json
from tools.schema.conditions import stated
from tools.schema.load import key_order
from tools.schema.vocabulary import vocabulary

CASE_LEDGER = Path(__file__).resolve().parents[1] / "cases" / "ledger"
LOG = {"source_id": "example-log", "locator": "line 12"}
TTFT, TPOT, RATE, REQUESTS = "ttft_ms", "tpot_ms", "tps_aggregate", "requests_per_s"

Figure = tuple[str, str | None, float]
_UNITS = {
    TTFT: "ms",
    TPOT: "ms",
    "power_w": "W",
    "joules_per_token": "J/tok",
    REQUESTS: "req/s",
    "samples_per_s": "samples/s",
}


def _run(name: str, *figures: Figure, **changed: Json) -> tuple[str, dict[str, Json]]:
    """A measured run; `conditions`, `hardware` and `engine` are added to what there is, the rest replaces it."""
    conditions = {
        "scenario": "closed_loop",
        "concurrency": 8,
        "input_length": {"nominal": 1024, "mean": 1024.0},
        "output_length": {"nominal": 128, "mean": 128.0},
    }
    record: dict[str, Json] = {
        "id": name,
        "kind": "benchmark",
        "title": f"Example run {name}",
        "status": "verified",
        "evidence": "measured",
        "measured_by": "self",
        "model_id": "example-7b",
        "precision": {"weights": "fp16"},
        "engine": {"id": "example-engine", "version": "0.10.0"},
        "accelerator_ids": ["example-sxm-80gb"],
        "hardware": {"accelerator_count": 1},
        "conditions": conditions,
    }
    for key, value in changed.items():
        found = record.get(key)
        record[key] = {**found, **value} if isinstance(found, dict) and isinstance(value, dict) else value
    inner = record["conditions"]
    assert isinstance(inner, dict)
    record["conditions"] = {key: value for key, value in inner.items() if value is not None}
    record["results"] = [_result(*figure) for figure in figures]
    record["absent"] = [
        {"condition": condition, "reason": "not_stated", "source_id": "example-log"}
        for condition in vocabulary().conditions
        if condition not in stated(record)
    ]
    record["sources"] = [{**LOG, "read_from": "log"}]
    record["audit"] = [
        {
            "date": "2026-03-02",
            "by": "example-curator",
            "action": "created",
            "reason": "Filed.",
            "evidence": [LOG],
        }
    ]
    return name, record


def _result(metric: str, statistic: str | None, value: float) -> dict[str, Json]:
    result: dict[str, Json] = {"metric": metric, "value": value, "unit": _UNITS.get(metric, "tok/s")}
    if statistic is not None:
        result["statistic"] = statistic
    if metric in ("power_w", "joules_per_token"):
        result["power_basis"] = "measured_accelerator"
    if metric == "joules_per_token":
        result["token_kind"] = "output"
    return result


def _records() -> Iterator[tuple[str, dict[str, Json]]]:
    # Two points of a frontier, one that both beat, and one that is too slow for a user.
    yield _run("frontier-fast", (RATE, None, 300.0), (TPOT, "p50", 20.0))
    yield _run("frontier-broad", (RATE, None, 900.0), (TPOT, "p50", 40.0), conditions={"concurrency": 32})
    yield _run("beaten", (RATE, None, 280.0), (TPOT, "p50", 25.0), conditions={"concurrency": 7})
    yield _run("slow-user", (RATE, None, 950.0), (TPOT, "p50", 80.0), conditions={"concurrency": 64})
    # A rate of all tokens must never stand in for one of output tokens.
    yield _run("all-tokens", ("total_tok_s", None, 2700.0), (TPOT, "p50", 21.0))
    # A load sweep that passes at 4 and 8 and fails at 16, with a rate of requests.
    for load, ttft, requests in ((4, 500.0, 2.0), (8, 900.0, 3.5), (16, 4000.0, 4.0)):
        tails = ((TTFT, "p95", ttft), (TPOT, "p95", 50.0), (TTFT, "p99", ttft * 1.1), (TPOT, "p99", 60.0))
        yield _run(
            f"sweep-{load}",
            *tails,
            (REQUESTS, None, requests),
            conditions={"concurrency": load, "dataset": "example-sweep"},
            counts={"requests": 200, "completed": 200},
        )
    # Energy under a tail limit: one is consistent, one rests on too few requests.
    for name, requests, joules in (("energy", 200, 1.0), ("energy-few", 20, 0.5)):
        yield _run(
            name,
            (RATE, None, 400.0),
            ("power_w", None, 400.0 * joules),
            ("joules_per_token", None, joules),
            (TTFT, "p50", 300.0),
            (TTFT, "p99", 900.0),
            conditions={"dataset": name},
            counts={"requests": requests, "completed": requests},
        )
    # Split and unsplit pools of four.
    split = {"prefill_accelerators": 1, "decode_accelerators": 3}
    four = {"accelerator_count": 4}
    rates = ((RATE, None, 1600.0), ("input_tok_s", None, 12800.0), (TPOT, "p50", 20.0))
    yield _run(
        "split",
        *rates,
        hardware=four,
        disaggregation=split,
        conditions={"dataset": "example-split", "concurrency": 48},
    )
    yield _run(
        "unsplit",
        (RATE, None, 2000.0),
        (TPOT, "p50", 20.0),
        hardware=four,
        conditions={"dataset": "example-split", "concurrency": 48},
    )
    # The same with weights of 8 bits, at a speed between two of the frontier.
    yield _run(
        "low-precision",
        (RATE, None, 800.0),
        (TPOT, "p50", 30.0),
        precision={"weights": "fp8"},
        conditions={"concurrency": 32},
    )
    # Two versions of the engine, and two lengths of the prompt.
    for version, rate in (("0.9.0", 500.0), ("0.10.0", 600.0)):
        engine = {"version": version}
        yield _run(
            f"version-{version[2:-2]}", (RATE, None, rate), engine=engine, conditions={"dataset": "progress"}
        )
    for length, rate in ((1000, 600.0), (8000, 250.0)):
        lengths = {"input_length": {"nominal": length, "mean": float(length)}, "concurrency": 5}
        yield _run(f"context-{length}", (RATE, None, rate), (TTFT, "p50", length / 10), conditions=lengths)
    yield from _partly_stated()
    yield from _standing_in()


def _partly_stated() -> Iterator[tuple[str, dict[str, Json]]]:
    """Versions of an engine under conditions that not every run states."""
    sides = (
        ("unsure", {"version": "0.9.0"}, {"weights": "fp16", "kv_cache": "fp8"}, 500.0),
        ("unsure", {"version": "0.10.0"}, {"weights": "fp16"}, 650.0),
        ("apart", {"version": "0.9.0"}, {"weights": "fp16", "kv_cache": "fp8"}, 500.0),
        ("apart", {"version": "0.10.0"}, {"weights": "fp16", "kv_cache": "fp16"}, 650.0),
    )
    for name, engine, precision, rate in sides:
        run = f"{name}-{engine['version'][2:-2]}"
        yield _run(
            run,
            (RATE, None, rate),
            engine=engine,
            precision=precision,
            conditions={"dataset": f"progress-{name}"},
        )
    for version, client in (("0.9.0", "one-client"), ("0.10.0", "other-client"), ("0.11.0", "other-client")):
        yield _run(
            f"client-{version[2:-2]}",
            (RATE, None, 500.0),
            engine={"version": version},
            client={"name": client},
            conditions={"dataset": "progress-client"},
        )


def _standing_in() -> Iterator[tuple[str, dict[str, Json]]]:
    """Figures that answer a question though they are not the ones it names."""
    # Without p95: p99 within the limit passes, p50 beyond it fails, and in between nothing is known.
    for load, median, tail in ((2, 400.0, 900.0), (4, 900.0, 3000.0), (8, 2500.0, 6000.0)):
        latencies = ((TTFT, "p50", median), (TTFT, "p99", tail), (TPOT, "p50", 30.0), (TPOT, "p99", 40.0))
        yield _run(f"tails-{load}", *latencies, conditions={"concurrency": load, "dataset": "tails"})
    # A benchmark that fixes lengths and quality, and counts samples.
    for name, weights, rate, median, power in (
        ("round-fp8", "fp8", 100.0, 20.0, None),
        ("round-fp4", "fp4", 150.0, 16.0, 700.0),
    ):
        watts = (("power_w", None, power),) if power is not None else ()
        yield _run(
            name,
            (RATE, None, rate),
            ("samples_per_s", None, rate / 25),
            *(
                (metric, statistic, value)
                for metric, value in ((TTFT, 300.0), (TPOT, median))
                for statistic in ("p50", "p99")
            ),
            *watts,
            methodology="MLPerf Inference v5.1, closed division",
            model_label="example-7b-99",
            precision={"weights": weights},
            conditions={
                "scenario": "server",
                "concurrency": None,
                "request_rate": rate / 25,
                "input_length": None,
                "output_length": {"mean": 25.0},
                "accuracy_target": 0.99,
            },
        )


def laid_out(root: Path) -> Path:
    """The ledger, in a new folder."""
    shutil.copytree(CASE_LEDGER, root, ignore=shutil.ignore_patterns(".cache", "generated"))
    for name, record in _records():
        path = root / "data" / "benchmarks" / f"{name}.yaml"
        path.write_text(render(record, key_order("benchmark")), encoding="utf-8")
    return root
