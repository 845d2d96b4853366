"""inference-perf `stage_N_lifecycle_metrics.json`: one stage, which is one level of load.

    {"load_summary": {"count": 5531, "requested_rate": 92.19, "achieved_rate": 92.2},
     "successes": {"count": 5531, "latency": {"request_latency": {"mean": 1.02, "p99": 1.38}},
                   "throughput": {"output_tokens_per_sec": 5693.9}, "prompt_len": {...}}, "failures": {"count": 0}}

Latencies are in seconds. The summary of a run (`summary_lifecycle_metrics.json`) mixes its stages, and the file of the
server's own metrics has the same names one level higher with other lengths: both are refused. Up to April 2026 the
time per token was taken per stream event, which the latency shows. Model, engine and
hardware are in the `config.yaml` of the run alone.
"""

from __future__ import annotations

from fractions import Fraction

from tools.importers.printed import Printed
from tools.importers.programs.content import Content
from tools.importers.programs.format import Format, Reading
from tools.importers.programs.nested import (
    add_block,
    add_lengths,
    flat,
    hold,
    inner,
    rounded,
    skip_below,
    tell_unread,
)
from tools.importers.programs.point import Point, RefusedError, agrees

LACKS = {
    "model": "the config.yaml of the run: --set model=NAME",
    "hardware": "the accelerators of the server and their number",
    "engine_version": "the version of the server, which the client does not ask for",
    "warmup": "what was sent before the stage; the stages of one run follow each other",
    "scenario": "the load section of the run's config.yaml: --set scenario=open_loop",
}
_WORDS = {"p99.9": "p99.9", "p0.1": ""}
_LATENCIES = {
    "request_latency": ("e2e_latency_ms", "s"),
    "time_to_first_token": ("ttft_ms", "s"),
    "normalized_time_per_output_token": ("normalized_latency_ms_per_token", "s/tok"),
}
_AT = "successes.latency"
_RATES = {
    "requests_per_sec": ("requests_per_s", "req/s"),
    "output_tokens_per_sec": ("tps_aggregate", "tok/s"),
    "input_tokens_per_sec": ("input_tok_s", "tok/s"),
    "total_tokens_per_sec": ("total_tok_s", "tok/s"),
}
_TOGETHER = Fraction(1, 10)
_HELD = Fraction(5, 100)
"""Share by which the client may miss the rate that it was asked for; below, the rate sent is the load."""


def recognise(content: Content) -> str | None:
    """The reason: latencies and lengths of the requests that succeeded."""
    done = inner(content.only, "successes")
    if isinstance(inner(done, "latency", "request_latency"), dict):
        return "it has successes with latency and throughput, and a load_summary"
    if isinstance(inner(done, "request_latency"), dict) and isinstance(inner(done, "throughput"), dict):
        return "it has successes as inference-perf writes them of the server's own metrics"
    return None


def read(reading: Reading) -> list[Point]:
    """The stage."""
    return reading.each(lambda point: _read(point, reading), [("", flat(reading.content.only or {}))])


def _read(point: Point, reading: Reading) -> None:
    only = reading.content.only
    if not isinstance(inner(only, "successes", "latency"), dict):
        raise RefusedError(
            "these are the server's own metrics, which count other requests: import the client's file"
        )
    asked, sent = point.number("load_summary.requested_rate"), point.number("load_summary.achieved_rate")
    in_flight = point.count("load_summary.concurrency") or None
    if asked is None and sent is None and in_flight is None:
        raise RefusedError("this summary mixes stages of different load: import the stages")
    done, failed = point.count("successes.count"), point.count("failures.count")
    requests = point.count("load_summary.count")
    if done is not None and failed is not None and requests is None:
        requests = done + failed
    point.require_completed(done, requests, reading.accept_failures)
    draft = point.draft
    for name, value in (("requests", requests), ("completed", done), ("failed", failed)):
        draft.count(name, value)
    draft.put("/client/name", "inference-perf")
    draft.put("/conditions/concurrency", in_flight)
    if asked is not None and asked.value > 0:
        is_short = sent is not None and abs(sent.exact - asked.exact) > asked.exact * _HELD
        draft.put("/conditions/request_rate", sent if is_short else asked)
        if is_short and sent is not None:
            note = f"{asked.value:g} requests per second were asked for; the client sent {sent.value:g}"
            draft.put("/conditions/scenario_note", note)
            draft.remark(note)
        point.slug.append(f"{asked.value} req/s")
    _figures(point)
    skip_below(point, "load_summary", "failures")
    tell_unread(point)


def _figures(point: Point) -> None:
    lengths = {}
    for side, name in (("input", "prompt"), ("output", "output")):
        word = "len" if f"successes.{name}_len.mean" in point.values else "tokens"
        lengths[side] = add_lengths(point, side, f"successes.{name}_{word}", _WORDS)
    for name, (metric, unit) in _LATENCIES.items():
        add_block(point, metric, f"{_AT}.{name}", unit, _WORDS, said="s")
    _gaps(point, lengths["output"])
    rates = {
        name: point.result(metric, f"successes.throughput.{name}", unit)
        for name, (metric, unit) in _RATES.items()
    }
    requests, sent, got = (
        rates["requests_per_sec"],
        rates["input_tokens_per_sec"],
        rates["output_tokens_per_sec"],
    )
    for side, rate in (("input", sent), ("output", got)):
        length = lengths[side]
        if requests is not None and length is not None:
            hold(f"{side}_tokens_per_sec", rate, requests.exact * length.exact, 1e-4)
    if sent is not None and got is not None:
        hold("total_tokens_per_sec", rates["total_tokens_per_sec"], sent.exact + got.exact, 1e-4)


def _gaps(point: Point, length: Printed | None) -> None:
    """Time per token and the gaps, which older releases took per stream event: the latency tells which.

    TTFT + TPOT x (tokens - 1) of the means is the mean latency, up to how length and speed go together.
    """
    first, whole, per_token = (
        point.number(f"{_AT}.{name}.mean")
        for name in ("time_to_first_token", "request_latency", "time_per_output_token")
    )
    gap = f"{_AT}.inter_token_latency"
    if first is not None and whole is not None and per_token is not None and length is not None:
        computed = first.exact + per_token.exact * (length.exact - 1)
        if not agrees(whole, computed, float(_TOGETHER)):
            point.draft.remark(
                f"time_per_output_token of {per_token.value:g} s and its tokens make a latency of "
                f"{rounded(computed).value:g} s, where the file has {whole.value:g}: the client counted stream events, "
                "so that the figure is left out and the gaps are those of events"
            )
            skip_below(point, f"{_AT}.time_per_output_token")
            add_block(point, "inter_chunk_ms", gap, "s", _WORDS, said="s")
            return
    add_block(point, "tpot_ms", f"{_AT}.time_per_output_token", "s", _WORDS, said="s")
    add_block(point, "itl_ms", gap, "s", _WORDS, said="s", definition_variant="per_token_zero_fill")


FORMAT = Format(
    "inference-perf", "successes with latency and throughput beside a load_summary", recognise, read, LACKS
)
