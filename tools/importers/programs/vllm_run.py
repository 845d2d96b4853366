"""What vLLM's serving benchmark says of a run, as JSON or on the console: the same figures under the same names.

The definitions are those of the benchmark's source: a rate is a count over the duration from the first send to the last
response; TPOT is (latency - TTFT) / (output tokens - 1) of a request; what it calls ITL is the gap between stream
events, whatever number of tokens they carry; the acceptance rate is in per cent, the rates by position are shares.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tools.importers.draft import named
from tools.importers.printed import Printed
from tools.importers.programs.content import Digits, NonFinite
from tools.importers.programs.format import Reading
from tools.importers.programs.point import Point, RefusedError, agrees, mean_of
from tools.importers.programs.rounding import half_unit
from tools.importers.programs.spelling import is_name
from tools.importers.programs.statistics import add_figures

CLIENT = "vllm-bench-serve"

LACKS = {
    "model": "the published name of the model that the server had loaded",
    "hardware": "the accelerators of the server and their number: the client does not see them",
    "engine_version": "the version of the server; `backend` is the protocol of the client",
    "warmup": "what the program printed in the same run, with its line Namespace(...): --log FILE",
}

_RATES = {
    "request_throughput": ("requests_per_s", "req/s"),
    "request_inthroughput": ("requests_per_s", "req/s"),
    "request_goodput": ("goodput_requests_per_s", "req/s"),
    "request_goodput:": ("goodput_requests_per_s", "req/s"),
    "output_throughput": ("tps_aggregate", "tok/s"),
    "input_throughput": ("input_tok_s", "tok/s"),
    "total_token_throughput": ("total_tok_s", "tok/s"),
}
_WITHIN = frozenset({"ttft_ms", "tpot_ms", "itl_ms", "inter_chunk_ms", "e2e_latency_ms"})
_NOT_FIGURES = (
    # Chunks in one second, requests that touch one second: neither is a rate or a load of the run.
    "max_output_tokens_per_s",
    "rtfx",
    "label",
    "best_of",
    "ramp_up_strategy",
    "ramp_up_start_rps",
    "ramp_up_end_rps",
    "benchmark_start_time_unix",
    "benchmark_end_time_unix",
)


def read_run(point: Point, reading: Reading) -> None:
    """States everything that a run has. Raises `RefusedError` for what is no operating point."""
    draft = point.draft
    if point.take("ramp_up_strategy"):
        raise RefusedError("the rate was raised during the run, which is no single operating point")
    completed, requests, failed = point.count("completed"), point.count("num_prompts"), point.count("failed")
    if requests is None and completed is not None and failed is not None:
        requests = completed + failed
    point.require_completed(completed, requests, reading.accept_failures)
    point.skip(*_NOT_FIGURES)
    counted = {"requests": requests, "completed": completed, "failed": failed}
    counted |= {side: point.count(f"total_{side}") for side in ("input_tokens", "output_tokens")}
    for name, value in counted.items():
        draft.count(name, value)
    duration = point.number("duration")
    if duration is not None and duration.value > 0:
        draft.count("duration_s", duration)
    _lengths(point, completed)
    _client(point)
    state_load(point, requests)
    for key, (metric, unit) in _RATES.items():
        point.result(metric, key, unit)
    _latencies(point)
    _speculation(point)
    hold_within(point, duration)


def hold_within(point: Point, duration: Printed | None) -> None:
    """Raises `RefusedError` for a time of a request that is longer than the run, from first send to last response."""
    if duration is None or duration.value <= 0:
        return
    longest = (duration.exact + half_unit(duration)) * 1000
    for result in point.draft.results:
        value = result["value"]
        if (
            result["metric"] not in _WITHIN
            or result.get("statistic") == "std"
            or not isinstance(value, Printed)
        ):
            continue
        if value.exact - half_unit(value) > longest * (1 + Fraction(1, 10**6)):
            raise RefusedError(
                f"{named(result)} is {value.value:g} ms, longer than the whole run of {duration.value:g} s: the file "
                "contradicts itself"
            )


def _lengths(point: Point, completed: int | None) -> None:
    for side in ("input", "output"):
        tokens = point.count(f"total_{side}_tokens")
        if tokens == 0:
            raise RefusedError(
                f"total_{side}_tokens is 0 although requests were completed: nobody counted them"
            )
        if tokens and completed:
            point.draft.put(f"/conditions/{side}_length/mean", mean_of(tokens, completed))


def _client(point: Point) -> None:
    draft = point.draft
    name = point.text("model_id")
    point.model(name)
    point.slug.append(name if name and is_name(name) else "model not named")
    draft.put("/client/name", CLIENT)
    protocol = point.text("endpoint_type") or point.text("backend")
    point.skip("backend", "endpoint_type")
    draft.put("/client/protocol", protocol if protocol and is_name(protocol) else None)
    tokenizer = point.text("tokenizer_id")
    draft.put("/client/tokenizer", tokenizer if tokenizer and is_name(tokenizer) else None)
    point.day(point.text("date"))


def state_load(point: Point, requests: int | None) -> None:
    """The offered rate, the cap of the client, and the arrival pattern that the two make together."""
    draft = point.draft
    offered = point.take("request_rate")
    rate = point.number("request_rate")
    is_infinite = isinstance(offered, NonFinite) or str(offered).lower() in ("inf", "infinity")
    cap = point.count("max_concurrency")
    draft.put("/conditions/concurrency_cap", cap or None)
    peak = point.count("max_concurrent_requests")
    draft.put("/conditions/peak_concurrency", peak or None)
    burstiness = point.number("burstiness")
    if is_infinite:
        draft.put("/conditions/request_rate", "inf")
        is_held = cap is not None and requests is not None and cap < requests
        draft.put("/conditions/scenario", "closed_loop" if is_held else "burst")
        point.slug.append(f"cap {cap}" if cap else "all at once")
    elif rate is not None and rate.value > 0:
        draft.put("/conditions/request_rate", rate)
        draft.put("/conditions/burstiness", burstiness)
        if cap is None or (requests is not None and cap >= requests):
            draft.put("/conditions/scenario", "open_loop")
        else:
            draft.put("/conditions/scenario", "other")
            draft.put("/conditions/scenario_note", f"sent at a rate, with at most {cap} requests in flight")
        point.slug.append(f"{rate.value} req/s" + (f" cap {cap}" if cap else ""))
    else:
        point.lack("load", None, "the rate at which requests were sent, and the cap of the client")
        point.lack("scenario", None, "the rate at which requests were sent, and the cap of the client")


def _latencies(point: Point) -> None:
    is_old = "burstiness" not in point.values
    gaps: dict[str, Any] = {}
    if is_old:
        gaps["note"] = (
            "The file does not tell the version of the client; before the middle of 2024 the time to the first "
            "token was among the gaps."
        )
    add_figures(point, "ttft_ms", "ttft", "_ms", "ms")
    add_figures(point, "tpot_ms", "tpot", "_ms", "ms")
    add_figures(point, "inter_chunk_ms", "itl", "_ms", "ms", **gaps)
    if is_old and {"mean_e2el_ms", "median_e2el_ms"} & set(point.values):
        # The client of 0.6.3 wrote the one under the name of the other; no member tells the version.
        point.skip("mean_e2el_ms", "median_e2el_ms")
        point.draft.remark("mean and median of e2el are left out: clients of that age exchanged them")
        _but_swapped(point)
        return
    add_figures(point, "e2e_latency_ms", "e2el", "_ms", "ms")


def _but_swapped(point: Point) -> None:
    kept = {
        key: value for key, value in point.values.items() if key not in ("mean_e2el_ms", "median_e2el_ms")
    }
    point.values, whole = kept, point.values
    add_figures(point, "e2e_latency_ms", "e2el", "_ms", "ms")
    point.values = whole


def _speculation(point: Point) -> None:
    names = {"drafts": "num_drafts", "draft_tokens": "draft_tokens", "accepted_tokens": "accepted_tokens"}
    counts = {ours: point.count(f"spec_decode_{theirs}") for ours, theirs in names.items()}
    for name, count in counts.items():
        point.draft.count(name, count)
    drafts, proposed, accepted = counts.values()
    rate = point.result("acceptance_rate", "spec_decode_acceptance_rate", "percent")
    length = point.result("acceptance_length", "spec_decode_acceptance_length", "tok/step")
    if accepted is not None:
        _hold("spec_decode_acceptance_rate", rate, Fraction(100 * accepted, proposed) if proposed else None)
        _hold("spec_decode_acceptance_length", length, 1 + Fraction(accepted, drafts) if drafts else None)
    shares = point.take("spec_decode_per_position_acceptance_rates")
    for position, share in enumerate(shares if isinstance(shares, list) else (), 1):
        number = share.number if isinstance(share, Digits) else None
        if number is None or not 0 <= number.value <= 1:
            raise RefusedError("spec_decode_per_position_acceptance_rates has an item that is no share")
        key = f"spec_decode_per_position_acceptance_rates[{position - 1}]"
        point.add("acceptance_rate_unconditional", number, "fraction", key=key, position=position)
    if rate is not None or length is not None:
        point.draft.remark(
            "tokens were drafted; which technique did it is not in the file: --set /technique/kind=..."
        )


def _hold(key: str, said: Printed | None, computed: Fraction | None) -> None:
    if said is not None and computed is not None and not agrees(said, computed):
        raise RefusedError(
            f"{key} is {said.value}, but its counts give {float(computed):g}: the file contradicts itself"
        )
