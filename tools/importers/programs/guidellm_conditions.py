"""The conditions of a GuideLLM benchmark, which moved twice: `args` and `worker` (0.2, 0.3), `args` and `config` (0.5),
`config.spec` of the report and `config` of the benchmark (0.8).

The load of a benchmark is that of its own `strategy`: a profile lists those of the whole sweep. `max_concurrency` of a
strategy with a rate is the ceiling of the program itself and nobody's setting.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tools.importers.programs.content import Digits
from tools.importers.programs.nested import day_of_epoch, inner, number_of, text_of, whole_of
from tools.importers.programs.point import Point, RefusedError
from tools.importers.programs.spelling import is_name

_SETTING = re.compile(r"""["']?([a-z_]+)["']?\s*[=:]\s*["']?([0-9.]+)["']?""")


@dataclass(frozen=True)
class Report:
    """A report: all that is in it, and the digest of its file."""

    values: Mapping[str, Any]
    sha256: str

    @property
    def benchmarks(self) -> list[Any]:
        """The benchmarks in their order."""
        found = self.values.get("benchmarks")
        return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []

    @property
    def version(self) -> int | None:
        """The version of the report; None before 0.5, which did not say."""
        return whole_of(inner(self.values, "metadata", "version"))

    def said(self, benchmark: Any, *keys: str) -> Any:
        """A setting, wherever the version keeps it."""
        places = (
            inner(benchmark, "config", *keys),
            inner(self.values, "config", "spec", *keys),
            inner(self.values, "args", *keys),
            inner(benchmark, "args", *keys),
        )
        return next((value for value in places if value is not None), None)


def state_conditions(point: Point, report: Report, benchmark: Any) -> None:
    """States client, model, load, nominal lengths and warm-up. Raises `RefusedError` for a mock as the server."""
    draft = point.draft
    draft.put("/client/name", "guidellm")
    version = text_of(inner(report.values, "metadata", "guidellm_version"))
    draft.put("/client/version", version if version and is_name(version) else None)
    model = text_of(report.said(benchmark, "backend", "model")) or text_of(
        inner(benchmark, "worker", "backend_model") or report.said(benchmark, "model")
    )
    point.model(model)
    point.slug.append(model if model and is_name(model) else "model not named")
    protocol = text_of(inner(benchmark, "worker", "backend_type")) or text_of(
        report.said(benchmark, "backend", "kind")
    )
    draft.put("/client/protocol", protocol if protocol and is_name(protocol) else None)
    started = inner(benchmark, "start_time") or inner(benchmark, "run_stats", "start_time")
    draft.put("/measured_on", day_of_epoch(started))
    if len(report.benchmarks) > 1:
        draft.put("/sweep_id", f"guidellm-{report.sha256[:10]}")
    _load(point, report.said(benchmark, "strategy"), report.said(benchmark, "profile"))
    _data(point, report, benchmark)
    _warmup(point, report, benchmark)
    streaming = report.said(benchmark, "backend", "stream")
    draft.put("/conditions/streaming", streaming if isinstance(streaming, bool) else None)


def _load(point: Point, strategy: Any, profile: Any) -> None:
    draft, kind = point.draft, text_of(inner(strategy, "type_")) or text_of(inner(strategy, "kind"))
    rate, streams = number_of(inner(strategy, "rate")), whole_of(inner(strategy, "streams"))
    if inner(strategy, "rampup_duration") is not None and kind in ("constant", "poisson"):
        ramp = number_of(inner(strategy, "rampup_duration"))
        if ramp is not None and ramp.value > 0:
            draft.put("/conditions/scenario_note", f"the rate was raised over the first {ramp.value:g} s")
    point.slug.append(kind or "strategy not named")
    if kind == "synchronous":
        draft.put("/conditions/concurrency", 1)
        draft.put("/conditions/scenario", "single_stream")
    elif kind == "concurrent" and streams:
        draft.put("/conditions/concurrency", streams)
        draft.put("/conditions/scenario", "closed_loop")
        point.slug.append(str(streams))
    elif kind == "throughput":
        draft.put("/conditions/request_rate", "inf")
        draft.put("/conditions/scenario", "burst")
        draft.put("/conditions/concurrency_cap", whole_of(inner(profile, "max_concurrency")) or None)
    elif kind in ("constant", "poisson", "async") and rate is not None and rate.value > 0:
        draft.put("/conditions/request_rate", rate)
        draft.put("/conditions/scenario", "open_loop")
        if kind == "poisson":
            draft.put("/conditions/burstiness", 1)
        point.slug.append(f"{rate.value} req/s")
    else:
        point.lack("load", None, "the strategy of the benchmark with its rate or its streams")


def _data(point: Point, report: Report, benchmark: Any) -> None:
    said = inner(benchmark, "request_loader", "data") or report.said(benchmark, "data")
    items = said if isinstance(said, list) else [said]
    if len(items) != 1:
        return
    data = items[0]
    if text := text_of(data):
        data = {key: Digits(value) for key, value in _SETTING.findall(text)}
        if not data and is_name(text):
            point.draft.put("/conditions/dataset", text)
    draft = point.draft
    if whole_of(inner(data, "prompt_tokens")) is None and whole_of(inner(data, "output_tokens")) is None:
        return
    shares = inner(data, "prefix_buckets") or whole_of(inner(data, "prefix_tokens"))
    draft.put("/conditions/dataset_kind", "shared_prefix" if shares else "synthetic")
    for side, name in (("input", "prompt"), ("output", "output")):
        draft.put(f"/conditions/{side}_length/nominal", whole_of(inner(data, f"{name}_tokens")))
        spread = number_of(inner(data, f"{name}_tokens_stdev"))
        if spread is not None and spread.value > 0:
            draft.put(f"/conditions/{side}_length/kind", "mean")
            draft.put(
                f"/conditions/{side}_length/distribution",
                f"asked for with a standard deviation of {spread.value}",
            )


def _warmup(point: Point, report: Report, benchmark: Any) -> None:
    draft, args, place = point.draft, inner(benchmark, "args"), "/conditions/warmup"
    if isinstance(args, dict) and {"warmup_number", "warmup_duration"} <= set(args):
        number, seconds = whole_of(args["warmup_number"]), number_of(args["warmup_duration"])
        draft.put(f"{place}/handling", "excluded" if number or (seconds and seconds.value) else "none")
        draft.put(f"{place}/requests", number or None)
        draft.put(f"{place}/seconds", seconds)
        return
    holder = next(
        (
            held
            for held in (inner(benchmark, "config"), report.values.get("args"), args)
            if _has(held, "warmup")
        ),
        None,
    )
    if holder is None:
        return
    warmup = holder["warmup"]
    share = number_of(inner(warmup, "percent")) or number_of(inner(warmup, "value")) or number_of(warmup)
    if isinstance(warmup, str) and share is None and warmup:
        raise RefusedError("the warm-up setting is text that says nothing")
    draft.put(f"{place}/handling", "excluded" if share is not None and share.value else "none")
    seconds = number_of(inner(benchmark, "warmup_duration"))
    draft.put(f"{place}/seconds", seconds if seconds is not None and seconds.value else None)


def _has(held: Any, key: str) -> bool:
    return isinstance(held, dict) and key in held
