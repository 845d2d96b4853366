"""Outputs of programs with known truth: small runs that hold together, to be changed by the tests."""

from __future__ import annotations

from typing import Any


def vllm_run(**changes: Any) -> dict[str, Any]:
    """A run of vLLM's client as it is written since the end of 2025; `object` takes a member away."""
    run: dict[str, Any] = {
        "date": "20260301-120000",
        "endpoint_type": "openai",
        "backend": "openai",
        "label": None,
        "model_id": "owner/example-7b",
        "tokenizer_id": "owner/example-7b",
        "num_prompts": 500,
        "request_rate": 5.0,
        "burstiness": 1.0,
        "max_concurrency": None,
        "duration": 125.0,
        "completed": 500,
        "failed": 0,
        "total_input_tokens": 64000,
        "total_output_tokens": 32000,
        "request_throughput": 4.0,
        "request_goodput": None,
        "output_throughput": 256.0,
        "total_token_throughput": 768.0,
        "max_output_tokens_per_s": 400.0,
        "max_concurrent_requests": 20,
        "rtfx": 0.0,
        "mean_ttft_ms": 52.25,
        "median_ttft_ms": 50.5,
        "std_ttft_ms": 6.0,
        "p99_ttft_ms": 75.125,
        "mean_tpot_ms": 20.0,
        "median_tpot_ms": 19.75,
        "std_tpot_ms": 1.5,
        "p99_tpot_ms": 24.0,
        "mean_itl_ms": 20.5,
        "median_itl_ms": 19.0,
        "std_itl_ms": 3.0,
        "p99_itl_ms": 31.0,
    }
    return changed(run, changes)


SERVER_INFO: dict[str, Any] = {
    "model_path": "owner/example-7b",
    "version": "0.5.5.post3",
    "tp_size": 2,
    "pp_size": 1,
    "dp_size": 1,
    "ep_size": 1,
    "dtype": "bfloat16",
    "kv_cache_dtype": "auto",
    "quantization": None,
    "device": "cuda",
    "speculative_algorithm": None,
    "disable_radix_cache": True,
}


def sglang_run(**changes: Any) -> dict[str, Any]:
    """A run of SGLang's client as it is written since 2025; `object` takes a member away."""
    run: dict[str, Any] = {
        "tag": "x",
        "backend": "sglang",
        "dataset_name": "random",
        "request_rate": float("inf"),
        "max_concurrency": 8,
        "sharegpt_output_len": None,
        "random_input_len": 256,
        "random_output_len": 128,
        "random_range_ratio": 0.5,
        "server_info": SERVER_INFO,
        "duration": 50.0,
        "completed": 400,
        "total_input_tokens": 76800,
        "total_output_tokens": 38400,
        "total_output_tokens_retokenized": 38390,
        "request_throughput": 8.0,
        "input_throughput": 1536.0,
        "output_throughput": 768.0,
        "total_throughput": 2304.0,
        "mean_e2e_latency_ms": 1000.0,
        "median_e2e_latency_ms": 990.0,
        "mean_ttft_ms": 50.0,
        "median_ttft_ms": 48.0,
        "mean_tpot_ms": 10.0,
        "median_tpot_ms": 9.9,
        "mean_itl_ms": 10.0,
        "median_itl_ms": 9.5,
        "concurrency": 8.0,
        "accept_length": None,
    }
    return changed(run, changes)


_BATCH = {"run_name": "planted /home/planted", "batch_size": 8, "input_len": 256, "output_len": 33}
PASSES: dict[str, Any] = {
    **_BATCH, "prefill_latency": 0.5, "prefill_throughput": 4096.0, "median_decode_latency": 0.0125,
    "median_decode_throughput": 640.0, "total_latency": 0.9, "overall_throughput": 2568.8888888888887,
}  # fmt: skip
SENT: dict[str, Any] = {
    **_BATCH,
    "latency": 1.2346,
    "output_throughput": 213.83,
    "overall_throughput": 1872.67,
}
STREAMED: dict[str, Any] = {
    **_BATCH, "latency": 1.2346, "input_throughput": 6400.0, "output_throughput": 288.65,
    "overall_throughput": 1872.67, "last_ttft": 0.32, "last_gen_throughput": 311.0, "acc_length": -1.0,
    "cache_hit_rate": 0.0,
}  # fmt: skip
OFFLINE: dict[str, Any] = {
    "backend": "engine", "successful_requests": 1000, "total_latency": 50.0, "total_input_tokens": 256000,
    "total_output_tokens": 128000, "request_throughput": 20.0, "input_throughput": 5120.0,
    "output_throughput": 2560.0, "total_throughput": 7680.0, "last_gen_throughput": 2600.5,
}  # fmt: skip


