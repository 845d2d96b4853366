"""What AIPerf and GenAI-Perf say of a run: `{tag: {unit, avg, p50, p99, min, max, std}}`, the same tags in both.

The unit of every figure is read and never assumed. `inter_token_latency` is (latency - TTFT) / (tokens - 1) of a
request, which is TPOT here; `inter_chunk_latency` has the gaps between stream events. A rate of the whole system has an
`avg` alone, and it is no statistic.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from tools.importers.printed import Printed
from tools.importers.programs.nested import add_block, add_lengths, hold, skip_below, text_of
from tools.importers.programs.point import Point, RefusedError
from tools.importers.programs.spelling import is_name
from tools.importers.tree import Tree
from tools.schema.spelling import quoted
from tools.schema.vocabulary import convert

_UNITS = {
    "ms": "ms",
    "s": "s",
    "sec": "s",
    "us": "us",
    "ns": "ns",
    "requests/sec": "req/s",
    "tokens/sec": "tok/s",
    "tokens/sec/user": "tok/s",
    "tokens": "tokens",
    "requests": "requests",
    "ratio": "tok/step",
    "percent": "percent",
    "%": "percent",
}
_SYSTEM = {
    "request_throughput": "requests_per_s",
    "output_token_throughput": "tps_aggregate",
    "total_token_throughput": "total_tok_s",
    "goodput": "goodput_requests_per_s",
    "spec_decode_acceptance_length": "acceptance_length",
    "spec_decode_draft_acceptance_rate": "acceptance_rate",
}
_OF_REQUESTS = {
    "time_to_first_token": "ttft_ms",
    "time_to_second_token": "ttst_ms",
    "inter_token_latency": "tpot_ms",
    "inter_chunk_latency": "inter_chunk_ms",
    "request_latency": "e2e_latency_ms",
    "output_token_throughput_per_user": "tok_s_per_user",
    "output_token_throughput_per_request": "tok_s_per_user_e2e",
    "e2e_output_token_throughput": "tok_s_per_user_e2e",
}
_LENGTHS = {"input": "input_sequence_length", "output": "output_sequence_length"}
_NOT_FIGURES = (
    # Nanoseconds since 1970 in a float: too coarse for a duration.
    "min_request_timestamp",
    "max_response_timestamp",
    "good_request_count",
    "output_token_count",
    "reasoning_token_count",
    "total_output_tokens",
    "error_isl",
    "total_error_isl",
    "time_to_first_output_token",
    # Prompt tokens over TTFT of a request, queue included: the rate of no system.
    "prefill_throughput",
    "prefill_throughput_per_user",
)
_WORDS = {"count": "", "sum": ""}


def add_metrics(point: Point, accept_failures: bool, **more_of_tpot: Tree) -> None:
    """States counts, rates, latencies and lengths. Raises `RefusedError` for a run without an answer."""
    counts = _counts(point, accept_failures)
    means: dict[str, Printed | None] = {}
    for tag, metric in _SYSTEM.items():
        point.take(f"{tag}.unit")
        if f"{tag}.avg" in point.values:
            means[tag] = point.result(metric, f"{tag}.avg", _unit(point, tag), said=_said(point, tag))
    for tag, metric in _OF_REQUESTS.items():
        if f"{tag}.avg" in point.values:
            more = more_of_tpot if metric == "tpot_ms" else {}
            means[tag] = add_block(
                point, metric, tag, _unit(point, tag), _WORDS, said=_said(point, tag), **more
            )
    for side, tag in _LENGTHS.items():
        if f"{tag}.avg" in point.values:
            if _unit(point, tag) != "tokens":
                raise RefusedError(f"{tag} is in {_said(point, tag)} and not in tokens")
            means[tag] = add_lengths(point, side, tag, _WORDS)
    _hold(means, counts)
    missed = point.number("osl_mismatch_count.avg")
    if missed is not None and missed.value:
        point.draft.remark("some answers do not have the length that was asked for")
    skip_below(point, *_NOT_FIGURES, *_SYSTEM, *_OF_REQUESTS, *_LENGTHS.values(), "osl_mismatch_count")


def _counts(point: Point, accept_failures: bool) -> Mapping[str, Fraction | None]:
    done, failed = point.count("request_count.avg"), point.count("error_request_count.avg")
    point.require_completed(done, None if done is None else done + (failed or 0), accept_failures)
    draft = point.draft
    draft.count("completed", done)
    draft.count("failed", failed)
    if done is not None and failed is not None:
        draft.count("requests", done + failed)
    tokens = {side: point.count(f"total_{key}.avg") for side, key in (("input", "isl"), ("output", "osl"))}
    for side, number in tokens.items():
        draft.count(f"{side}_tokens", number)
    draft.count("reasoning_tokens", point.count("total_reasoning_tokens.avg"))
    duration = point.number("benchmark_duration.avg")
    seconds = None
    if duration is not None and duration.value > 0:
        unit = _unit(point, "benchmark_duration")
        seconds = duration.exact if unit == "s" else Fraction(convert(duration.exact, unit, "s"))
        draft.count("duration_s", duration if unit == "s" else convert(duration.exact, unit, "s"))
    skip_below(
        point,
        "request_count",
        "error_request_count",
        "total_isl",
        "total_osl",
        "total_reasoning_tokens",
        "benchmark_duration",
    )
    return {
        "requests": None if done is None else Fraction(done),
        **{side: None if number is None else Fraction(number) for side, number in tokens.items()},
        "seconds": seconds,
    }


def _hold(means: Mapping[str, Printed | None], counts: Mapping[str, Fraction | None]) -> None:
    """Rates and means have to be what the counts make them, and the first token cannot come after the last."""
    done, sent, got, seconds = (counts[key] for key in ("requests", "input", "output", "seconds"))
    if seconds:
        hold("request_throughput", means.get("request_throughput"), done / seconds if done else None)
        hold("output_token_throughput", means.get("output_token_throughput"), got / seconds if got else None)
        total = (sent + got) / seconds if sent and got else None
        hold("total_token_throughput", means.get("total_token_throughput"), total)
    if done:
        hold("input_sequence_length", means.get("input_sequence_length"), sent / done if sent else None)
        hold("output_sequence_length", means.get("output_sequence_length"), got / done if got else None)
    first, whole = means.get("time_to_first_token"), means.get("request_latency")
    if first is not None and whole is not None and first.exact > whole.exact:
        raise RefusedError(
            "the mean time to the first token is above the mean latency: the file contradicts itself"
        )


def _unit(point: Point, tag: str) -> str:
    """The unit of a tag as the vocabulary has it. Raises `RefusedError` for one that is not known, or not there."""
    said = _said(point, tag)
    if said not in _UNITS:
        if not said:
            raise RefusedError(f"{tag} has no unit")
        told = f"the unit {quoted(said)}" if is_name(said) else "a unit"
        raise RefusedError(f"{tag} has {told}, which is not known")
    return _UNITS[said]


def _said(point: Point, tag: str) -> str | None:
    return text_of(point.take(f"{tag}.unit"))
