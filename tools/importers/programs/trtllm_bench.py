"""trtllm-bench: the JSON report, and what it prints (`trtllm_text` gives the lines the names of the report).

    {"engine": {"model": ..., "version": ...}, "world_info": {"tp_size": 8, ...},
     "request_info": {"num_requests": 30000, "avg_input_length": 128.0, ...},
     "performance": {"request_throughput_req_s": 30.6, "system_output_throughput_tok_s": 3914.5, ...}}

`total_latency_ms` is the wall time of the run. `max_batch_size` is a limit; the load is the measured mean of requests
in flight. An issue rate of 1e12 requests per second and more says that all requests were there at the start. The
acceptance rate is a fraction. Reports with `X.XX` for digits give nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tools.importers.printed import Printed
from tools.importers.programs.content import Content
from tools.importers.programs.format import Format, Reading
from tools.importers.programs.nested import add_block, flat, hold, skip_below, tell_unread
from tools.importers.programs.point import Point, RefusedError
from tools.importers.programs.spelling import is_name
from tools.importers.programs.trtllm_text import is_printed, printed_values
from tools.schema.vocabulary import convert

LACKS = {
    "model": "the published name of the model",
    "hardware": "the accelerators of the run: `machine.name` of newer reports, or --set hardware=8xNAME",
    "load": "the requests in flight: `avg_num_concurrent_requests` of the report, or the command line",
    "engine_version": "the version of TensorRT-LLM",
    "warmup": "the command line of the run (--warmup)",
    "scenario": "the command line of the run (--concurrency, --streaming)",
}
_OFFLINE_FROM = 10**12
_WORDS = {"minimum": "min", "maximum": "max", "average": "mean"}
_RATES = {
    "request_throughput_req_s": ("requests_per_s", "req/s", None),
    "system_output_throughput_tok_s": ("tps_aggregate", "tok/s", None),
    "system_total_throughput_tok_s": ("total_tok_s", "tok/s", None),
    "output_throughput_per_user_tok_s": ("tok_s_per_user_e2e", "tok/s", "mean"),
    "output_throughput_per_gpu_tok_s": ("output_tok_s_per_accelerator", "tok/s", None),
}
_BLOCKS = {
    "performance.request_latency_percentiles_ms": ("e2e_latency_ms", "ms"),
    "streaming_metrics.ttft_percentiles": ("ttft_ms", "ms"),
    "streaming_metrics.tpot_percentiles": ("tpot_ms", "ms"),
    "streaming_metrics.gen_tps_percentiles": ("tok_s_per_user", "tok/s"),
}
_MEANS = {
    "performance.avg_request_latency_ms": ("e2e_latency_ms", "ms"),
    "streaming_metrics.avg_ttft_ms": ("ttft_ms", "ms"),
    "streaming_metrics.avg_tpot_ms": ("tpot_ms", "ms"),
    "streaming_metrics.token_output_speed_tok_s": ("tok_s_per_user", "tok/s"),
}
_FORMATS = {
    "fp8": "fp8",
    "nvfp4": "nvfp4",
    "bfloat16": "bf16",
    "float16": "fp16",
    "float32": "fp32",
    "int8": "int8",
}


def recognise(content: Content) -> str | None:
    """The reason: the blocks of the report, or the headings of its print."""
    only = content.only
    if only is not None and {"engine", "performance", "request_info"} <= set(only):
        return "it has engine, request_info and performance"
    if only is None and is_printed(content):
        return "it has the headings ENGINE DETAILS and PERFORMANCE OVERVIEW"
    return None


def read(reading: Reading) -> list[Point]:
    """The run."""
    only = reading.content.only
    values: Mapping[str, Any] = printed_values(reading.content) if only is None else flat(only)
    return reading.each(_read, [("", values)])


def _read(point: Point) -> None:
    if any(re.fullmatch("X+[.]X+", str(value)) for value in point.values.values()):
        raise RefusedError("its numbers are written as X.XX, which is no measurement")
    requests = point.count("request_info.num_requests")
    point.require_completed(requests, requests, accept_failures=False)
    draft = point.draft
    draft.count("requests", requests)
    draft.count("completed", requests)
    draft.put("/client/name", "trtllm-bench")
    draft.put("/client/count_side", "engine")
    _engine(point)
    world = _world(point)
    lengths = _lengths(point)
    rates = {
        key: point.result(metric, f"performance.{key}", unit, statistic=statistic)
        for key, (metric, unit, statistic) in _RATES.items()
    }
    wall = point.result("run_time_ms", "performance.total_latency_ms", "ms")
    _hold(rates, wall, requests, lengths, world)
    for path, (metric, unit) in _BLOCKS.items():
        mean = next(key for key, kind in _MEANS.items() if kind[0] == metric)
        add_block(point, metric, path, unit, {**_WORDS, "average": "" if mean in point.values else "mean"})
        point.result(metric, mean, unit, statistic="mean")
    _speculation(point)
    if wall is not None:
        draft.count("duration_s", convert(wall.exact, "ms", "s"))
    skip_below(point, *_BLOCKS, "dataset")
    tell_unread(point)


def _engine(point: Point) -> None:
    draft, model = point.draft, point.text("engine.model")
    point.model(model)
    point.slug.append(model if model and is_name(model) else "model not named")
    version, backend = point.text("engine.version"), point.text("engine.backend")
    if point.engine("tensorrt-llm"):
        draft.put("/engine/version", version if version and is_name(version) else None)
        draft.put("/engine/backend", backend if backend and is_name(backend) else None)
    dtype, cache = point.text("engine.dtype"), point.text("engine.kv_cache_dtype")
    scheme = point.text("engine.quantization")
    is_plain = scheme is None or scheme.lower() in ("none", "no_quant")
    draft.put("/precision/weights", _FORMATS.get(((dtype if is_plain else scheme) or "").lower()))
    draft.put("/precision/quantization", scheme if scheme and not is_plain and is_name(scheme) else None)
    draft.put("/precision/kv_cache", _FORMATS.get((cache or "").lower()))
    part = point.text("machine.name")
    if part is not None:
        point.accelerators([part])
    point.skip(
        "engine.model_path", "engine.engine_dir", "engine.max_input_length", "engine.max_sequence_length"
    )
    skip_below(point, "machine")


def _world(point: Point) -> int | None:
    draft = point.draft
    sizes = {
        name: point.count(f"world_info.{key}_size") or None
        for name, key in (("tensor", "tp"), ("pipeline", "pp"), ("expert", "ep"))
    }
    for name, size in sizes.items():
        draft.put(f"/parallelism/{name}", size)
    world = point.count("world_info.world_size") or None
    if world is None and sizes["tensor"] and sizes["pipeline"]:
        world = sizes["tensor"] * sizes["pipeline"]
    draft.put("/hardware/accelerator_count", world)
    draft.put("/conditions/max_batch_size", point.count("world_info.max_batch_size") or None)
    in_flight, issued = (
        point.number("request_info.avg_num_concurrent_requests"),
        point.number("world_info.issue_rate"),
    )
    if in_flight is not None and in_flight.value > 0:
        draft.put("/conditions/concurrency", in_flight)
        point.add(
            "concurrency_achieved", in_flight, "requests", key="request_info.avg_num_concurrent_requests"
        )
    if issued is not None and issued.value >= _OFFLINE_FROM:
        draft.put("/conditions/scenario", "offline")
        draft.put("/conditions/request_rate", "inf")
    skip_below(point, "world_info")
    return world


def _lengths(point: Point) -> dict[str, Printed | None]:
    found = {}
    for side in ("input", "output"):
        mean = point.number(f"request_info.avg_{side}_length")
        found[side] = mean if mean is not None and mean.value > 0 else None
        point.draft.put(f"/conditions/{side}_length/mean", found[side])
    return found


def _hold(
    rates: Mapping[str, Printed | None],
    wall: Printed | None,
    requests: int | None,
    lengths: Mapping[str, Printed | None],
    world: int | None,
) -> None:
    """Four decimals are printed: 1e-4 is what they leave open of small rates."""
    rate, output = rates["request_throughput_req_s"], rates["system_output_throughput_tok_s"]
    if wall is not None and requests:
        hold("request_throughput_req_s", rate, requests * 1000 / wall.exact, 1e-4)
    if rate is not None and lengths["output"] is not None:
        hold("system_output_throughput_tok_s", output, rate.exact * lengths["output"].exact, 1e-4)
        if lengths["input"] is not None:
            both = lengths["input"].exact + lengths["output"].exact
            hold(
                "system_total_throughput_tok_s",
                rates["system_total_throughput_tok_s"],
                rate.exact * both,
                1e-4,
            )
    if output is not None and world:
        hold(
            "output_throughput_per_gpu_tok_s",
            rates["output_throughput_per_gpu_tok_s"],
            output.exact / world,
            1e-4,
        )


def _speculation(point: Point) -> None:
    for key, metric, unit in (
        ("acceptance_length_percentiles", "acceptance_length", "tok/step"),
        ("draft_acceptance_rate_percentiles", "acceptance_rate", "fraction"),
    ):
        point.result(metric, f"decoding_stats.{key}.average", unit)
        skip_below(point, f"decoding_stats.{key}")


FORMAT = Format(
    "trtllm-bench",
    "engine, request_info and performance, or the headings of its print",
    recognise,
    read,
    LACKS,
)
