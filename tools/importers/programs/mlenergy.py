"""ML.ENERGY: the data of the leaderboard (a list of configurations of one model and task), and `results.json` of a run.

    {"model_id": "owner/model", "task": "lm-arena-chat", "weight_precision": "bfloat16", "configurations":
     [{"gpu_model": "B200", "num_gpus": 1, "max_num_seqs": 8, "avg_batch_size": 7.9, "avg_power_watts": 646.3,
       "output_throughput_tokens_per_sec": 1501.7, "energy_per_token_joules": 0.43, "median_itl_ms": 5.0}]}

Power and energy are those of all GPUs and of nothing else. On the leaderboard the rate belongs to the window of the
power, so that power / rate is the energy per output token; in `results.json` the energy is that of the steady state
and the rate that of the whole run, and neither is divided by the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tools.importers.programs.content import Content
from tools.importers.programs.format import Format, Reading
from tools.importers.programs.mlenergy_run import is_run, read_run
from tools.importers.programs.nested import flat, hold, inner, skip_below
from tools.importers.programs.point import Point, RefusedError
from tools.importers.programs.spelling import is_name

LACKS = {
    "model": "the published name of the model",
    "hardware": "the form factor and memory size of the GPU, which the leaderboard's name leaves open",
    "engine_version": "the configuration folder of the benchmark, with its container image",
    "input_length": "the prompt lengths of the task's request set",
    "output_length": "the lengths of the answers",
    "warmup": "what of the run is left out of the steady state",
    "scenario": "the arrival pattern of the benchmark's client",
}
_PRECISIONS = {"bfloat16": "bf16", "float16": "fp16", "fp8": "fp8", "mxfp4": "mxfp4", "nvfp4": "nvfp4"}
_ITL = {"median_itl_ms": "p50", "p90_itl_ms": "p90", "p95_itl_ms": "p95", "p99_itl_ms": "p99"}
_BASIS = "measured_accelerator"
_NEEDED = {"energy_per_token_joules", "output_throughput_tokens_per_sec", "avg_power_watts", "gpu_model"}


def recognise(content: Content) -> str | None:
    """The reason: configurations with power, rate and energy per token, or a run with a steady state."""
    first = inner(content.only, "configurations", 0)
    if isinstance(first, Mapping) and set(first) >= _NEEDED:
        return "it has configurations with avg_power_watts and energy_per_token_joules"
    if is_run(content.keys):
        return "it has steady_state_energy beside the totals of a run"
    return None


def read(reading: Reading) -> list[Point]:
    """A point of every configuration, or of the run."""
    only = reading.content.only
    if only is None or "configurations" not in only:
        parts = [(part.place, part.values) for part in reading.content.parts]
        return reading.each(lambda point: read_run(point, reading), parts)
    shared = {key: value for key, value in only.items() if isinstance(value, str)}
    listed = inner(only, "configurations")
    configurations = [item for item in (listed if isinstance(listed, list) else []) if isinstance(item, dict)]
    sweep = f"mlenergy-{reading.content.sha256[:10]}" if len(configurations) > 1 else None

    def read_one(point: Point) -> None:
        _read(point)
        point.draft.put("/sweep_id", sweep)

    return reading.each(
        read_one,
        [(f"configurations[{index}]", _merged(shared, item)) for index, item in enumerate(configurations)],
    )


def _merged(shared: Mapping[str, Any], configuration: Mapping[str, Any]) -> dict[str, Any]:
    own = {key: value for key, value in configuration.items() if key != "output_length_distribution"}
    return {**shared, **flat(own)}


def _read(point: Point) -> None:
    draft = point.draft
    model = point.text("model_id")
    point.model(model)
    point.slug.append(model if model and is_name(model) else "model not named")
    task, part = point.text("task"), point.text("gpu_model")
    draft.put("/conditions/task", task if task and is_name(task) else None)
    if part is not None:
        point.accelerators([part])
    draft.put("/hardware/accelerator_count", point.count("num_gpus") or None)
    draft.put("/precision/weights", _PRECISIONS.get(point.text("weight_precision") or ""))
    draft.put("/client/name", "ML.ENERGY benchmark")
    draft.put("/conditions/window", "steady_state")
    batch, most = point.number("avg_batch_size"), point.count("max_num_seqs") or None
    draft.put("/conditions/batch_size", batch if batch is not None and batch.value > 0 else None)
    draft.put("/conditions/max_batch_size", most)
    length = point.number("avg_output_len")
    draft.put("/conditions/output_length/mean", length if length is not None and length.value > 0 else None)
    _parallelism(point)
    point.slug += [part if part and is_name(part) else "part not named", f"at most {most}"]
    _figures(point, length)
    point.skip("nickname", "architecture", "total_params_billions", "activated_params_billions")
    skip_below(point, "parallelization")


def _parallelism(point: Point) -> None:
    sizes = {
        name: point.count(f"parallelization.{name}_parallel") or None for name in ("tensor", "expert", "data")
    }
    draft = point.draft
    draft.put("/parallelism/tensor", sizes["tensor"])
    draft.put("/parallelism/expert", sizes["expert"])
    # With the experts spread over the parts, data parallelism is that of the attention alone.
    place = "attention_data" if (sizes["expert"] or 1) > 1 else "data"
    draft.put(f"/parallelism/{place}", sizes["data"])


def _figures(point: Point, length: Any) -> None:
    rate = point.result("tps_aggregate", "output_throughput_tokens_per_sec", "tok/s")
    power = point.result("power_w", "avg_power_watts", "W", power_basis=_BASIS)
    if rate is None or rate.value == 0:
        raise RefusedError("it has no output rate")
    energy = point.result(
        "joules_per_token",
        "energy_per_token_joules",
        "J/tok",
        token_kind="output",
        derived_from={"formula": "avg_power_watts / output_throughput_tokens_per_sec, by the source"},
        power_basis=_BASIS,
    )
    request = point.result("joules_per_request", "energy_per_request_joules", "J/req", power_basis=_BASIS)
    if power is not None:
        hold("energy_per_token_joules", energy, power.exact / rate.exact)
    if energy is not None and length is not None:
        hold("energy_per_request_joules", request, energy.exact * length.exact, 1e-2)
    for key, statistic in _ITL.items():
        point.result("itl_ms", key, "ms", statistic=statistic)


FORMAT = Format(
    "mlenergy",
    "configurations with avg_power_watts and energy_per_token_joules, or steady_state_energy",
    recognise,
    read,
    LACKS,
)
