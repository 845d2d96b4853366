"""vLLM `bench latency --output-json`: one batch over and over, without a server.

    {"avg_latency": 7.41, "latencies": [7.43, ...], "percentiles": {"10": 7.17, "50": 7.43, "99": 7.73}}

A latency is in seconds and that of the whole batch, from its prompts to its last token: neither of a request nor of a
token. Batch size, lengths and warm-up are arguments that the file does not have; their defaults are no statement.
"""

from __future__ import annotations

import math

from tools.importers.programs.content import Content, Digits
from tools.importers.programs.format import Format, Reading
from tools.importers.programs.point import Point, RefusedError, agrees
from tools.importers.programs.spelling import is_name
from tools.importers.programs.statistics import statistic_of

_COMMAND = "the command line of the run"


def recognise(content: Content) -> str | None:
    """The reason: avg_latency, latencies and percentiles together."""
    fits = content.keys >= {"avg_latency", "latencies", "percentiles"}
    return "it has avg_latency, latencies and percentiles" if fits else None


def read(reading: Reading) -> list[Point]:
    """A point of every object."""
    return reading.each(_read_run, ((part.place, part.values) for part in reading.content.parts))


def _read_run(point: Point) -> None:
    draft = point.draft
    items = point.take("latencies")
    numbers = [item.number for item in items if isinstance(item, Digits)] if isinstance(items, list) else []
    seconds = [number for number in numbers if number is not None and number.value > 0]
    if not seconds or not isinstance(items, list) or len(seconds) != len(items):
        raise RefusedError("latencies has no item, or one that is no time: nothing was measured")
    mean = point.number("avg_latency")
    computed = math.fsum(number.value for number in seconds) / len(seconds)
    if mean is None or not agrees(mean, computed):
        raise RefusedError(
            f"avg_latency is not the mean of latencies, {computed:g} s: the file contradicts itself"
        )
    name = point.text("model_id") or point.text("model")
    point.skip("model_id", "model")
    point.model(name)
    point.slug.append(name if name and is_name(name) else "model not named")
    draft.put("/client/name", "vllm-bench-latency")
    draft.put("/conditions/scenario", "fixed_batch")
    samples = len(seconds)
    point.result("batch_latency_ms", "avg_latency", "s", statistic="mean", samples=samples)
    percentiles = point.take("percentiles")
    for word, value in percentiles.items() if isinstance(percentiles, dict) else ():
        statistic, number = statistic_of(f"p{word}"), value.number if isinstance(value, Digits) else None
        if statistic is None or number is None:
            draft.remark(f"the percentile {word} is none that the vocabulary has, or no number: left out")
            continue
        if not min(one.value for one in seconds) <= number.value <= max(one.value for one in seconds):
            raise RefusedError(f"the percentile {word} lies outside latencies: the file contradicts itself")
        key = f"percentiles.{word}"
        point.add("batch_latency_ms", number, "s", key=key, statistic=statistic, samples=samples)


FORMAT = Format(
    "vllm-bench-latency",
    "avg_latency, latencies and percentiles",
    recognise,
    read,
    {
        "model": f"{_COMMAND}; builds from 2026 write model_id",
        "hardware": "the accelerators of the run",
        "load": f"{_COMMAND}: --batch-size",
        "input_length": f"{_COMMAND}: --input-len",
        "output_length": f"{_COMMAND}: --output-len",
        "engine_version": "the version of vLLM",
        "warmup": f"{_COMMAND}: --num-iters-warmup",
    },
)
