"""GuideLLM reports: several benchmarks in one file, each an operating point of its own.

    {"benchmarks": [{"metrics": {"requests_per_second": {"successful": {"mean": 1.5, "percentiles": {"p99": 1.6}}},
                                 "request_latency": ..., "time_to_first_token_ms": ...}}]}

Only the requests that ended well are read (`successful`): `total` mixes in those that the time limit cut. Of a rate
only the mean is a throughput; its other figures are of instantaneous rates. `request_latency` is in seconds, what has
`_ms` in its name
is not. `inter_token_latency_ms` is (last - first token) / (tokens - 1) of a request, which is TPOT here.
`time_per_output_token_ms` is (last - first token) / tokens before 0.5 and the whole latency / tokens since; reports
before 0.5 have no `metadata`.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tools.importers.printed import Printed
from tools.importers.programs.content import Content
from tools.importers.programs.format import Format, Reading
from tools.importers.programs.guidellm_conditions import Report, state_conditions
from tools.importers.programs.nested import (
    add_block,
    add_lengths,
    flat,
    inner,
    number_of,
    rounded,
    skip_below,
    tell_unread,
    whole_of,
)
from tools.importers.programs.point import Point, RefusedError, agrees

LACKS = {
    "model": "the published name of the model that the server had loaded",
    "hardware": "the accelerators of the server and their number; `platform` is the machine of the client",
    "engine_version": "the version of the server, which the client does not ask for",
    "warmup": "the warm-up settings of the run",
    "input_length": "the lengths of the data set",
    "output_length": "the lengths of the answers",
    "scenario": "the strategy of the benchmark",
}
_WORDS = {
    "median": "p50",
    "std_dev": "std",
    **{f"percentiles.p{digits}": f"p{digits}" for digits in ("10", "25", "50", "75", "90", "95", "99")},
    "percentiles.p01": "p1",
    "percentiles.p05": "p5",
    "percentiles.p001": "",
    "percentiles.p999": "p99.9",
    "mode": "",
    "variance": "",
    "count": "",
    "total_sum": "",
}
_DISTRIBUTIONS = {
    "request_latency": ("e2e_latency_ms", "s"),
    "time_to_first_token_ms": ("ttft_ms", "ms"),
    "inter_token_latency_ms": ("tpot_ms", "ms"),
}
_RATES = {
    "requests_per_second": ("requests_per_s", "req/s"),
    "output_tokens_per_second": ("tps_aggregate", "tok/s"),
    "prompt_tokens_per_second": ("input_tok_s", "tok/s"),
    "tokens_per_second": ("total_tok_s", "tok/s"),
    "request_concurrency": ("concurrency_achieved", "requests"),
}
_WEIGHTED = "(last - first token) / (tokens - 1) of a request; a request counts as often as it has tokens"
_WINDOW = Fraction(5, 100)
"""The client takes each rate over a window of its own; more than this between two of them is another quantity."""


def recognise(content: Content) -> str | None:
    """The reason: benchmarks whose metrics are split by how the requests ended."""
    first = inner(content.only, "benchmarks", 0)
    if isinstance(inner(first, "metrics", "requests_per_second", "successful"), dict):
        return "it has benchmarks with metrics split into successful, errored and incomplete requests"
    if isinstance(inner(first, "benchmarks", 0, "results"), list):
        return "it has benchmarks with a list of results, as GuideLLM 0.1 wrote"
    return None


def read(reading: Reading) -> list[Point]:
    """A point of every benchmark in the report."""
    report = Report(reading.content.only or {}, reading.content.sha256)
    parts = []
    for index, benchmark in enumerate(report.benchmarks, 1):
        # The settings tell two benchmarks apart that measured the same.
        values = flat(_successful(benchmark)) | {"place": f"benchmark {index}"}
        parts.append((f"benchmark {index}" if len(report.benchmarks) > 1 else "", values))
    benchmarks = iter(report.benchmarks)

    def read_one(point: Point) -> None:
        benchmark = next(benchmarks)
        if not isinstance(inner(benchmark, "metrics"), dict):
            raise RefusedError(
                "GuideLLM 0.1 wrote single requests and no totals of the run: read it with 0.2 or later"
            )
        point.skip("place")
        _counts(point, benchmark, reading.accept_failures)
        state_conditions(point, report, benchmark)
        _figures(point, is_old=report.version is None)
        tell_unread(point)

    return reading.each(read_one, parts)


def _successful(benchmark: Any) -> Mapping[str, Any]:
    metrics = inner(benchmark, "metrics")
    found = {}
    for name, metric in (metrics if isinstance(metrics, dict) else {}).items():
        split = inner(metric, "successful")
        if isinstance(split, dict):
            found[name] = split
    return found


def _counts(point: Point, benchmark: Any, accept_failures: bool) -> None:
    totals = inner(benchmark, "request_totals") or inner(benchmark, "metrics", "request_totals")
    done, failed, cut, sent = (
        whole_of(inner(totals, name)) for name in ("successful", "errored", "incomplete", "total")
    )
    if done is None:
        raise RefusedError("it does not say how many requests ended well")
    point.require_completed(done, done + (failed or 0), accept_failures)
    draft = point.draft
    draft.count("completed", done)
    draft.count("failed", failed)
    draft.count("requests", sent)
    if cut:
        draft.remark("requests were still running at the time limit: they are in no figure")
    duration = number_of(inner(benchmark, "duration"))
    if duration is not None and duration.value > 0:
        draft.count("duration_s", duration)
    for side, name in (("input", "prompt"), ("output", "output")):
        draft.count(f"{side}_tokens", whole_of(point.take(f"{name}_token_count.total_sum")))


def _figures(point: Point, *, is_old: bool) -> None:
    lengths = {
        side: add_lengths(point, side, f"{name}_token_count", _WORDS)
        for side, name in (("input", "prompt"), ("output", "output"))
    }
    for path, (metric, unit) in _DISTRIBUTIONS.items():
        more = {"definition": _WEIGHTED} if metric == "tpot_ms" else {}
        add_block(point, metric, path, unit, _WORDS, **more)
    if is_old:
        point.draft.remark(
            "time_per_output_token_ms of reports before 0.5 divides by one token too many: left out"
        )
    else:
        add_block(
            point, "normalized_latency_ms_per_token", "time_per_output_token_ms", "ms/tok", _WORDS, said="ms"
        )
    requests = point.number("requests_per_second.mean")
    per_request = {
        "output_tokens_per_second": lengths["output"],
        "prompt_tokens_per_second": lengths["input"],
        "tokens_per_second": _sum(lengths["input"], lengths["output"]),
    }
    for path, (metric, unit) in _RATES.items():
        key = f"{path}.mean"
        said, tokens = point.number(key), per_request.get(path)
        if said is not None and requests is not None and tokens is not None:
            computed = requests.exact * tokens.exact
            if not agrees(said, computed, float(_WINDOW)):
                point.draft.remark(
                    f"{key} is {said.value:g}, but the requests per second and their tokens make "
                    f"{rounded(computed).value:g}: the file contradicts itself, and the figure is left out"
                )
                continue
        point.result(metric, key, unit)
    skip_below(
        point,
        *_RATES,
        *_DISTRIBUTIONS,
        "prompt_token_count",
        "output_token_count",
        "time_per_output_token_ms",
    )
    skip_below(
        point, "total_token_count", "time_to_first_output_token_ms", "request_streaming_iterations_count"
    )


def _sum(one: Printed | None, other: Printed | None) -> Printed | None:
    return rounded(one.exact + other.exact) if one is not None and other is not None else None


FORMAT = Format(
    "guidellm",
    "benchmarks with metrics split into successful, errored and incomplete requests",
    recognise,
    read,
    LACKS,
)
