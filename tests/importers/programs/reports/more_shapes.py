"""The same run in the shape of the engines' own and the older programs; `shapes` has the clients of servers."""

from __future__ import annotations

import json
from typing import Any

from tests.importers.programs.reports.truth import Run


def trtllm(run: Run) -> dict[str, Any]:
    """The JSON report of trtllm-bench with streaming."""
    percentiles = ("p50", "p90", "p95", "p99", "minimum", "maximum", "average")
    return {
        "engine": {
            "model": "owner/example-7b",
            "model_path": "/home/planted/model",
            "engine_dir": "/home/planted/engine",
            "version": "1.0.0",
            "backend": "Pytorch",
            "dtype": "bfloat16",
            "kv_cache_dtype": "FP8",
            "quantization": "NVFP4",
        },
        "machine": {"name": "Example SXM Part", "memory.total": 79.6, "clocks.mem": None},
        "world_info": {
            "tp_size": 4,
            "pp_size": 1,
            "ep_size": None,
            "world_size": 4,
            "max_batch_size": 2048,
            "issue_rate": 50.5,
        },
        "request_info": {
            "num_requests": run.requests,
            "avg_num_concurrent_requests": float(run.concurrency),
            "avg_input_length": float(run.sent),
            "avg_output_length": float(run.got),
        },
        "performance": {
            "request_throughput_req_s": run.rate,
            "system_output_throughput_tok_s": run.rate * run.got,
            "system_total_throughput_tok_s": run.rate * (run.sent + run.got),
            "output_throughput_per_user_tok_s": run.got / run.e2e_ms * 1000,
            "output_throughput_per_gpu_tok_s": run.rate * run.got / 4,
            "total_latency_ms": run.seconds * 1000,
            "avg_request_latency_ms": run.e2e_ms,
            "request_latency_percentiles_ms": dict.fromkeys(percentiles, run.e2e_ms),
        },
        "streaming_metrics": {
            "avg_ttft_ms": run.ttft_ms,
            "ttft_percentiles": dict.fromkeys(percentiles, run.ttft_ms),
            "avg_tpot_ms": run.tpot_ms,
            "tpot_percentiles": dict.fromkeys(percentiles, run.tpot_ms),
        },
    }


TRTLLM_PRINT = """\
[06/01/2026-10:00:00] [TRT-LLM] [I]
===========================================================
= ENGINE DETAILS
===========================================================
Model:                  owner/example-7b
Engine Directory:       /home/planted/tp_2_pp_1
TensorRT-LLM Version:   0.17.0
Dtype:                  bfloat16
KV Cache Dtype:         FP8
Quantization:           FP8

===========================================================
= WORLD + RUNTIME INFORMATION
===========================================================
TP Size:                2
PP Size:                1
Max Runtime Batch Size: 4096
Issue Rate (req/sec):   3.1860E+14

===========================================================
= PERFORMANCE OVERVIEW
===========================================================
Number of requests:             1000
Average Input Length (tokens):  128.0000
Average Output Length (tokens): 100.0000
Token Throughput (tokens/sec):  2000.0000
Request Throughput (req/sec):   20.0000
Total Latency (ms):             50000.0000
"""


def llmperf(run: Run) -> dict[str, Any]:
    """A summary of LLMPerf, with its text for numbers."""
    said: dict[str, Any] = {
        "version": "2023-08-31",
        "name": "planted-name",
        "model": "owner/example-7b",
        "mean_input_tokens": run.sent,
        "stddev_input_tokens": 0,
        "mean_output_tokens": run.got,
        "stddev_output_tokens": 0,
        "num_concurrent_requests": run.concurrency,
        "results_num_requests_started": run.requests,
        "results_num_completed_requests": run.requests,
        "results_num_completed_requests_per_min": run.rate * 60,
        "results_mean_output_throughput_token_per_s": run.rate * run.got,
        "results_error_rate": 0.0,
        "results_number_errors": 0,
        "results_error_code_frequency": "{}",
        "api": "https://planted.example/v1",
        "timestamp": 1703135943,
    }
    figures = {
        "ttft_s": run.ttft_ms / 1000,
        "end_to_end_latency_s": run.e2e_ms / 1000,
        "inter_token_latency_s": run.e2e_ms / 1000 / run.got,
        "request_output_throughput_token_per_s": run.got / run.e2e_ms * 1000,
        "number_input_tokens": float(run.sent),
        "number_output_tokens": float(run.got),
    }
    for name, value in figures.items():
        for word in ("quantiles_p50", "quantiles_p99", "mean", "min", "max"):
            is_text = name.startswith("number_") and word in ("min", "max")
            said[f"results_{name}_{word}"] = str(int(value)) if is_text else value
    return said


