"""What GuideLLM writes of one run whose truth is known, in two versions."""

from __future__ import annotations

from typing import Any

from tests.importers.programs.reports.truth import Run


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
