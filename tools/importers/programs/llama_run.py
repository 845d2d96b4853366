"""A row of llama-bench: one test of one sequence, whatever the form it is printed in.

`pp N` processes a prompt, `tg N` generates, `pp N+tg M` does both and mixes their rates; `@ d D` begins with D tokens
in the cache. A rate is the mean over repetitions of tokens / time, its deviation that of the repetitions.
"""

from __future__ import annotations

from tools.importers.programs.point import Point, RefusedError
from tools.importers.tree import Tree

LACKS = {
    "model": "which model the type stands for: `model_type` names a family, its size and the file's quantisation",
    "hardware": "the accelerator, as the program prints it above a table or has it in gpu_info",
    "engine_version": "the line `build:` that the program prints below its table",
    "warmup": "the command line: a warm-up runs before each test unless --no-warmup is given",
}
_KV_CACHE = {"f32": "fp32", "f16": "fp16", "bf16": "bf16"}
_PROCESSORS = frozenset({"CPU", "BLAS", "ACCEL"})


def state_test(point: Point, prompt: int, generated: int, depth: int) -> str:
    """States what a test does to one sequence; gives the metric of its rate."""
    if prompt == generated == 0:
        raise RefusedError("the test processes and generates no token")
    draft = point.draft
    parts = [f"pp{prompt}" if prompt else "", f"tg{generated}" if generated else ""]
    name = "+".join(filter(None, parts)) + (f" @ d{depth}" if depth else "")
    point.slug.append(name.replace("@", "at"))
    draft.put("/conditions/test", name)
    draft.put("/conditions/batch_size", 1)
    draft.put("/conditions/context_depth", depth or None)
    draft.put("/conditions/input_length", {"nominal": prompt, "kind": "exact"})
    draft.put("/conditions/output_length", {"nominal": generated, "kind": "exact"})
    scenario = "fixed_batch" if prompt and generated else "prefill_only" if prompt else "decode_only"
    draft.put("/conditions/scenario", scenario)
    if prompt and generated:
        return "mixed_phase_tok_s"
    return "prefill_tok_s" if prompt else "decode_tok_s"


def state_engine(point: Point, backends: str | None, commit: str | None, number: int | None) -> None:
    """States llama.cpp with its build; `unknown` and 0 are what a build outside its repository has."""
    draft = point.draft
    draft.put("/client/name", "llama-bench")
    if not point.engine("llama.cpp"):
        return
    draft.put("/engine/backend", backends)
    if commit and commit != "unknown":
        draft.put("/engine/commit", commit.lower())
    if number:
        draft.put("/engine/version", f"b{number}")


def state_model(point: Point, model_type: str | None) -> None:
    """States the model by the description of its file; the path of the file is never looked at."""
    if model_type is None:
        return
    head, separator, quantization = model_type.partition(" - ")
    name, _, kind = head.rpartition(" ")
    draft = point.draft
    draft.put("/model_label", model_type)
    draft.put("/precision/quantization", f"{kind}{separator}{quantization}" if name else None)
    point.slug.insert(0, model_type)
    found = point.names.resolve("model", model_type)
    draft.put("/model_id", found.id)
    if found.id is None:
        point.lack("model", f'the file says "{model_type}", which names no single record')


def state_devices(point: Point, backends: str | None, devices: list[str], *, whole: bool = True) -> None:
    """States the accelerators; `whole` says that all of them worked on the model."""
    named = frozenset((backends or "").split(","))
    if "RPC" in named or any(device.startswith("RPC") for device in devices):
        point.lack("hardware", "machines took part over the network that the file does not name")
        return
    if named <= _PROCESSORS and backends:
        point.lack("hardware", "the processor did the work", reason="not_applicable")
        return
    if not devices:
        return
    point.accelerators(devices)
    if whole:
        point.draft.put("/hardware/accelerator_count", len(devices))


def state_cache(point: Point, keys: str | None, values: str | None) -> None:
    """States the format of the cache where keys and values share one of the vocabulary."""
    if keys == values and keys in _KV_CACHE:
        point.draft.put("/precision/kv_cache", _KV_CACHE[keys])


def flags(said: dict[str, Tree]) -> str | None:
    """Settings as one line, those that are there."""
    return ", ".join(f"{name} {value}" for name, value in said.items() if value is not None) or None
