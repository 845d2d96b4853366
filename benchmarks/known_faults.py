"""Faults that are known to stand in published tables, as records made from them as printed show them.

The maps in `benchmarks/as_printed` file what a source prints, without the corrections of `data/imports`. Each entry
here picks the records of one fault; that the number is wrong is known from elsewhere: from the logs of the same round,
from the unit of the file, or from two columns of one row.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from benchmarks.injected import Json, number, result_of


class Known(NamedTuple):
    """A fault in words, how it is known, and whether a record has it."""

    name: str
    known_from: str
    has_it: Callable[[Json], bool]


def _round(record: Json, words: str) -> bool:
    return str(record["title"]).startswith(f"MLPerf Inference {words}")


def _metric(record: Json, *metrics: str) -> bool:
    return any(result_of(record, metric) for metric in metrics)


def _v40(record: Json) -> bool:
    return (
        _round(record, "v4.0 llama2-70b")
        and record["conditions"].get("scenario") == "offline"
        and _metric(record, "samples_per_s")
    )


def _v41(record: Json) -> bool:
    return (
        _round(record, "v4.1 llama2-70b")
        and str(record.get("model_label")).startswith("neuralmagic_")
        and _metric(record, "samples_per_s", "requests_per_s")
    )


def _v51(record: Json) -> bool:
    return _round(record, "v5.1 llama3.1-8b Interactive") and _metric(record, "requests_per_s")


def _times_69(record: Json) -> bool:
    return _round(record, "v4.1 gptj") and _metric(record, "tps_aggregate")


def _copied(record: Json) -> bool:
    rate = result_of(record, "samples_per_s")
    return (
        rate is not None
        and rate["value"] == 51.7954
        and number(record, "hardware", "accelerator_count") == 4
        and _round(record, "v3.1")
    )


def _too_fast(record: Json) -> bool:
    found = result_of(record, "tps_aggregate")
    return (
        str(record["title"]).startswith("Nvidia TensorRT-LLM, Mistral 7B")
        and found is not None
        and found["value"] in (206.59, 390.49)
    )


def _neuron(record: Json) -> dict[str, float] | None:
    if not str(record["title"]).startswith("Neuron "):
        return None
    names = {
        "rate": ("tps_aggregate", ""),
        "first": ("ttft_ms", "p50"),
        "each": ("tpot_ms", "p50"),
        "last": ("tpot_ms", "p99"),
    }
    found = {name: result_of(record, metric, statistic) for name, (metric, statistic) in names.items()}
    return {name: result["value"] for name, result in found.items() if result}


def _not_its_latencies(record: Json) -> bool:
    point, length = _neuron(record), number(record, "conditions", "output_length", "nominal")
    if (
        not point
        or not length
        or number(record, "conditions", "batch_size") != 1
        or not {"rate", "first", "each"} <= point.keys()
    ):
        return False
    seconds = (point["first"] + point["each"] * (length - 1)) / 1000
    return length / seconds > 1.5 * point["rate"]


def _falling(record: Json) -> bool:
    point = _neuron(record)
    return bool(point and "each" in point and point.get("last", point["each"]) < point["each"])


def _in_seconds(record: Json) -> bool:
    return _said(record, "s") and _metric(record, "tpot_ms", "e2e_latency_ms")


def _first_token_in_seconds(record: Json) -> bool:
    return _said(record, "s") and not _metric(record, "tpot_ms", "e2e_latency_ms")


def _said(record: Json, unit: str) -> bool:
    """Whether the map noted that the latencies of the file are in a unit."""
    return str(record["title"]).startswith("InferenceX ") and record.get("notes") == f"latency_unit {unit}"


def _nothing_completed(record: Json) -> bool:
    return str(record["title"]).startswith("InferenceX ") and number(record, "counts", "completed") == 0


KNOWN = (
    Known("v4.0 Llama 2 70B Offline: tokens labelled Samples/s", "a log of the same round", _v40),
    Known("v4.1 Llama 2 7B: tokens labelled Samples/s or Queries/s", "the logs", _v41),
    Known("v5.1 Llama 3.1 8B Interactive: tokens labelled Queries/s", "the logs", _v51),
    Known("v4.1 GPT-J: samples x 69 as Tokens/s", "the logs", _times_69),
    Known("v3.1 XE8640: the value of one accelerator beside four", "both rows", _copied),
    Known(
        "premAI: a 7B model faster than an A100 reads it, fp16 and int8",
        "the bandwidth of the part",
        _too_fast,
    ),
    Known(
        "AWS Neuron: a rate that is not that of its latencies", "TTFT and TPOT of the row", _not_its_latencies
    ),
    Known("AWS Neuron: p99 below p50", "the row", _falling),
    Known("InferenceX: seconds read as milliseconds, with TPOT or E2E", "the unit of the file", _in_seconds),
    Known(
        "InferenceX: seconds read as milliseconds, TTFT alone",
        "the unit of the file",
        _first_token_in_seconds,
    ),
    Known("InferenceX: a run that completed nothing, all zeros", "its counts", _nothing_completed),
)
"""Every one of them is in the tables that the maps read."""
