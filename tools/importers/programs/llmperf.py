"""LLMPerf `*_summary.json`: one run against one endpoint.

    {"version": "2023-08-31", "model": "owner/model", "num_concurrent_requests": 5, "mean_input_tokens": 550,
     "results_ttft_s_quantiles_p50": 0.2, "results_ttft_s_mean": 0.23, "results_number_input_tokens_min": "550"}

Latencies are in seconds. `inter_token_latency` is the whole latency over the tokens, TTFT included: it is filed as
normalized latency, never as ITL or TPOT. All tokens are counted with one Llama tokenizer, whatever the model.
`version` is that of the format. The speed of a request counted stream events in old releases; what the tokens and the
latency do not bear out is left out. Hosted endpoints name neither hardware nor version.
"""

from __future__ import annotations

from fractions import Fraction

from tools.importers.draft import Original
from tools.importers.printed import Printed
from tools.importers.programs.content import Content
from tools.importers.programs.format import Format, Reading
from tools.importers.programs.nested import day_of_epoch, hold, rounded
from tools.importers.programs.point import Point, RefusedError
from tools.importers.programs.spelling import is_name

LACKS = {
    "model": "the published name of the model behind the endpoint's name",
    "hardware": "the accelerators of the endpoint, which a hosted one does not show",
    "engine_version": "the engine and version behind the endpoint, which a hosted one does not show",
    "warmup": "what was sent before the run, and whether the endpoint was warm",
    "scenario": "how the client was started: --set scenario=closed_loop",
}
_WORDS = {
    **{f"quantiles_{name}": name for name in ("p25", "p50", "p75", "p90", "p95", "p99")},
    "mean": "mean",
    "min": "min",
    "max": "max",
    "stddev": "std",
}
_LATENCIES = {
    "ttft_s": ("ttft_ms", "s"),
    "end_to_end_latency_s": ("e2e_latency_ms", "s"),
    "inter_token_latency_s": ("normalized_latency_ms_per_token", "s/tok"),
}
_SPEED = "request_output_throughput_token_per_s"
_LENGTHS = ("mean", "p50", "min", "max", "std")
_TOKENIZER = "one Llama tokenizer for every model"
_PER_MINUTE = "results_num_completed_requests_per_min"
_MINUTE = 60
_HELD = Fraction(7, 10)
"""Share of the set concurrency below which ramp and drain of a run no longer explain the difference."""
_SAME = Fraction(1, 4)
"""The mean of quotients is not the quotient of means; further apart than this, two things were counted."""


def recognise(content: Content) -> str | None:
    """The reason: the flat names of the results and the number of concurrent requests."""
    only = content.only
    if only is not None and {"num_concurrent_requests", "results_ttft_s_mean"} <= set(only):
        return "it has num_concurrent_requests and results_ttft_s_..."
    return None


def read(reading: Reading) -> list[Point]:
    """The run."""
    return reading.each(lambda point: _read(point, reading), [("", reading.content.only or {})])


def _read(point: Point, reading: Reading) -> None:
    draft = point.draft
    done, started = point.count("results_num_completed_requests"), point.count("results_num_requests_started")
    point.require_completed(done, started, reading.accept_failures)
    errors = point.count("results_number_errors")
    for counted, value in (("requests", started), ("completed", done), ("failed", errors)):
        draft.count(counted, value)
    name = point.text("model")
    point.model(name)
    point.slug.append(name if name and is_name(name) else "model not named")
    draft.put("/client/name", "llmperf")
    draft.put("/measured_on", day_of_epoch(point.take("timestamp")))
    draft.put("/methodology", f"Tokens were counted by the client with {_TOKENIZER}.")
    _load(point)
    for key, (metric, unit) in _LATENCIES.items():
        for word, statistic in _WORDS.items():
            point.result(metric, f"results_{key}_{word}", unit, statistic=statistic, said="s")
    lengths = {side: _lengths(point, side) for side in ("input", "output")}
    _speed(point, lengths["output"])
    _rates(point, done, lengths["output"])
    if errors:
        point.result("error_rate", "results_error_rate", "fraction")
    # Counts of errors by their text, an address, and names that repeat others.
    point.skip(
        "results_error_rate",
        "results_error_code_frequency",
        "version",
        "name",
        "api",
        "framework",
        "model_size",
    )


