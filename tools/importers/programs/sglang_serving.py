"""SGLang `bench_serving` JSONL: one object a run, appended to one file.

    {"backend": "sglang", "dataset_name": "random", "request_rate": Infinity, "max_concurrency": 8,
     "random_input_len": 512, "random_range_ratio": 0.0, "duration": 4.35, "completed": 100, ...,
     "mean_e2e_latency_ms": 338.1, "concurrency": 7.76, "accept_length": null, "server_info": {...}}

`backend` is the protocol of the client; what served is known from `server_info` alone. The `random_*` members are
written whatever the data set was, and with a ratio r lengths are drawn between r L and L: the nominal length is an
upper end. The first versions have the same latencies, in milliseconds, under names without a unit.
"""

from __future__ import annotations

from tools.importers.programs.content import Content, NonFinite
from tools.importers.programs.format import Format, Reading
from tools.importers.programs.point import Point, RefusedError, mean_of
from tools.importers.programs.sglang_server import state_server
from tools.importers.programs.spelling import is_name
from tools.importers.programs.statistics import add_figures
from tools.importers.programs.vllm_run import hold_within, state_load

_RENAMED = {
    "benchmark_duration": "duration",
    "total_input": "total_input_tokens",
    "total_output": "total_output_tokens",
    "total_output_retokenized": "total_output_tokens_retokenized",
    "output_token_throughput": "output_throughput",
    "input_token_throughput": "input_throughput",
    "mean_e2e_latency": "mean_e2e_latency_ms",
    "median_e2e_latency": "median_e2e_latency_ms",
    "median_ttft": "median_ttft_ms",
    "median_itl": "median_itl_ms",
}
"""Names of version 0.2; the latencies there are in milliseconds."""

_NEEDED = {"backend", "duration", "completed", "output_throughput"}
_OWN = {"random_input_len", "total_output_tokens_retokenized", "median_e2e_latency_ms"}
_RATES = {
    "request_throughput": ("requests_per_s", "req/s"),
    "request_goodput": ("goodput_requests_per_s", "req/s"),
    "input_throughput": ("input_tok_s", "tok/s"),
    "output_throughput": ("tps_aggregate", "tok/s"),
    "total_throughput": ("total_tok_s", "tok/s"),
}
_ITL = (
    "Gaps as bench_serving counts them: of a stream event, or spread over its tokens, by the version and endpoint "
    "of the client."
)
_SERVER_MEAN = "The server's mean since it was started, not of this run alone."
_NOT_STATED = (
    "tag", "total_input_text_tokens", "total_input_vision_tokens", "goodput_slos_ms", "cache_report",
    "max_output_tokens_per_s", "max_concurrent_requests", "input_lens", "output_lens", "ttfts", "itls",
    "generated_texts", "errors",
)  # fmt: skip


def recognise(content: Content) -> str | None:
    """The reason: SGLang's own members beside the counts."""
    keys = frozenset(_RENAMED.get(key, key) for key in content.keys)
    if not keys >= _NEEDED or len(keys & _OWN) < 2 or "tokenizer_id" in keys:
        return None
    return "its objects have backend, completed, output_throughput and median_e2e_latency"


def read(reading: Reading) -> list[Point]:
    """A point of every line."""

    def read_one(point: Point) -> None:
        point.labels = {_RENAMED[key]: key for key in point.values if key in _RENAMED}
        point.values = {_RENAMED.get(key, key): value for key, value in point.values.items()}
        _read_run(point, reading)

    return reading.each(read_one, ((part.place, part.values) for part in reading.content.parts))


def _read_run(point: Point, reading: Reading) -> None:
    draft = point.draft
    completed = point.count("completed")
    requests = point.count("num_prompts")
    point.require_completed(completed, requests, reading.accept_failures)
    counts = {
        "requests": requests,
        "completed": completed,
        "input_tokens": point.count("total_input_tokens"),
        "output_tokens": point.count("total_output_tokens"),
        "output_tokens_retokenized": point.count("total_output_tokens_retokenized"),
    }
    for name, value in counts.items():
        draft.count(name, value)
    duration = point.number("duration")
    draft.count("duration_s", duration if duration and duration.value > 0 else None)
    point.skip(*_NOT_STATED)
    draft.put("/client/name", "sglang-bench-serving")
    protocol = point.text("backend")
    draft.put("/client/protocol", protocol if protocol and is_name(protocol) else None)
    _lengths(point, completed)
    state_server(point, point.take("server_info"))
    point.slug.append(str(draft.fields.get("model_label", "model not named")))
    if point.take("request_rate") == "trace" and not isinstance(point.take("request_rate"), NonFinite):
        draft.put("/conditions/scenario", "trace_replay")
        point.lack("load", None, "the arrival times of the trace that was replayed")
        point.slug.append("trace")
    else:
        # A run without num_prompts completed what it sent, as far as the file tells.
        state_load(point, requests or completed)
    for key, (metric, unit) in _RATES.items():
        point.result(metric, key, unit)
    point.result("slo_attainment", "slo_attainment", "fraction")
    point.result("concurrency_achieved", "concurrency", "requests")
    if point.take("accept_length"):
        point.result("acceptance_length", "accept_length", "tok/step", note=_SERVER_MEAN)
    add_figures(point, "e2e_latency_ms", "e2e_latency", "_ms", "ms")
    add_figures(point, "ttft_ms", "ttft", "_ms", "ms")
    add_figures(point, "tpot_ms", "tpot", "_ms", "ms")
    add_figures(point, "itl_ms", "itl", "_ms", "ms", definition=_ITL)
    hold_within(point, duration)


def _lengths(point: Point, completed: int | None) -> None:
    """The measured means, and the nominal lengths of a random data set with their ratio."""
    draft = point.draft
    dataset = point.text("dataset_name")
    if dataset and is_name(dataset):
        draft.put("/conditions/dataset", dataset)
        kind = "synthetic" if dataset.startswith("random") else None
        kind = "shared_prefix" if dataset.endswith("shared-prefix") else kind
        draft.put("/conditions/dataset_kind", kind or ("natural" if dataset == "sharegpt" else None))
    ratio = point.number("random_range_ratio")
    point.skip("sharegpt_output_len")
    for side in ("input", "output"):
        place = f"/conditions/{side}_length"
        total = point.count(f"total_{side}_tokens")
        if total == 0:
            raise RefusedError(
                f"total_{side}_tokens is 0 although requests were completed: nobody counted them"
            )
        if total and completed:
            draft.put(f"{place}/mean", mean_of(total, completed))
        nominal = point.count(f"random_{side}_len")
        if nominal and ratio is not None and (dataset or "").startswith("random"):
            draft.put(f"{place}/nominal", nominal)
            draft.put(f"{place}/kind", "exact" if ratio.value == 1 else "upper")
            if ratio.value != 1:
                draft.put(f"{place}/distribution", f"uniform, {ratio.value:g} to 1 of the nominal length")


FORMAT = Format(
    "sglang-bench-serving",
    "backend, completed, duration and output_throughput beside the members of SGLang's client",
    recognise,
    read,
    {
        "model": "what the server had loaded: server_info, which newer versions write",
        "hardware": "the accelerators of the server: `device` says cuda and no more",
        "engine_version": "server_info, which newer versions write, or the build of the server",
        "warmup": "the command line of the client: --warmup-requests is not stored",
    },
)
