"""The settings of an AIPerf run (`input_config`), in the earlier shape (`loadgen`) and the newer one (`phases`).

Names, counts and lengths are taken by their key; the addresses, folders, headers and the command line that stand
beside them are not looked at. The telemetry may cover accelerators that did not serve: it gives the part where all of
them are the same, and never their number.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tools.importers.printed import Printed
from tools.importers.programs.nested import inner, number_of, text_of, whole_of
from tools.importers.programs.point import Point, RefusedError
from tools.importers.programs.spelling import is_name

_GOODPUT = {
    "time_to_first_token": "ttft_ms",
    "inter_token_latency": "tpot_ms",
    "request_latency": "e2e_latency_ms",
}


def state_config(point: Point, run: Mapping[str, Any], requests: int | None) -> None:
    """States what `input_config`, `run_info` and the telemetry say of the conditions."""
    config, draft = run.get("input_config"), point.draft
    names = inner(config, "endpoint", "model_names")
    if not isinstance(names, list):
        items = inner(config, "models", "items")
        names = [inner(item, "name") for item in items] if isinstance(items, list) else []
    said = [name for item in names if (name := text_of(item))]
    if len(said) == 1:
        point.model(said[0])
    elif said:
        point.lack("model", f"the run went to {len(said)} models")
    point.slug.append(said[0] if len(said) == 1 and is_name(said[0]) else "model not named")
    protocol = text_of(inner(config, "endpoint", "type"))
    draft.put("/client/protocol", protocol if protocol and is_name(protocol) else None)
    tokenizer = text_of(inner(config, "tokenizer", "name"))
    draft.put("/client/tokenizer", tokenizer if tokenizer and is_name(tokenizer) else None)
    streaming = inner(config, "endpoint", "streaming")
    draft.put("/conditions/streaming", streaming if isinstance(streaming, bool) else None)
    seed = whole_of(inner(config, "input", "random_seed") or inner(run, "run_info", "random_seed"))
    draft.put("/conditions/seed", seed)
    phases = inner(config, "phases")
    if isinstance(phases, list):
        _phases(point, phases, requests)
    else:
        _loadgen(point, inner(config, "loadgen"), requests)
    _input(point, config)
    _hardware(point, run.get("telemetry_data"))


def _phases(point: Point, phases: list[Any], requests: int | None) -> None:
    measured = [phase for phase in phases if inner(phase, "exclude_from_results") is not True]
    before = [phase for phase in phases if inner(phase, "exclude_from_results") is True]
    if len(measured) != 1:
        raise RefusedError(f"it mixes {len(measured)} phases of load, which is no single operating point")
    warmups = [whole_of(inner(phase, "requests")) for phase in before]
    place = "/conditions/warmup"
    point.draft.put(f"{place}/handling", "excluded" if before else "none")
    if before and all(number is not None for number in warmups):
        point.draft.put(f"{place}/requests", sum(filter(None, warmups)))
    phase = measured[0]
    kind = text_of(inner(phase, "type"))
    state_load(point, whole_of(inner(phase, "concurrency")), number_of(inner(phase, "rate")), requests, kind)


def _loadgen(point: Point, loadgen: Any, requests: int | None) -> None:
    concurrency, rate = whole_of(inner(loadgen, "concurrency")), number_of(inner(loadgen, "request_rate"))
    state_load(point, concurrency, rate, requests, text_of(inner(loadgen, "arrival_pattern")))
    state_warmup(point, whole_of(inner(loadgen, "warmup_request_count")))


def state_warmup(point: Point, warmups: int | None) -> None:
    """States requests that were sent before the measurement; a number that is not there says nothing."""
    if warmups:
        point.draft.put("/conditions/warmup/handling", "excluded")
        point.draft.put("/conditions/warmup/requests", warmups)


def state_load(
    point: Point, concurrency: int | None, rate: Printed | None, requests: int | None, kind: str | None
) -> None:
    """The load: a rate, or requests that are kept in flight, or all of them at once where the limit is not reached."""
    draft = point.draft
    if kind is not None and ("schedule" in kind or "trace" in kind):
        draft.put("/conditions/scenario", "trace_replay")
    elif rate is not None and rate.value > 0:
        draft.put("/conditions/request_rate", rate)
        draft.put("/conditions/concurrency_cap", concurrency or None)
        is_capped = concurrency is not None and requests is not None and concurrency < requests
        draft.put("/conditions/scenario", "other" if is_capped else "open_loop")
        if is_capped:
            draft.put(
                "/conditions/scenario_note", f"sent at a rate, with at most {concurrency} requests in flight"
            )
        point.slug.append(f"{rate.value} req/s")
    elif concurrency and requests is not None and concurrency >= requests > 1:
        draft.put("/conditions/request_rate", "inf")
        draft.put("/conditions/concurrency_cap", concurrency)
        draft.put("/conditions/scenario", "burst")
    elif concurrency:
        draft.put("/conditions/concurrency", concurrency)
        draft.put("/conditions/scenario", "closed_loop")
        point.slug.append(f"concurrency {concurrency}")


def _input(point: Point, config: Any) -> None:
    draft, given = point.draft, inner(config, "input")
    dataset = text_of(inner(config, "datasets", 0, "dataset") or inner(given, "public_dataset"))
    kind = text_of(inner(config, "datasets", 0, "type"))
    if dataset and is_name(dataset):
        draft.put("/conditions/dataset", dataset)
        draft.put("/conditions/dataset_kind", "natural" if kind == "public" else None)
    prompt = inner(given, "prompt")
    if prompt and not (dataset or inner(given, "file") or inner(given, "custom_dataset_type")):
        draft.put("/conditions/dataset_kind", "synthetic")
        for side in ("input", "output"):
            _nominal(point, side, inner(prompt, f"{side}_tokens"))
    _extra(point, inner(given, "extra") or inner(config, "endpoint", "extra"))
    for tag, ours in _GOODPUT.items():
        limit = number_of(inner(given, "goodput", tag))
        if limit is not None and limit.value > 0:
            draft.put(f"/conditions/slo/{ours}", limit)


def _nominal(point: Point, side: str, asked: Any) -> None:
    mean, spread = whole_of(inner(asked, "mean")), number_of(inner(asked, "stddev"))
    if mean is None:
        return
    point.draft.put(f"/conditions/{side}_length/nominal", mean)
    if spread is not None and spread.value > 0:
        point.draft.put(f"/conditions/{side}_length/kind", "mean")


def _extra(point: Point, extra: Any) -> None:
    """Sampling settings among what was sent with every request."""
    if isinstance(extra, list):
        extra = {str(item[0]): item[1] for item in extra if isinstance(item, list) and len(item) == 2}
    for key, place in (("temperature", "temperature"), ("top_p", "top_p")):
        number = number_of(inner(extra, key))
        point.draft.put(f"/conditions/{place}", number)
    ignore = inner(extra, "ignore_eos")
    point.draft.put("/conditions/ignore_eos", ignore if isinstance(ignore, bool) else None)
    thinks = inner(extra, "chat_template_kwargs", "enable_thinking")
    point.draft.put("/conditions/reasoning", thinks if isinstance(thinks, bool) else None)


def _hardware(point: Point, telemetry: Any) -> None:
    endpoints = inner(telemetry, "endpoints")
    names = {
        text_of(inner(gpu, "gpu_name"))
        for endpoint in (endpoints.values() if isinstance(endpoints, dict) else ())
        if isinstance(gpus := inner(endpoint, "gpus"), dict)
        for gpu in gpus.values()
    }
    if len(names) == 1 and (name := names.pop()) is not None:
        point.accelerators([name])
        point.draft.remark(
            "the telemetry names the accelerators and not which of them served: their number is open"
        )
    elif names:
        point.lack("hardware", "the telemetry covers different parts, and does not say which of them served")
