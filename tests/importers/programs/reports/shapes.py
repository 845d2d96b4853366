"""What the programs write of one run whose truth is known: the same run, in the shape of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

WORDS = ("p50", "p90", "p95", "p99", "min", "max")


@dataclass(frozen=True)
class Run:
    """A run in which every request is like the others: rates and latencies follow from these."""

    requests: int = 200
    concurrency: int = 8
    sent: int = 512
    got: int = 128
    ttft_ms: float = 80.0
    tpot_ms: float = 10.0

    @property
    def e2e_ms(self) -> float:
        """TTFT + TPOT x (tokens - 1)."""
        return self.ttft_ms + self.tpot_ms * (self.got - 1)

    @property
    def seconds(self) -> float:
        """As long as the requests take that are always in flight."""
        return self.requests / self.concurrency * self.e2e_ms / 1000

    @property
    def rate(self) -> float:
        """Requests per second."""
        return self.requests / self.seconds


def nested(value: Any, path: str, leaf: Any) -> Any:
    """A copy with one member set; `object` takes it away."""
    key, _, below = path.partition("/")
    step: Any = int(key) if isinstance(value, list) else key
    copy = list(value) if isinstance(value, list) else dict(value)
    if below:
        copy[step] = nested(copy[step] if isinstance(copy, list) or step in copy else {}, below, leaf)
    elif leaf is object:
        copy.pop(step, None)
    else:
        copy[step] = leaf
    return copy


def changed(value: Any, changes: dict[str, Any]) -> Any:
    """A copy with members set or taken away by their path."""
    for path, leaf in changes.items():
        value = nested(value, path, leaf)
    return value


# MLPerf LoadGen: Server as the log has it, and Offline whose "latency" is the length of the run.


def loadgen_server(run: Run, **lines: str) -> str:
    """A summary of the Server scenario; `lines` replaces the text after a label, with _ for its spaces."""
    ns = 1_000_000
    ttft, tpot, e2e = (round(value * ns) for value in (run.ttft_ms, run.tpot_ms, run.e2e_ms))
    said = {
        "Scenario ": "Server",
        "Mode     ": "PerformanceOnly",
        "Completed samples per second    ": f"{run.rate:.9f}",
        "Completed tokens per second": f"{run.rate * run.got:.9f}",
        "Result is ": "VALID",
        "Scheduled samples per second ": f"{run.rate:.2f}",
        "Mean latency (ns)               ": e2e,
        "99.00 percentile latency (ns)   ": e2e,
        "99.90 percentile latency (ns)   ": e2e,
        "Mean First Token latency (ns)                ": ttft,
        "99.00 percentile first token latency (ns)   ": ttft,
        "Mean Time to Output Token (ns)                ": tpot,
        "99.00 percentile time to output token (ns)   ": tpot,
        "samples_per_query ": 1,
        "target_qps ": run.concurrency,
        "ttft_latency (ns)": 2_000_000_000,
        "tpot_latency (ns)": 200_000_000,
        "min_duration (ms)": 600_000,
        "accuracy_log_probability ": 0,
        "accuracy_log_sampling_target ": 0,
        "performance_issue_same ": 0,
    }
    return _summary({**said, **{_label(said, key): value for key, value in lines.items()}})


def loadgen_offline(run: Run, **lines: str) -> str:
    """A summary of the Offline scenario."""
    longest = round(run.seconds * 1_000_000_000)
    said = {
        "Scenario ": "Offline",
        "Mode     ": "PerformanceOnly",
        "Samples per second": f"{run.requests * 10**9 / longest:.9f}",
        "Tokens per second": f"{run.requests * 10**9 / longest * run.got:.9f}",
        "Result is ": "VALID",
        "Mean latency (ns)               ": longest // 2,
        "Max latency (ns)                ": longest,
        "samples_per_query ": run.requests,
        "target_qps ": 93,
        "ttft_latency (ns)": 2_000_000_000,
        "tpot_latency (ns)": 200_000_000,
    }
    return _summary({**said, **{_label(said, key): value for key, value in lines.items()}})


def _label(said: dict[str, Any], key: str) -> str:
    return next((label for label in said if label.strip().replace(" ", "_") == key), key.replace("_", " "))


def _summary(said: dict[str, Any]) -> str:
    heading = "=" * 48 + "\nMLPerf Results Summary\n" + "=" * 48 + "\nSUT name : PySUT\n"
    body = "".join(f"{label}: {value}\n" for label, value in said.items())
    return heading + body + "\nNo errors encountered during test.\n"


SYSTEM: dict[str, Any] = {
    "accelerator_model_name": "Example SXM Part",
    "accelerators_per_node": "8",
    "number_of_nodes": 2,
    "framework": "vLLM 0.9.1, PyTorch 2.7.0",
    "host_processor_model_name": "Example CPU",
    "operating_system": "N/A",
    "system_name": "Example System",
    "hw_notes": "planted@planted.corp",
}


# GuideLLM


def spread(value: float, **more: Any) -> dict[str, Any]:
    """A distribution of GuideLLM whose samples are all the same."""
    percentiles = {
        f"p{digits}": value for digits in ("001", "01", "05", "10", "25", "75", "90", "95", "99", "999")
    }
    words = {
        "mean": value,
        "median": value,
        "mode": value,
        "variance": 0.0,
        "std_dev": 0.0,
        "min": value,
        "max": value,
    }
    return {**words, "count": 1, "total_sum": value, "percentiles": percentiles, **more}


def by_state(value: float, **more: Any) -> dict[str, Any]:
    """A metric of GuideLLM; what did not end well has zeros, and the total is something else."""
    nothing = spread(0.0)
    return {
        "successful": spread(value, **more),
        "errored": nothing,
        "incomplete": nothing,
        "total": spread(value / 3),
    }


def guidellm_metrics(run: Run) -> dict[str, Any]:
    """The metrics of a benchmark; a rate has the wildest median and maximum, as real ones do."""
    wild = {"median": 0.01, "max": 500_000.0}
    return {
        "requests_per_second": by_state(run.rate, **wild),
        "request_concurrency": by_state(float(run.concurrency)),
        "request_latency": by_state(run.e2e_ms / 1000),
        "prompt_token_count": by_state(float(run.sent), total_sum=float(run.sent * run.requests)),
        "output_token_count": by_state(float(run.got), total_sum=float(run.got * run.requests)),
        "time_to_first_token_ms": by_state(run.ttft_ms),
        "time_per_output_token_ms": by_state(run.e2e_ms / run.got),
        "inter_token_latency_ms": by_state(run.tpot_ms),
        "output_tokens_per_second": by_state(run.rate * run.got, **wild),
        "tokens_per_second": by_state(run.rate * (run.sent + run.got), **wild),
    }


def guidellm_old(*runs: Run) -> dict[str, Any]:
    """A report of 0.2 or 0.3: no version, settings in `args` and `worker`."""
    return {
        "benchmarks": [
            {
                "type_": "generative_benchmark",
                "args": {
                    "profile": {"type_": "sweep", "rate": -1.0},
                    "strategy": {"type_": "concurrent", "streams": run.concurrency},
                    "warmup_number": None,
                    "warmup_duration": None,
                },
                "worker": {
                    "backend_type": "openai_http",
                    "backend_model": "owner/example-7b",
                    "backend_target": "http://planted",
                },
                "request_loader": {
                    "data": f"prompt_tokens={run.sent},output_tokens={run.got}",
                    "processor": "/home/planted",
                },
                "metrics": guidellm_metrics(run),
                "request_totals": {
                    "successful": run.requests,
                    "errored": 0,
                    "incomplete": 0,
                    "total": run.requests,
                },
                "requests": {"successful": [{"output": "planted text"}]},
                "start_time": 1749157168.5,
                "duration": run.seconds,
            }
            for run in runs
        ]
    }


def guidellm_new(*runs: Run) -> dict[str, Any]:
    """A report of 0.8: version 2, settings in `config`."""
    data = [{"kind": "synthetic_text", "prompt_tokens": 512, "prompt_tokens_stdev": 4, "output_tokens": 128}]
    backend = {
        "kind": "openai_http",
        "target": "http://planted",
        "model": "owner/example-7b",
        "api_key": "sk-planted",
        "stream": True,
    }
    warmup = {"percent": None, "value": 0.1, "mode": "prefer_duration"}
    return {
        "metadata": {"version": 2, "guidellm_version": "0.8.0", "platform": "planted"},
        "config": {"spec": {"backend": backend, "data": data}},
        "benchmarks": [
            {
                "config": {
                    "strategy": {"type_": "poisson", "rate": run.rate, "max_concurrency": 10240},
                    "warmup": warmup,
                    "backend": backend,
                },
                "metrics": {
                    **guidellm_metrics(run),
                    "request_totals": {
                        "successful": run.requests,
                        "errored": 0,
                        "incomplete": 0,
                        "total": run.requests,
                    },
                },
                "start_time": 1786678148.25,
                "duration": run.seconds,
                "warmup_duration": 3.5,
            }
            for run in runs
        ],
    }


# AIPerf and GenAI-Perf


def measured(unit: str, value: float) -> dict[str, Any]:
    """A metric whose samples are all the same."""
    return {
        "unit": unit,
        "avg": value,
        **dict.fromkeys(WORDS, value),
        "std": 0.0,
        "count": 9,
        "sum": 9 * value,
    }


def perf_metrics(run: Run) -> dict[str, Any]:
    """The metrics that both programs have."""
    return {
        "request_throughput": {"unit": "requests/sec", "avg": run.rate},
        "request_count": {"unit": "requests", "avg": float(run.requests)},
        "output_token_throughput": {"unit": "tokens/sec", "avg": run.rate * run.got},
        "time_to_first_token": measured("ms", run.ttft_ms),
        "inter_token_latency": measured("ms", run.tpot_ms),
        "request_latency": measured("ms", run.e2e_ms),
        "output_token_throughput_per_user": measured("tokens/sec/user", 1000 / run.tpot_ms),
        "input_sequence_length": measured("tokens", float(run.sent)),
        "output_sequence_length": measured("tokens", float(run.got)),
    }


def aiperf_early(run: Run) -> dict[str, Any]:
    """The earlier shape: `loadgen`, and the telemetry names the card."""
    gpu = {"gpu_name": "Example SXM Part", "gpu_uuid": "GPU-planted", "hostname": "planted"}
    return {
        **perf_metrics(run),
        "goodput": None,
        "benchmark_duration": {"unit": "sec", "avg": run.seconds},
        "total_isl": {"unit": "tokens", "avg": float(run.requests * run.sent)},
        "total_osl": {"unit": "tokens", "avg": float(run.requests * run.got)},
        "telemetry_data": {"endpoints": {"planted:9400": {"gpus": {"gpu_0": gpu}}}},
        "input_config": {
            "endpoint": {
                "model_names": ["owner/example-7b"],
                "type": "chat",
                "streaming": True,
                "url": "planted:8000",
            },
            "input": {
                "extra": [["ignore_eos", True]],
                "prompt": {
                    "input_tokens": {"mean": run.sent, "stddev": 0.0},
                    "output_tokens": {"mean": run.got, "stddev": 0.0},
                },
            },
            "loadgen": {
                "concurrency": run.concurrency,
                "request_count": run.requests,
                "warmup_request_count": 3,
            },
            "cli_command": "aiperf profile --api-key sk-planted",
        },
        "was_cancelled": False,
        "error_summary": [],
        "start_time": "2025-11-07T13:38:54.793124",
    }


def aiperf_new(run: Run) -> dict[str, Any]:
    """The newer shape: `phases`, a version, and a warm-up with the same tags."""
    early = aiperf_early(run)
    return {
        **{key: value for key, value in early.items() if key not in ("telemetry_data", "goodput")},
        "schema_version": "1.3",
        "aiperf_version": "0.10.0",
        "total_token_throughput": {"unit": "tokens/sec", "avg": run.rate * (run.sent + run.got)},
        "inter_chunk_latency": measured("ms", run.tpot_ms),
        "warmup_metrics": perf_metrics(Run(ttft_ms=9999.0)),
        "telemetry_data": {"endpoints": {}},
        "input_config": {
            "models": {"items": [{"name": "owner/example-7b"}]},
            "endpoint": {
                "urls": ["http://planted"],
                "type": "chat",
                "streaming": True,
                "headers": {"k": "planted"},
            },
            "datasets": [{"name": "main", "type": "public", "dataset": "sharegpt"}],
            "phases": [
                {"name": "warmup", "type": "concurrency", "exclude_from_results": True, "requests": 16},
                {
                    "name": "profiling",
                    "type": "concurrency",
                    "requests": run.requests,
                    "concurrency": run.concurrency,
                },
            ],
            "tokenizer": {"name": "owner/example-7b"},
        },
        "run_info": {"random_seed": 42, "cli_command": "planted"},
    }


def genai_perf(run: Run) -> dict[str, Any]:
    """GenAI-Perf: the flat arguments, no state of the run."""
    return {
        **perf_metrics(run),
        "input_config": {
            "model": ["owner/example-7b"],
            "concurrency": run.concurrency,
            "endpoint_type": "chat",
            "streaming": True,
            "u": "http://planted",
            "header": ["Authorization: planted"],
            "input_file": None,
            "synthetic_input_tokens_mean": run.sent,
            "output_tokens_mean": run.got,
            "warmup_request_count": 0,
        },
    }


GENAI_CSV = """\
Metric,avg,min,max,p99,p95,p90
Time To First Token (ms),80.00,80.00,80.00,80.00,80.00,80.00
Request Latency (ms),"1,350.00","1,350.00","1,350.00","1,350.00","1,350.00","1,350.00"
Inter Token Latency (ms),10.00,10.00,10.00,10.00,10.00,10.00
Output Sequence Length,128.00,128.00,128.00,128.00,128.00,128.00
Input Sequence Length,512.00,512.00,512.00,512.00,512.00,512.00