def optimum(run: Run, unit: str = "samples/s") -> dict[str, Any]:
    """One file of optimum-benchmark, with a display adapter among the devices; batch = concurrency."""

    def latency(seconds: float) -> dict[str, Any]:
        words = dict.fromkeys(("mean", "p50", "p90", "p95", "p99"), seconds)
        return {
            "unit": "s",
            "values": [seconds] * 3,
            "count": 3,
            "total": 3 * seconds,
            **words,
            "stdev": 0,
            "stdev_": 0,
        }

    first, step = run.ttft_ms / 1000, run.tpot_ms / 1000
    batch, tokens = run.concurrency, run.got
    prefill = batch / first * (run.sent if unit == "tokens/s" else 1)
    return {
        "config": {
            "name": "planted",
            "backend": {
                "name": "pytorch",
                "version": "2.6.0",
                "model": "owner/example-7b",
                "device": "cuda",
                "device_ids": "2,4",
                "seed": 42,
                "no_weights": False,
                "torch_dtype": "bfloat16",
                "model_kwargs": {"token": "hf-planted"},
                "quantization_scheme": None,
            },
            "scenario": {
                "name": "inference",
                "warmup_runs": 10,
                "input_shapes": {"batch_size": batch, "sequence_length": run.sent},
                "generate_kwargs": {"max_new_tokens": tokens, "min_new_tokens": tokens, "do_sample": False},
            },
            "environment": {
                "cpu": " Example CPU",
                "gpu": ["Example SXM Part"] * 3 + ["Example Display", "Example SXM Part"],
                "optimum_benchmark_version": "0.6.0",
                "transformers_version": "4.50.0",
            },
        },
        "report": {
            "load_model": {
                "latency": {**latency(27.5), "count": 1, "values": [27.5]},
                "memory": None,
                "throughput": None,
            },
            "prefill": {
                "latency": latency(first),
                "throughput": {"unit": unit, "value": prefill},
                "energy": None,
            },
            "decode": {
                "latency": latency(step * (tokens - 1)),
                "throughput": {"unit": "tokens/s", "value": batch / step},
                "memory": {"unit": "MB", "max_process_vram": 142813.954},
            },
            "per_token": {"latency": latency(step), "throughput": None},
        },
    }


def leaderboard(*runs: Run) -> dict[str, Any]:
    """Data of the ML.ENERGY leaderboard: a configuration for every run."""
    return {
        "model_id": "owner/example-7b",
        "nickname": "planted",
        "task": "lm-arena-chat",
        "weight_precision": "bfloat16",
        "total_params_billions": 7.0,
        "configurations": [
            {
                "gpu_model": "Example SXM Part",
                "num_gpus": 2,
                "max_num_seqs": run.concurrency,
                "avg_batch_size": run.concurrency - 0.5,
                "avg_output_len": float(run.got),
                "avg_power_watts": 500.25,
                "output_throughput_tokens_per_sec": run.rate * run.got,
                "energy_per_token_joules": 500.25 / (run.rate * run.got),
                "energy_per_request_joules": 500.25 / run.rate,
                "median_itl_ms": run.tpot_ms,
                "p99_itl_ms": run.tpot_ms * 2,
                "output_length_distribution": {"bins": [1.0, 2.0], "counts": [1]},
                "parallelization": {
                    "tensor_parallel": 2,
                    "expert_parallel": 1,
                    "data_parallel": 1,
                    "notes": "planted",
                },
            }
            for run in runs
        ],
    }


def mlenergy_run(run: Run) -> dict[str, Any]:
    """`results.json` of an ML.ENERGY run."""
    return {
        "model_id": "owner/example-7b",
        "gpu_model": "Example SXM Part",
        "num_gpus": 2,
        "max_num_seqs": 64,
        "num_prompts": run.requests,
        "completed": run.requests,
        "duration": run.seconds,
        "total_input_tokens": run.requests * run.sent,
        "total_output_tokens": run.requests * run.got,
        "request_throughput": run.rate,
        "output_throughput": run.rate * run.got,
        "mean_ttft_ms": run.ttft_ms,
        "p99_ttft_ms": run.ttft_ms,
        "mean_tpot_ms": run.tpot_ms,
        "steady_state_energy": 12000.5,
        "steady_state_energy_per_token": 0.75,
        "steady_state_duration": run.seconds / 2,
        "results": [{"prompt": "planted"}],
    }


def answers(run: Run, key: str = "accept_lengths", steps: int = 4, questions: int = 3) -> str:
    """Spec-Bench lines: in every turn each step emits as many tokens as the others."""
    each = run.got // steps
    choice: dict[str, Any] = {
        "turns": ["planted answer", "planted answer"],
        "new_tokens": [each * steps, each * steps],
        "wall_time": [run.e2e_ms / 1000, run.e2e_ms / 500],
        "decoding_steps": [steps, steps],
    }
    if key:
        choice[key] = [each] * (2 * steps)
    said = [
        {
            "question_id": number,
            "category": "writing",
            "model_id": "example-label",
            "choices": [choice],
            "tstamp": 1.5,
        }
        for number in range(questions)
    ]
    return "".join(json.dumps(line) + "\n" for line in said)
