"""Faults against what hardware and models allow, and the rules that must find them."""

from __future__ import annotations

from dataclasses import replace
from math import ceil

from hypothesis import strategies as st
from injection import Injected, Injection, Json
from runs import BYTES_PER_PARAMETER, PARAMETERS, PARTS, pointer_of, result_of, rounded

CAPACITY = {"example-sxm-80gb": 80.0, "example-sxm-141gb": 141.0}
CACHE_BYTES_PER_TOKEN = {
    "example-8b": 2 * 32 * 8 * 128 * BYTES_PER_PARAMETER,
    "example-70b": 2 * 80 * 8 * 128 * BYTES_PER_PARAMETER,
}
GIB = 2.0**30


BY_CHANCE = frozenset(("count-filed-as-rate", "prefill-rate-missing-length"))
"""A drawn rate may happen to be a number of tokens of the run, or its batch over its time."""


def _filed(record: Json, metric: str, value: float, unit: str, **more: str) -> Injected:
    record["results"].append({"metric": metric, **more, "value": rounded(value), "unit": unit})
    return Injected([record], pointer_of(record, metric, more.get("statistic", "")), also=BY_CHANCE)


def _faster_than_memory(record: Json, draw: st.DrawFn) -> Injected:
    part = PARTS[record["accelerator_ids"][0]]
    count = record["hardware"]["accelerator_count"]
    floor = PARAMETERS[record["model_id"]] * BYTES_PER_PARAMETER / (part.bandwidth * count)
    # Not so fast that arithmetic forbids it too, nor so that a unit would explain it.
    faster = draw(st.floats(1.3, 2.8))
    if draw(st.booleans()):
        return _filed(record, "step_time_ms", 1e3 * floor / faster, "ms", statistic="mean")
    rate = record["conditions"]["concurrency"] / floor / count
    return _filed(record, "decode_tok_s_per_accelerator", rate * faster, "tok/s")


def _more_than_the_peak(record: Json, draw: st.DrawFn) -> Injected:
    part = PARTS[record["accelerator_ids"][0]]
    rate = part.flops / (2 * PARAMETERS[record["model_id"]])
    injected = _filed(record, "total_tok_s_per_accelerator", rate * draw(st.floats(1.5, 20)), "tok/s")
    # The rates beside it say what the total should be; a large rate may also come near a count of tokens.
    return replace(injected, also=frozenset({"rate-does-not-recompute", "count-filed-as-rate"}))


def _prompts_faster_than_the_peak(record: Json, draw: st.DrawFn) -> Injected:
    part = PARTS[record["accelerator_ids"][0]]
    rate = part.flops * record["hardware"]["accelerator_count"] / (2 * PARAMETERS[record["model_id"]])
    return _filed(record, "prefill_tok_s", rate * draw(st.floats(1.5, 20)), "tok/s")


def _too_large(record: Json, draw: st.DrawFn) -> Injected:
    conditions, hardware = record["conditions"], record["hardware"]
    tokens = conditions["input_length"]["mean"] + conditions["output_length"]["mean"]
    room = CAPACITY[record["accelerator_ids"][0]] * GIB * hardware["accelerator_count"]
    cache = CACHE_BYTES_PER_TOKEN[record["model_id"]] * tokens
    conditions["batch_size"] = ceil(room / cache * draw(st.floats(1.05, 4)))
    return Injected([record], "/hardware/accelerator_count")


def _another_part(record: Json, draw: st.DrawFn) -> Injected:
    share = draw(st.sampled_from([0.5, 0.75, 0.85, 1.2, 1.5, 2]))
    record["hardware"]["reported_memory_gb"] = rounded(CAPACITY[record["accelerator_ids"][0]] * share, 4)
    return Injected([record], "/hardware/reported_memory_gb")


def _above_its_limit(record: Json, draw: st.DrawFn) -> Injected:
    hardware = record["hardware"]
    each = result_of(record, "power_w")["value"] / hardware["accelerator_count"]
    hardware["power_limit_w"] = rounded(each / draw(st.floats(1.1, 2)), 4)
    return Injected([record], pointer_of(record, "power_w"))


FAULTS: tuple[Injection, ...] = (
    Injection("decode-above-roofline", _faster_than_memory),
    Injection("flops-above-peak", _more_than_the_peak),
    Injection("prefill-above-peak", _prompts_faster_than_the_peak),
    Injection("memory-above-capacity", _too_large),
    Injection("memory-vs-sku", _another_part),
    Injection("power-above-limit", _above_its_limit),
)
