"""SGLang `bench_offline_throughput`: all requests given to the engine at once, an object a run.

    {"backend": "engine", "successful_requests": 1000, "total_latency": 50.0, "total_input_tokens": 256000,
     "total_output_tokens": 128000, "request_throughput": 20.0, "input_throughput": 5120.0, "output_throughput": 2560.0,
     "total_throughput": 7680.0, "last_gen_throughput": 2600.0}

`backend` says whether the engine ran in the process or behind its server, and `last_gen_throughput` is a gauge at the
end of the run. -1 stands for what was not set: a run that broke off has it in the place of its time.
"""

from __future__ import annotations

from fractions import Fraction

from tools.importers.programs.content import Content
from tools.importers.programs.format import Format, Reading
from tools.importers.programs.nested import hold
from tools.importers.programs.point import Point, RefusedError, mean_of

_NEEDED = {
    "successful_requests",
    "total_latency",
    "total_input_tokens",
    "total_output_tokens",
    "total_throughput",
}
_RATES = {
    "request_throughput": ("requests_per_s", "req/s"),
    "input_throughput": ("input_tok_s", "tok/s"),
    "output_throughput": ("tps_aggregate", "tok/s"),
    "total_throughput": ("total_tok_s", "tok/s"),
}


def recognise(content: Content) -> str | None:
    """The reason: successful_requests and total_latency beside the tokens of both kinds."""
    fits = content.keys >= _NEEDED
    return "its objects have successful_requests, total_latency and the token totals" if fits else None


def read(reading: Reading) -> list[Point]:
    """A point of every run."""
    return reading.each(_read_run, ((part.place, part.values) for part in reading.content.parts))


def _read_run(point: Point) -> None:
    draft = point.draft
    requests, seconds = point.count("successful_requests"), point.number("total_latency")
    point.require_completed(requests, requests, accept_failures=False)
    if not requests or seconds is None or seconds.value <= 0:
        raise RefusedError("no request or no time: the run did not end")
    point.skip("backend", "last_gen_throughput")
    draft.put("/client/name", "sglang-bench-offline-throughput")
    # The program is part of the engine and runs no other.
    point.engine("sglang")
    draft.put("/conditions/scenario", "offline")
    draft.count("completed", requests)
    draft.count("duration_s", seconds)
    counted = {"request": requests}
    for side in ("input", "output"):
        tokens = point.count(f"total_{side}_tokens")
        if not tokens:
            raise RefusedError(f"total_{side}_tokens counts nothing although requests were completed")
        counted[side] = tokens
        draft.count(f"{side}_tokens", tokens)
        draft.put(f"/conditions/{side}_length/mean", mean_of(tokens, requests))
    counted["total"] = counted["input"] + counted["output"]
    for key, (metric, unit) in _RATES.items():
        computed = Fraction(counted[key.partition("_")[0]]) / seconds.exact
        said = point.result(metric, key, unit)
        hold(key, said, computed)
    point.slug.append(f"{requests} requests")


FORMAT = Format(
    "sglang-offline-throughput",
    "successful_requests, total_latency, the token totals and total_throughput in every object",
    recognise,
    read,
    {
        "model": "the command line of the run: the output names no model",
        "hardware": "the accelerators of the run and their number",
        "load": "the command line of the run: how many sequences ran at once is set by the engine",
        "engine_version": "the version of SGLang",
        "warmup": "the command line of the run (--skip-warmup)",
    },
)