def llama_row(**changes: Any) -> dict[str, Any]:
    """A row of llama-bench of 2025; `object` takes a member away."""
    row: dict[str, Any] = {
        "build_commit": "2739a71e",
        "build_number": 4461,
        "cpu_info": "Example Processor",
        "gpu_info": "Example GPU",
        "backends": "CUDA",
        "model_filename": "/home/alice/models/secret.gguf",
        "model_type": "llama 7B Q4_0",
        "model_size": 3825065984,
        "model_n_params": 6738415616,
        "n_batch": 2048,
        "n_ubatch": 512,
        "n_threads": 8,
        "type_k": "f16",
        "type_v": "f16",
        "n_gpu_layers": 99,
        "split_mode": "layer",
        "main_gpu": 0,
        "no_kv_offload": False,
        "flash_attn": True,
        "use_mmap": True,
        "n_prompt": 0,
        "n_gen": 100,
        "n_depth": 0,
        "test_time": "2025-01-11T09:48:42Z",
        "avg_ns": 2040816326,
        "stddev_ns": 40000000,
        "avg_ts": 49.0,
        "stddev_ts": 1.0,
        "samples_ns": [2083333333, 2000000000],
        "samples_ts": [48.0, 50.0],
    }
    return changed(row, changes)


def as_sql(*rows: dict[str, Any]) -> str:
    """Rows of llama-bench as it prints SQL: the table, and a statement for each row."""
    plain = [
        {
            key: int(value) if isinstance(value, bool) else value
            for key, value in row.items()
            if key[:8] != "samples_"
        }
        for row in rows
    ]
    made = ",\n".join(f"  {name} TEXT" for name in plain[0])
    text = f"CREATE TABLE IF NOT EXISTS llama_bench (\n{made}\n);\n\n"
    for row in plain:
        values = ", ".join(f"'{value}'" for value in row.values())
        text += f"INSERT INTO llama_bench ({', '.join(row)}) VALUES ({values});\n"
    return text


def inferencex_run(**changes: Any) -> dict[str, Any]:
    """An aggregate of InferenceX; `object` takes a member away."""
    run: dict[str, Any] = {
        "hw": "ex100-nb",
        "conc": 32,
        "image": "example/engine:v0.22.0",
        "model": "owner/example-7b",
        "framework": "vllm",
        "precision": "fp8",
        "spec_decoding": "none",
        "disagg": False,
        "isl": 1024,
        "osl": 1024,
        "is_multinode": False,
        "tp": 4,
        "pp": 1,
        "dcp_size": 2,
        "pcp_size": 2,
        "ep": 1,
        "dp_attention": "false",
        "tput_per_gpu": 400.0,
        "output_tput_per_gpu": 200.0,
        "input_tput_per_gpu": 200.0,
        "mean_ttft": 0.5,
        "p99_ttft": 1.25,
        "mean_tpot": 0.02,
        "mean_intvty": 50.0,
        "median_tpot": 0.016,
        "median_intvty": 62.5,
        "std_tpot": 0.001,
        "std_intvty": 1000.0,
        "p99_tpot": 0.025,
        "p99_intvty": 40.0,
        "mean_itl": 0.021,
        "mean_e2el": 19.0,
    }
    return changed(run, changes)


_PRINTED = """\
Namespace(subparser='bench', dispatch_function=<function cmd at 0xf996c2bfb240>, seed=42, num_prompts=500, \
dataset_name='random', dataset_path='/home/alice/x.json', random_input_len=128, random_output_len=64, \
random_range_ratio='0.0', random_prefix_len=0, sharegpt_output_len=None, backend='openai', \
base_url='http://gpu-7.corp:8000', header=['Authorization: Bearer sk-planted0123456789'], max_concurrency=None, \
model='owner/example-7b', tokenizer='owner/example-7b', request_rate=5.0, burstiness=1.0, num_warmups=4, \
result_dir='/home/alice', ignore_eos=True, goodput=['ttft:200', 'tpot:50'], temperature=0.0, input_len=None, \
output_len=None, ramp_up_strategy=None)
Starting main benchmark run...
 50%|#####     | 250/500\r100%|##########| 500/500
============ Serving Benchmark Result ============
Successful requests:                     500
Failed requests:                         0
Request rate configured (RPS):           5.00
Benchmark duration (s):                  125.00
Total input tokens:                      64000
Total generated tokens:                  32000
Request throughput (req/s):              4.00
Output token throughput (tok/s):         256.00
Peak concurrent requests:                20.00
Total Token throughput (tok/s):          768.00
---------------Time to First Token----------------
Mean TTFT (ms):                          52.25
Median TTFT (ms):                        50.50
P99 TTFT (ms):                           75.12
-----Time per Output Token (excl. 1st token)------
Mean TPOT (ms):                          20.00
P99 TPOT (ms):                           24.00
---------------Inter-token Latency----------------
Mean ITL (ms):                           20.50
==================================================
"""
CONSOLE = "\n".join(f"{line:<50}" if line else line for line in _PRINTED.split("\n"))
"""The program pads its lines to the width of its rules."""


def changed(run: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """A run with some members replaced; a value that is the class `object` takes the member away."""
    return {key: value for key, value in {**run, **changes}.items() if value is not object}
