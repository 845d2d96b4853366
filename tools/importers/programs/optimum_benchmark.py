"""optimum-benchmark `benchmark.json`: configuration and report of one run inside a library, without a server.

    {"config": {"backend": {"version": "2.6.0", "device_ids": "2,4", "model": "owner/model"},
                "scenario": {"warmup_runs": 10, "input_shapes": {"batch_size": 1, "sequence_length": 64}},
                "environment": {"gpu": ["NVIDIA A100-SXM4-80GB", ...]}},
     "report": {"prefill": {"latency": {"unit": "s", "mean": 0.13}, "throughput": {"unit": "samples/s", "value": 7.6}},
                "decode": {...}, "per_token": {...}, "load_model": {...}}}

The environment lists every device of the machine, also a display adapter; `device_ids` says which were used, in the
numbering that leaves display adapters out. The prefill rate is in tokens per second up to 0.4 and in samples per
second since: its unit is read. Decode covers the tokens after the first. `version` of the backend is that of its
library. Report and configuration may come as two files: the report needs the configuration as --log.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tools.importers.printed import Printed
from tools.importers.programs.content import Content, ContentError
from tools.importers.programs.format import Format, Reading
from tools.importers.programs.nested import add_block, flat, hold, inner, skip_below, tell_unread
from tools.importers.programs.optimum_config import state_config
from tools.importers.programs.point import Point, RefusedError

LACKS = {
    "model": "the model of the configuration, as benchmark_config.json has it: --log FILE",
    "hardware": "the devices that were used: `device_ids` and `environment` of the configuration",
    "load": "`input_shapes.batch_size` of the configuration: --log FILE",
    "input_length": "`input_shapes.sequence_length` of the configuration: --log FILE",
    "output_length": "`generate_kwargs.max_new_tokens` of the configuration: --log FILE",
    "engine_version": "the version of the backend, as the configuration has it: --log FILE",
    "warmup": "`warmup_runs` of the configuration: --log FILE",
    "scenario": "the scenario of the configuration: --log FILE",
}
_WORDS = {"stdev": "std", "stdev_": "", "values": "", "count": "", "total": "", "unit": ""}
_LATENCIES = {
    "load_model": "load_time_ms",
    "prefill": "prefill_latency_ms",
    "generate": "batch_latency_ms",
    "per_token": "step_time_ms",
}
_TIMES = {"s": "s", "ms": "ms"}
_BLOCKS = ("prefill", "decode", "per_token", "generate", "load_model")


def recognise(content: Content) -> str | None:
    """The reason: a report with prefill and decode."""
    only = content.only
    report = inner(only, "report") or only
    if isinstance(inner(report, "prefill", "latency", "unit"), str) and isinstance(
        inner(report, "decode"), dict
    ):
        return "it has a report with the latency and throughput of prefill and decode"
    return None


def read(reading: Reading) -> list[Point]:
    """The run."""
    only = reading.content.only or {}
    report = only.get("report") if isinstance(only.get("report"), dict) else only
    config = only.get("config")
    if config is None and reading.log is not None:
        config = reading.log.only
        if not isinstance(inner(config, "backend"), dict):
            raise ContentError("the file of --log is no configuration: it has no backend")

    def read_one(point: Point) -> None:
        point.draft.put("/client/name", "optimum-benchmark")
        state_config(point, config)
        _report(point)
        tell_unread(point)

    values = flat({key: block for key, block in (report or {}).items() if key in _BLOCKS and block})
    return reading.each(read_one, [("", values)])


def _report(point: Point) -> None:
    for name, metric in _LATENCIES.items():
        path = f"{name}.latency"
        if f"{path}.mean" in point.values:
            add_block(
                point, metric, path, _time(point, path), _of(point, path), said=point.text(f"{path}.unit")
            )
    if not point.draft.results:
        raise RefusedError("it has no latency")
    batch, tokens = _shape(point)
    _prefill(point, batch)
    _decode(point, batch, tokens)
    for name in _BLOCKS:
        _memory(point, name)
        if point.values.get(f"{name}.energy.total") is not None:
            point.draft.remark(f"{name}.energy covers processor and memory beside the accelerators: left out")
        skip_below(
            point, *(f"{name}.{part}" for part in ("energy", "efficiency", "latency", "throughput", "memory"))
        )


def _of(point: Point, path: str) -> Mapping[str, str]:
    """The words of a distribution; one sample has no spread, and its percentiles are itself."""
    if point.count(f"{path}.count") == 1:
        return {**_WORDS, **dict.fromkeys(("p50", "p90", "p95", "p99", "stdev"), "")}
    return _WORDS


def _time(point: Point, path: str) -> str:
    said = point.text(f"{path}.unit")
    if said not in _TIMES:
        raise RefusedError(f"{path} is in {said}, which is no unit of time known here")
    return _TIMES[said]


def _shape(point: Point) -> tuple[int | None, int | None]:
    conditions: Any = point.draft.fields.get("conditions")
    return inner(conditions, "batch_size"), inner(conditions, "output_length", "nominal")


def _prefill(point: Point, batch: int | None) -> None:
    key, unit = "prefill.throughput.value", point.text("prefill.throughput.unit")
    mean = point.number("prefill.latency.mean")
    if unit == "samples/s":
        said = point.result(
            "samples_per_s",
            key,
            unit,
            definition="prompts processed per second of prefill; nothing is generated but one token",
        )
        if batch and mean is not None and mean.value > 0:
            hold(key, said, batch / mean.exact, 1e-4)
    elif unit in ("tokens/s", "token/s"):
        point.result("prefill_tok_s", key, "tok/s", said=unit)
    elif unit is not None:
        raise RefusedError(f"prefill.throughput is in {unit}, which is not known")


def _decode(point: Point, batch: int | None, tokens: int | None) -> None:
    key, unit = "decode.throughput.value", point.text("decode.throughput.unit")
    if unit is None:
        return
    if unit not in ("tokens/s", "token/s"):
        raise RefusedError(f"decode.throughput is in {unit}, which is not known")
    said, mean = point.result("decode_tok_s", key, "tok/s", said=unit), point.number("decode.latency.mean")
    if batch and tokens and tokens > 1 and mean is not None and mean.value > 0:
        hold(key, said, batch * (tokens - 1) / mean.exact, 1e-4)


def _memory(point: Point, name: str) -> None:
    """Peak memory in use: one device's share is not said, so that it is that of all of them."""
    if name != "decode" or point.text(f"{name}.memory.unit") != "MB":
        return
    peak: Printed | None = point.number(f"{name}.memory.max_process_vram")
    if peak is not None and peak.value > 0:
        point.add("memory_total_gb", peak, "MB", key=f"{name}.memory.max_process_vram")


FORMAT = Format(
    "optimum-benchmark",
    "a report with the latency and throughput of prefill and decode",
    recognise,
    read,
    LACKS,
    takes_log=True,
)
