"""The configuration of an optimum-benchmark run: backend, shapes, devices.

`environment.gpu` lists all devices of the machine and `device_ids` those that were used, by their index among the
devices that compute. Settings that hold folders or keys (`model_kwargs`, `processor_kwargs`) are not looked at.
"""

from __future__ import annotations

import re
from typing import Any

from tools.importers.programs.nested import inner, number_of, text_of, whole_of
from tools.importers.programs.point import Point, RefusedError
from tools.importers.programs.spelling import is_name

_ENGINES = {
    "pytorch": "transformers",
    "vllm": "vllm",
    "tensorrt-llm": "tensorrt-llm",
    "llama_cpp": "llama.cpp",
}
_TYPES = {"bfloat16": "bf16", "float16": "fp16", "float32": "fp32"}
_DISPLAY = re.compile(r"(?i)\bdisplay\b")


def state_config(point: Point, config: Any) -> None:
    """States what the configuration says. Raises `RefusedError` for weights that are none."""
    backend, scenario = inner(config, "backend"), inner(config, "scenario")
    if inner(backend, "no_weights") is True:
        raise RefusedError("the run had random weights (no_weights), so that its model is none")
    draft = point.draft
    model = text_of(inner(backend, "model"))
    point.model(model)
    point.slug.append(model if model and is_name(model) else "model not named")
    version = text_of(inner(config, "environment", "optimum_benchmark_version"))
    draft.put("/client/version", version if version and is_name(version) else None)
    _engine(point, config)
    _precision(point, backend)
    shapes = inner(scenario, "input_shapes")
    batch = whole_of(inner(shapes, "batch_size")) or None
    draft.put("/conditions/batch_size", batch)
    draft.put(
        "/conditions/scenario", "fixed_batch" if text_of(inner(scenario, "name")) == "inference" else None
    )
    _lengths(point, shapes, inner(scenario, "generate_kwargs"))
    warmups = whole_of(inner(scenario, "warmup_runs"))
    if warmups is not None:
        draft.put("/conditions/warmup/handling", "excluded" if warmups else "none")
        draft.put("/conditions/warmup/iterations", warmups or None)
    seed = whole_of(inner(backend, "seed"))
    draft.put("/conditions/seed", seed)
    if batch:
        point.slug.append(f"batch {batch}")
    _devices(point, backend, inner(config, "environment"))


def _engine(point: Point, config: Any) -> None:
    backend, environment, draft = inner(config, "backend"), inner(config, "environment"), point.draft
    name, version = text_of(inner(backend, "name")), text_of(inner(backend, "version"))
    library = text_of(inner(environment, "transformers_version"))
    known = _ENGINES.get(name or "")
    if known is None or not point.engine(known):
        return
    # The version of the backend `pytorch` is that of PyTorch, and the library above it has its own.
    if known == "transformers":
        draft.put("/engine/version", library if library and is_name(library) else None)
        draft.put("/software/framework", f"PyTorch {version}" if version and is_name(version) else None)
    elif version and is_name(version):
        draft.put("/engine/version", version)
    draft.put("/engine/backend", name)


def _precision(point: Point, backend: Any) -> None:
    draft, scheme = point.draft, text_of(inner(backend, "quantization_scheme"))
    draft.put("/precision/quantization", scheme if scheme and is_name(scheme) else None)
    bits = number_of(inner(backend, "quantization_config", "bits"))
    if scheme is None:
        draft.put("/precision/weights", _TYPES.get(text_of(inner(backend, "torch_dtype")) or ""))
    elif bits is not None:
        draft.put("/precision/weights", {4: "int4", 8: "int8"}.get(int(bits.value)))


def _lengths(point: Point, shapes: Any, generate: Any) -> None:
    draft = point.draft
    length = whole_of(inner(shapes, "sequence_length")) or None
    if length:
        draft.put("/conditions/input_length/nominal", length)
        draft.put("/conditions/input_length/kind", "exact")
    most, least = whole_of(inner(generate, "max_new_tokens")), whole_of(inner(generate, "min_new_tokens"))
    if most:
        draft.put("/conditions/output_length/nominal", most)
        draft.put("/conditions/output_length/kind", "exact" if most == least else "cap")
    if inner(generate, "do_sample") is False:
        draft.put("/conditions/temperature", 0)


def _devices(point: Point, backend: Any, environment: Any) -> None:
    named = inner(environment, "gpu")
    all_devices = [text_of(name) or "" for name in named] if isinstance(named, list) else []
    if text_of(inner(environment, "cpu")):
        point.draft.put("/hardware/host_processor", text_of(inner(environment, "cpu")))
    if text_of(inner(backend, "device")) == "cpu":
        point.lack("hardware", "the processor ran the model", reason="not_applicable")
        return
    ids = [part.strip() for part in (text_of(inner(backend, "device_ids")) or "").split(",")]
    computing = [name for name in all_devices if name and not _DISPLAY.search(name)]
    if not all(part.isdigit() for part in ids):
        point.lack("hardware", "the configuration does not say which devices were used")
        return
    point.draft.put("/hardware/accelerator_count", len(ids))
    # The index of a device counts differently in different programs: it is only taken where it does not matter.
    if len(set(computing)) == 1:
        point.accelerators([computing[0]])
    elif computing:
        point.lack(
            "hardware", "the machine has different devices, and their numbers are not those of the list"
        )
