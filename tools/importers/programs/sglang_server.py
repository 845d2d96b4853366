"""`server_info` of SGLang: what the server said of itself, read member by member.

It is flat, or for split serving `{internal_states, prefill: [...], decode: [...]}`, whose pools may run different
versions. It also holds API keys, host names and paths, so that nothing is copied that is not listed here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tools.importers.programs.content import Digits
from tools.importers.programs.point import Point, RefusedError
from tools.importers.programs.spelling import is_name

_VERSION = re.compile(r"v?[0-9]+(?:\.[0-9A-Za-z+-]+)+")
_TECHNIQUES = {
    "EAGLE": "eagle",
    "EAGLE3": "eagle3",
    "NEXTN": "mtp",
    "STANDALONE": "draft_model",
    "NGRAM": "ngram",
}
_FORMATS = {"float16": "fp16", "half": "fp16", "bfloat16": "bf16", "float32": "fp32", "float": "fp32"}
_CACHES = {"fp8_e5m2": "fp8", "fp8_e4m3": "fp8", "bfloat16": "bf16", "bf16": "bf16", "float16": "fp16"}
_DEGREES = {"tp_size": "tensor", "pp_size": "pipeline", "dp_size": "data", "ep_size": "expert"}
_DEGREES_IN_TENSOR = {
    "tp_size": "tensor",
    "pp_size": "pipeline",
    "dp_size": "attention_data",
    "ep_size": "expert",
}


def state_server(point: Point, info: Any) -> None:
    """States model, engine and layout. Raises `RefusedError` for weights that were made up."""
    if not isinstance(info, dict):
        return
    pools: dict[str, list[Mapping[str, Any]]] = {
        name: [part for part in _list(info, name) if isinstance(part, dict)] for name in ("prefill", "decode")
    }
    if any(pools.values()):
        _split(point, pools)
        return
    _engine(point, _version(info))
    _layout(point, info)
    _served(point, info)


def _list(info: Mapping[str, Any], name: str) -> list[Any]:
    found = info.get(name)
    return found if isinstance(found, list) else []


def _version(info: Mapping[str, Any]) -> str | None:
    found = info.get("version")
    return found if type(found) is str and _VERSION.fullmatch(found) else None


def _engine(point: Point, version: str | None) -> None:
    if point.engine("sglang"):
        point.draft.put("/engine/version", version)


def _split(point: Point, pools: Mapping[str, list[Mapping[str, Any]]]) -> None:
    versions: dict[str, str] = {}
    for pool, workers in pools.items():
        found = {version for worker in workers if (version := _version(worker)) is not None}
        point.draft.put(f"/disaggregation/{pool}_workers", len(workers) or None)
        if len(found) == 1:
            versions[pool] = found.pop()
            point.draft.put(f"/disaggregation/{pool}_engine_version", versions[pool])
    if len(set(versions.values())) == 1:
        _engine(point, next(iter(versions.values())))
    else:
        _engine(point, ", ".join(f"{version} ({pool})" for pool, version in versions.items()) or None)
    workers = [worker for pool in pools.values() for worker in pool]
    _served(point, workers[0])
    # A layout is of one deployment; two pools have it in common or not at all.
    shared = {key: workers[0].get(key) for key in _DEGREES if len({str(w.get(key)) for w in workers}) == 1}
    _layout(point, {**shared, "enable_dp_attention": workers[0].get("enable_dp_attention")})


def _layout(point: Point, info: Mapping[str, Any]) -> None:
    degrees = _DEGREES_IN_TENSOR if info.get("enable_dp_attention") is True else _DEGREES
    for key, name in degrees.items():
        value = info.get(key)
        number = value.number if isinstance(value, Digits) else None
        if number is not None and isinstance(number.value, int) and number.value > 0:
            point.draft.put(f"/parallelism/{name}", number.value)


def _served(point: Point, info: Mapping[str, Any]) -> None:
    if info.get("load_format") == "dummy":
        raise RefusedError("the server ran with dummy weights (load_format)")
    model = info.get("model_path")
    point.model(model if type(model) is str else None)
    revision = info.get("revision")
    point.draft.put("/model_revision", revision if type(revision) is str and is_name(revision) else None)
    point.draft.put("/precision/activations", _FORMATS.get(str(info.get("dtype"))))
    point.draft.put("/precision/kv_cache", _CACHES.get(str(info.get("kv_cache_dtype"))))
    quantization = info.get("quantization")
    is_word = type(quantization) is str and is_name(quantization)
    point.draft.put("/precision/quantization", quantization if is_word else None)
    if isinstance(info.get("disable_radix_cache"), bool):
        point.draft.put("/conditions/prefix_cache", "disabled" if info["disable_radix_cache"] else "enabled")
    _technique(point, info)


def _technique(point: Point, info: Mapping[str, Any]) -> None:
    if "speculative_algorithm" not in info:
        return
    said = info["speculative_algorithm"]
    if said is None:
        point.draft.put("/technique/kind", "autoregressive")
        return
    kind = _TECHNIQUES.get(str(said))
    if kind is None:
        note = (
            f"speculative_algorithm {said}"
            if is_name(str(said))
            else "the server names an algorithm of its own"
        )
        point.draft.put("/technique", {"kind": "other", "note": note})
        return
    point.draft.put("/technique/kind", kind)
    for key, name in (("speculative_num_steps", "gamma"), ("speculative_eagle_topk", "top_k")):
        value = info.get(key)
        number = value.number if isinstance(value, Digits) else None
        if number is not None and isinstance(number.value, int) and number.value > 0:
            point.draft.put(f"/technique/{name}", number.value)