Metric,Value
Output Token Throughput (per sec),758.52
Request Throughput (per sec),5.93
Request Count (count),200.00

Metric,GPU,avg,min,max
GPU Power Usage (W),0,300.00,299.00,301.00
"""


# inference-perf


# Tokens of one event come with the event: most gaps are next to nothing.
EVENTS = {"median": 0.00005, "min": 0.000003, "p0.1": 0.000003}


def stage(run: Run) -> dict[str, Any]:
    """One stage, with the names of 2025."""

    def same(value: float) -> dict[str, float]:
        return {**dict.fromkeys(("mean", "median", "p99", "min", "max", "p0.1", "p99.9"), value)}

    return {
        "load_summary": {
            "count": run.requests,
            "requested_rate": run.rate,
            "achieved_rate": run.rate,
            "send_duration": 1.0,
        },
        "successes": {
            "count": run.requests,
            "latency": {
                "request_latency": same(run.e2e_ms / 1000),
                "time_to_first_token": same(run.ttft_ms / 1000),
                "time_per_output_token": same(run.tpot_ms / 1000),
                "inter_token_latency": {**same(run.tpot_ms / 1000), **EVENTS, "max": run.tpot_ms / 100},
                "normalized_time_per_output_token": same(run.e2e_ms / 1000 / run.got),
            },
            "throughput": {
                "input_tokens_per_sec": run.rate * run.sent,
                "output_tokens_per_sec": run.rate * run.got,
                "total_tokens_per_sec": run.rate * (run.sent + run.got),
                "requests_per_sec": run.rate,
            },
            "prompt_len": same(float(run.sent)),
            "output_len": same(float(run.got)),
        },
        "failures": {"count": 0, "request_latency": None, "prompt_len": None},
    }
