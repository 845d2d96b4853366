"""What the clients of servers write of one run whose truth is known; `more_shapes` has the other programs."""

from __future__ import annotations

from typing import Any

from tests.importers.programs.reports.truth import Run

WORDS = ("p50", "p90", "p95", "p99", "min", "max")

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
