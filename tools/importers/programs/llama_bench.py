"""llama-bench as JSON (a list), JSONL (an object a line), CSV or SQL: every row an operating point of its own.

    {"build_commit": "2739a71e", "build_number": 4461, "cpu_info": "...", "gpu_info": "", "backends": "CPU",
     "model_type": "llama 7B Q4_0", "n_prompt": 512, "n_gen": 0, "avg_ts": 190.57, "stddev_ts": 48.6,
     "samples_ns": [...], "samples_ts": [...]}

`n_batch` and `n_ubatch` cut up one prompt and are no load; `n_gpu_layers` says nothing of a GPU being there. Builds of
2023 have a member for each backend (`cuda`, `metal`, ...) in the place of `backends`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from tools.importers.printed import Printed, read_number
from tools.importers.programs.content import Content, ContentError, Digits
from tools.importers.programs.format import Format, Reading
from tools.importers.programs.llama_run import (
    LACKS,
    flags,
    state_cache,
    state_devices,
    state_engine,
    state_model,
    state_test,
)
from tools.importers.programs.point import Point, RefusedError, agrees
from tools.importers.programs.sql_rows import UNREADABLE, columns, rows

_TABLE = "llama_bench"
_NEEDED = {"build_commit", "model_type", "n_prompt", "n_gen", "avg_ts", "stddev_ts"}
_OLD_BACKENDS = {
    "cuda": "CUDA",
    "opencl": "OpenCL",
    "vulkan": "Vulkan",
    "kompute": "Kompute",
    "metal": "Metal",
    "sycl": "SYCL",
    "gpu_blas": "gpuBLAS",
    "blas": "BLAS",
}
_SETTINGS = {
    "n_gpu_layers": "n_gpu_layers",
    "n_cpu_moe": "n_cpu_moe",
    "n_threads": "threads",
    "n_batch": "n_batch",
    "n_ubatch": "n_ubatch",
    "flash_attn": "flash_attn",
    "split_mode": "split_mode",
    "no_kv_offload": "no_kv_offload",
    "use_mmap": "mmap",
}
_NOT_STATED = (
    "model_filename", "model_size", "model_n_params", "cpu_mask", "cpu_strict", "poll", "main_gpu", "tensor_split",
    "tensor_buft_overrides", "use_direct_io", "load_mode", "embeddings", "no_op_offload", "no_host", "repack",
    "fit_target", "fit_min_ctx", "defrag_thold", "numa", "prio", "delay", "f16_kv", "mul_mat_q", "type_k", "type_v",
    "avg_ns", "stddev_ns", "samples_ns", "samples_ts", "gpu_info", "devices", "cpu_info",
)  # fmt: skip


def recognise(content: Content) -> str | None:
    """The reason: a build, a model type, a test and its rate in every row."""
    keys = content.keys if content.parts else columns(content, _TABLE) or frozenset(content.header)
    return "its rows have build_commit, model_type, n_prompt, n_gen and avg_ts" if keys >= _NEEDED else None


def read(reading: Reading) -> list[Point]:
    """A point of every row."""
    content = reading.content
    if content.parts:
        return reading.each(_read_row, ((part.place, part.values) for part in content.parts))
    if columns(content, _TABLE):
        return reading.each(_read_row, _inserted(reading))
    found: list[tuple[str, Mapping[str, Any]]] = []
    try:
        found += [(f"row {number}", row) for number, row in enumerate(content.rows, 1)]
    except ContentError as error:
        reading.refusals.append((reading.place, str(error)))
    return reading.each(_read_row, found)


def _inserted(reading: Reading) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for row in rows(reading.content, _TABLE):
        if row.values is None:
            reading.refusals.append((f"{reading.place}, line {row.line}", UNREADABLE))
        else:
            yield f"line {row.line}", row.values


def _read_row(point: Point) -> None:
    draft = point.draft
    point.skip(*_NOT_STATED, *_OLD_BACKENDS)
    prompt, generated = point.count("n_prompt"), point.count("n_gen")
    if prompt is None or generated is None:
        raise RefusedError("n_prompt or n_gen is no number, so that nobody knows what was run")
    metric = state_test(point, prompt, generated, point.count("n_depth") or 0)
    state_model(point, point.text("model_type"))
    backends = point.text("backends") or _old_backends(point)
    state_engine(point, backends, point.text("build_commit"), point.count("build_number"))
    draft.put("/engine/flags", flags({words: _shown(point.take(key)) for key, words in _SETTINGS.items()}))
    devices = [name.strip() for name in (point.text("gpu_info") or "").split(",") if name.strip()]
    whole = point.text("devices") in (None, "auto") and point.text("split_mode") != "none"
    state_devices(point, backends, devices, whole=whole)
    draft.put("/hardware/host_processor", point.text("cpu_info"))
    state_cache(point, point.text("type_k"), point.text("type_v"))
    point.day(point.text("test_time"))
    _rate(point, metric, prompt + generated)


def _old_backends(point: Point) -> str | None:
    if not any(key in point.values for key in _OLD_BACKENDS):
        return None
    on = [name for key, name in _OLD_BACKENDS.items() if point.flag(key)]
    return ",".join(on) or "CPU"


def _shown(value: Any) -> str | None:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value) if value not in (None, "") else None


def _rate(point: Point, metric: str, tokens: int) -> None:
    rate = point.number("avg_ts")
    if rate is None or rate.value <= 0:
        raise RefusedError("avg_ts is no rate: nothing was measured")
    samples = _samples(point, "samples_ts")
    _hold(point, rate, samples, tokens)
    said: dict[str, Any] = {}
    if len(samples) > 1:
        said = {"samples": len(samples), "repeats": list(samples)}
    point.result(metric, "avg_ts", "tok/s", statistic="mean", said="t/s", **said)
    spread = point.number("stddev_ts")
    if spread is not None and (spread.value > 0 or len(samples) > 1):
        point.result(metric, "stddev_ts", "tok/s", statistic="std", said="t/s")
    elif spread is not None:
        point.draft.remark("stddev_ts is 0 and a single repetition has no deviation: left out")


def _samples(point: Point, key: str) -> list[Printed]:
    items = point.take(key)
    numbers = [item.number for item in items if isinstance(item, Digits)] if isinstance(items, list) else []
    found = [number for number in numbers if number is not None and number.value > 0]
    if isinstance(items, list) and len(found) != len(items):
        raise RefusedError(f"{key} has an item that is no rate")
    return found


def _hold(point: Point, rate: Printed, samples: list[Printed], tokens: int) -> None:
    """Raises `RefusedError` where the rate is not the mean of its repetitions, or they are not tokens over time."""
    if samples:
        mean = math.fsum(number.value for number in samples) / len(samples)
        if not agrees(rate, mean, 1e-4):
            raise RefusedError(
                f"avg_ts is {rate.value:g}, the mean of samples_ts {mean:g}: the file contradicts itself"
            )
    times = _samples(point, "samples_ns")
    for number, (time, said) in enumerate(zip(times, samples, strict=False), 1):
        if not agrees(said, tokens / time.value * 1e9, 1e-4):
            raise RefusedError(
                f"repetition {number}: {tokens} tokens in {time.value:g} ns are {tokens / time.value * 1e9:g} tok/s, "
                f"samples_ts has {said.value:g}: the file contradicts itself"
            )
    whole = read_number(str(point.take("avg_ns") or ""))
    if not samples and whole is not None and whole.value > 0:
        spread = point.number("stddev_ts")
        # The mean of rates is above the rate of the mean time, by about the square of the relative deviation.
        slack = 1e-3 + 2 * (spread.value / rate.value) ** 2 if spread else 1e-3
        if not agrees(rate, tokens / whole.value * 1e9, slack):
            raise RefusedError(
                f"{tokens} tokens in avg_ns {whole.value:g} are {tokens / whole.value * 1e9:g} tok/s, avg_ts is "
                f"{rate.value:g}: the file contradicts itself"
            )


FORMAT = Format(
    "llama-bench",
    "build_commit, model_type, n_prompt, n_gen, avg_ts and stddev_ts in every row",
    recognise,
    read,
    LACKS,
)
