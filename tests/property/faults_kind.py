"""Faults of the kind of a number, and the rules that must find them."""

from __future__ import annotations

from hypothesis import strategies as st
from injection import Injected, Injection, Json
from runs import pointer_of, result_of, rounded

LATENCIES = ("ttft_ms", "tpot_ms", "itl_ms", "e2e_latency_ms")


def _other_dimension(record: Json, draw: st.DrawFn) -> Injected:
    metric, statistic = draw(
        st.sampled_from([("e2e_latency_ms", "mean"), ("ttft_ms", "p90"), ("tps_aggregate", "")])
    )
    result_of(record, metric, statistic)["unit"] = draw(st.sampled_from(["req/s", "ratio", "J/tok", "GB"]))
    return Injected([record], pointer_of(record, metric, statistic).replace("/value", "/unit"))


def _total_as_output(record: Json, draw: st.DrawFn) -> Injected:
    conditions = record["conditions"]
    prompt, answer = (conditions[f"{side}_length"]["nominal"] for side in ("input", "output"))
    for metric in ("tps_aggregate", "output_tok_s_per_accelerator"):
        found = result_of(record, metric)
        found["value"] = rounded(found["value"] * (prompt + answer) / answer * draw(st.floats(0.99, 1.01)))
    return Injected([record], pointer_of(record, "tps_aggregate"))


def _seconds(record: Json, draw: st.DrawFn) -> Injected:
    factor = draw(st.sampled_from([1e-3, 1e3]))
    for result in record["results"]:
        if result["metric"] in LATENCIES:
            result["value"] = rounded(result["value"] * factor)
    return Injected([record], pointer_of(record, "tpot_ms", "mean"))


def _prompts_per_second(record: Json, draw: st.DrawFn) -> Injected:
    ttft = result_of(record, "ttft_ms", "mean")["value"]
    prompts = record["conditions"]["concurrency"] * 1000 / ttft * draw(st.floats(0.98, 1.02))
    record["results"].append({"metric": "prefill_tok_s", "value": rounded(prompts), "unit": "tok/s"})
    return Injected([record], pointer_of(record, "prefill_tok_s"))


def _count_as_rate(record: Json, draw: st.DrawFn) -> Injected:
    counts = record["counts"]
    metric, count = draw(
        st.sampled_from(
            [
                ("tps_aggregate", "output_tokens"),
                ("input_tok_s", "input_tokens"),
                ("requests_per_s", "completed"),
            ]
        )
    )
    # A run of about a second would make the count and the rate equal.
    counts["duration_s"] = max(counts["duration_s"], 1.5)
    result_of(record, metric)["value"] = counts[count]
    return Injected([record], pointer_of(record, metric))


def _score_as_rate(record: Json, draw: st.DrawFn) -> Injected:
    words = draw(
        st.sampled_from(["relative to the reference system", "Normalised throughput", "speedup", "1.7x"])
    )
    source = {"source_id": "example-log", "locator": "line 30", "read_from": "log", "caption": words}
    value = draw(st.floats(0.5, 8))
    record["results"].append(
        {"metric": "decode_tok_s", "value": rounded(value, 2), "unit": "tok/s", "sources": [source]}
    )
    return Injected([record], pointer_of(record, "decode_tok_s"))


def _mixed_phases(record: Json, draw: st.DrawFn) -> Injected:
    prompt, generated = draw(st.sampled_from([(512, 128), (2048, 256), (128, 128)]))
    record["conditions"]["test"] = f"pp{prompt}+tg{generated}"
    return Injected([record], pointer_of(record, "tps_aggregate"))


def _gib_as_gb(record: Json, draw: st.DrawFn) -> Injected:
    capacity = {"example-sxm-80gb": 80, "example-sxm-141gb": 141}[record["accelerator_ids"][0]]
    used = rounded(capacity * draw(st.floats(1.001, 1.073)), 5)
    record["results"].append({"metric": "memory_gb", "value": used, "unit": "GB"})
    return Injected([record], pointer_of(record, "memory_gb"))


def _speedup(record: Json, value: float, **more: object) -> Json:
    """Files the run as speculative, over a baseline in the source's words."""
    baseline = {"technique": "autoregressive", "varied": ["technique"]}
    result = {"metric": "speedup_ratio", "value": value, "unit": "ratio", "baseline": baseline, **more}
    record["technique"] = {"kind": "eagle3", "acceptance_length": 2.5}
    record["results"].append(result)
    return result


def _no_baseline(record: Json, draw: st.DrawFn) -> Injected:
    del _speedup(record, rounded(draw(st.floats(0.5, 6)), 3))["baseline"]
    return Injected([record], f"/results/{len(record['results']) - 1}/metric")


def _zero_speedup(record: Json, draw: st.DrawFn) -> Injected:
    _speedup(record, draw(st.sampled_from([0, 0.0])))
    return Injected([record], pointer_of(record, "speedup_ratio"))


def _gain(record: Json, draw: st.DrawFn) -> Injected:
    gain = draw(st.integers(5, 95)) / 100
    _speedup(record, gain, derived_from={"original": {"printed": f"{gain:.0%}"}})
    return Injected([record], pointer_of(record, "speedup_ratio"))


FAULTS: tuple[Injection, ...] = (
    Injection("metric-unit-incompatible", _other_dimension),
    Injection("total-tokens-filed-as-output", _total_as_output),
    Injection("seconds-labelled-milliseconds", _seconds),
    Injection("prefill-rate-missing-length", _prompts_per_second),
    Injection("count-filed-as-rate", _count_as_rate),
    Injection("dimensionless-in-rate-unit", _score_as_rate),
    Injection("mixed-phase-rate", _mixed_phases),
    Injection("memory-unit-gib", _gib_as_gb),
    Injection("speedup-without-baseline", _no_baseline),
    Injection("ratio-not-positive", _zero_speedup),
    Injection("gain-filed-as-ratio", _gain),
)
