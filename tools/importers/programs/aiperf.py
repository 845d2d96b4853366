"""AIPerf `profile_export_aiperf.json`.

    {"aiperf_version": "0.10.0", "request_throughput": {"unit": "requests/sec", "avg": 3.4},
     "time_to_first_token": {"unit": "ms", "avg": 118.1, "p99": 232.3}, "input_config": {...}, "was_cancelled": false}

The first releases had the metrics under `records`. Newer files have `warmup_metrics` with the same tags inside, so that
tags are read at their own place alone. The figures are those of `perf_metrics`, the settings those of `aiperf_config`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tools.importers.programs.aiperf_config import state_config
from tools.importers.programs.content import Content
from tools.importers.programs.format import Format, Reading
from tools.importers.programs.nested import flat, inner, tell_unread, text_of
from tools.importers.programs.perf_metrics import add_metrics
from tools.importers.programs.point import Point, RefusedError
from tools.importers.programs.spelling import is_name

LACKS = {
    "model": "the published name of the model behind the served name",
    "hardware": "the accelerators of the server and their number: the telemetry of the run, or --set hardware=NAME",
    "engine_version": "the version of the server; `aiperf_version` is that of the client",
    "warmup": "the warm-up requests of the run",
    "load": "the concurrency or the request rate of the run",
    "scenario": "how the requests were timed",
}
_OWN = {"was_cancelled", "aiperf_version", "error_summary", "schema_version"}
_BLOCKS = {
    "input_config",
    "telemetry_data",
    "run_info",
    "warmup_metrics",
    "records",
    "error_summary",
    "server_metrics_data",
}
_TOLD = (
    "schema_version",
    "aiperf_version",
    "benchmark_id",
    "start_time",
    "end_time",
    "was_cancelled",
    "is_complete",
)


def recognise(content: Content) -> str | None:
    """The reason: tagged metrics with units beside `input_config` and members that only AIPerf writes."""
    only = content.only
    if only is None or "input_config" not in only or not _OWN & set(only):
        return None
    metrics = only.get("records") if isinstance(only.get("records"), dict) else only
    if isinstance(inner(metrics, "request_latency", "unit"), str) or isinstance(
        inner(metrics, "request_throughput", "unit"), str
    ):
        return "it has metrics with units beside input_config, and AIPerf's state of the run"
    return None


def read(reading: Reading) -> list[Point]:
    """The run, if it was not broken off."""
    only = reading.content.only or {}
    records = only.get("records")
    metrics: Mapping[str, Any] = {
        **(records if isinstance(records, dict) else {}),
        **{key: value for key, value in only.items() if key not in _BLOCKS},
    }

    def read_one(point: Point) -> None:
        _require_whole(only, reading.accept_failures)
        draft = point.draft
        draft.put("/client/name", "aiperf")
        version = text_of(only.get("aiperf_version"))
        draft.put("/client/version", version if version and is_name(version) else None)
        point.day(text_of(only.get("start_time")))
        point.skip(*_TOLD)
        requests = point.count("request_count.avg")
        state_config(point, only, requests)
        add_metrics(point, reading.accept_failures)
        tell_unread(point)

    return reading.each(read_one, [("", flat(metrics))])


def _require_whole(only: Mapping[str, Any], accept_failures: bool) -> None:
    if only.get("was_cancelled") is True or only.get("is_complete") is False:
        raise RefusedError("the run was cancelled, so that its numbers are those of a part of it")
    told = only.get("error_summary")
    if told and not accept_failures and inner(only, "error_request_count", "avg") is None:
        raise RefusedError("errors are listed and not counted: --accept-failures takes it nevertheless")


FORMAT = Format("aiperf", "metrics with units beside input_config and was_cancelled", recognise, read, LACKS)