def _load(point: Point) -> None:
    """The requests in flight; the client starts new ones in rounds, so that they may be fewer than it was set to."""
    most, latency = point.count("num_concurrent_requests"), point.number("results_end_to_end_latency_s_mean")
    per_minute = point.number(_PER_MINUTE)
    if not most:
        return
    point.slug.append(f"concurrency {most}")
    if latency is not None and per_minute is not None:
        held = per_minute.exact / _MINUTE * latency.exact
        if 0 < held < most * _HELD:
            point.draft.put("/conditions/concurrency", rounded(held))
            point.draft.put("/conditions/concurrency_cap", most)
            in_flight = f"{rounded(held).value:.3g} in flight are request rate times latency"
            note = f"at most {most} requests at a time; {in_flight}"
            point.draft.put("/conditions/scenario_note", note)
            return
    point.draft.put("/conditions/concurrency", most)


def _lengths(point: Point, side: str) -> Printed | None:
    draft, place = point.draft, f"/conditions/{side}_length"
    asked, spread = point.number(f"mean_{side}_tokens"), point.number(f"stddev_{side}_tokens")
    if asked is not None and asked.value == int(asked.value) >= 0:
        draft.put(f"{place}/nominal", int(asked.value))
        draft.put(f"{place}/kind", "mean" if spread is not None and spread.value > 0 else None)
    mean = None
    for word, statistic in _WORDS.items():
        key = f"results_number_{side}_tokens_{word}"
        number = point.number(key)
        if number is None or number.value < 0:
            continue
        if statistic in _LENGTHS:
            draft.put(f"{place}/{statistic}", number)
            mean = number if statistic == "mean" else mean
        else:
            point.add(f"{side}_length_tokens", number, "tokens", key=key, statistic=statistic)
    if mean is not None and mean.value == 0:
        raise RefusedError(f"the mean of the {side} tokens is 0 although requests were completed")
    return mean


def _speed(point: Point, tokens: Printed | None) -> None:
    said, latency = point.number(f"results_{_SPEED}_mean"), point.number("results_end_to_end_latency_s_mean")
    if said is not None and tokens is not None and latency is not None and latency.value > 0:
        computed = tokens.exact / latency.exact
        if abs(said.exact - computed) > computed * _SAME:
            point.skip(*(f"results_{_SPEED}_{word}" for word in _WORDS))
            point.draft.remark(
                f"results_{_SPEED} has a mean of {said.value:g}, where tokens over latency give "
                f"{rounded(computed).value:g}: the release counted stream events, and the figures are left out"
            )
            return
    for word, statistic in _WORDS.items():
        point.result("tok_s_per_user_e2e", f"results_{_SPEED}_{word}", "tok/s", statistic=statistic)


def _rates(point: Point, done: int | None, tokens: Printed | None) -> None:
    key, per_minute = _PER_MINUTE, point.number(_PER_MINUTE)
    output = point.result("tps_aggregate", "results_mean_output_throughput_token_per_s", "tok/s")
    if per_minute is None or per_minute.value <= 0:
        return
    if tokens is not None:
        computed = tokens.exact * per_minute.exact / _MINUTE
        hold("results_mean_output_throughput_token_per_s", output, computed, 1e-4)
    point.draft.add_result(
        "requests_per_s",
        rounded(per_minute.exact / _MINUTE),
        "req/s",
        original=Original(key, per_minute, "requests per minute"),
        more={"derived_from": {"formula": f"{key} / {_MINUTE}"}},
    )
    if done:
        point.draft.count("duration_s", rounded(done * _MINUTE / per_minute.exact))


FORMAT = Format("llmperf", "num_concurrent_requests and results_ttft_s_...", recognise, read, LACKS)
