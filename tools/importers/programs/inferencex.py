"""InferenceX aggregates (`agg_*.json`): one object a run, or a list of them.

    {"hw": "h200", "conc": 32, "image": "vllm/vllm-openai:v0.22.0", "model": "owner/model", "framework": "vllm",
     "precision": "fp4", "spec_decoding": "none", "disagg": false, "isl": 1024, "osl": 1024, "tp": 8, "ep": 1,
     "tput_per_gpu": 482.1, "output_tput_per_gpu": 241.4, "mean_ttft": 0.49, "p99_intvty": 62.1}

`inferencex_run` has what the figures mean. GPUs = tp x pp x pcp_size; dcp_size does not count. The agentic variant
nests its figures and is another format.
"""

from __future__ import annotations

from tools.importers.programs.content import Content
from tools.importers.programs.format import Format, Reading
from tools.importers.programs.inferencex_run import (
    LACKS,
    RATES,
    add_latencies,
    add_rates,
    state_image,
    state_lengths,
    state_precision,
    state_system,
)
from tools.importers.programs.point import Point, RefusedError
from tools.importers.programs.spelling import is_name
from tools.importers.programs.statistics import figures

_NEEDED = {"hw", "conc", "framework", "model"}
_KEYS = dict(zip(RATES, ("tput_per_gpu", "output_tput_per_gpu", "input_tput_per_gpu"), strict=True))
_NOT_STATED = ("infmax_model_prefix", "recipe_fingerprint", "dcp_size", "num_prompts", "date")


def recognise(content: Content) -> str | None:
    """The reason: a runner label, a concurrency and a rate per GPU."""
    keys = content.keys
    if not keys >= _NEEDED or not keys & {"tput_per_gpu", "request_metrics"}:
        return None
    return "its objects have hw, conc, framework and tput_per_gpu"


def read(reading: Reading) -> list[Point]:
    """A point of every object."""
    return reading.each(_read_run, ((part.place, part.values) for part in reading.content.parts))


def _read_run(point: Point) -> None:
    draft = point.draft
    if "request_metrics" in point.values:
        raise RefusedError("the agentic variant nests its figures per request: it is not read")
    point.skip(*_NOT_STATED)
    split = bool(point.flag("disagg"))
    multi = bool(point.flag("is_multinode"))
    state_system(point, hardware="hw", framework="framework", technique="spec_decoding")
    model = point.text("model")
    point.model(model)
    point.slug += [model if model and is_name(model) else "model not named", str(point.text("hw") or "")]
    state_precision(point, point.text("precision"))
    state_image(point, point.text("image"))
    state_lengths(point, "isl", "osl")
    concurrency = point.count("conc")
    draft.put("/conditions/concurrency", concurrency or None)
    draft.put("/conditions/concurrency_cap", concurrency or None)
    point.slug.append(f"conc{concurrency}")
    _layout(point, split, multi)
    add_rates(point, {name: key for name, key in _KEYS.items() if key in point.values}, split)
    keys = {
        (quantity, word): key
        for quantity in ("ttft", "tpot", "itl", "e2el", "intvty")
        for word, key in figures(point.values, quantity, "")
    }
    add_latencies(point, keys, "s")


def _layout(point: Point, split: bool, multi: bool) -> None:
    draft = point.draft
    if split or multi:
        for ours, theirs in (
            ("prefill_accelerators", "num_prefill_gpu"),
            ("decode_accelerators", "num_decode_gpu"),
        ):
            draft.put(f"/disaggregation/{ours}", point.count(theirs) or None)
        pools = [point.count("num_prefill_gpu"), point.count("num_decode_gpu")]
        if all(pools):
            draft.put("/hardware/accelerator_count", sum(filter(None, pools)))
        point.skip(*(key for key in point.values if key.startswith(("prefill_", "decode_"))))
        return
    tensor, pipeline, context = (point.count(key) for key in ("tp", "pp", "pcp_size"))
    draft.put("/parallelism/tensor", tensor or None)
    draft.put("/parallelism/pipeline", pipeline or None)
    draft.put("/parallelism/context", context or None)
    draft.put("/parallelism/expert", point.count("ep") or None)
    if tensor:
        draft.put("/hardware/accelerator_count", tensor * (pipeline or 1) * (context or 1))
    if point.flag("dp_attention") and tensor:
        draft.put("/parallelism/attention_data", tensor)


FORMAT = Format("inferencex", "hw, conc, framework, model and tput_per_gpu", recognise, read, LACKS)
