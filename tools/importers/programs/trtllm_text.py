"""What trtllm-bench prints, line by line under the names of its JSON report.

Labels changed: `Token Throughput` of 0.17 is the output rate and became `Total Output Throughput`, beside which
`Total Token Throughput` counts the prompts too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from tools.importers.programs.content import Content, Digits

_LINE = re.compile(r"(?:\[[^\]]*\]\s*)*([A-Za-z][^:]*?)\s*:\s+(\S.*?)\s*")
_NAMES = {
    "model": "engine.model",
    "engine directory": "engine.engine_dir",
    "model path": "engine.model_path",
    "tensorrt-llm version": "engine.version",
    "tensorrt llm version": "engine.version",
    "dtype": "engine.dtype",
    "kv cache dtype": "engine.kv_cache_dtype",
    "quantization": "engine.quantization",
    "backend": "engine.backend",
    "max input length": "engine.max_input_length",
    "max sequence length": "engine.max_sequence_length",
    "tp size": "world_info.tp_size",
    "pp size": "world_info.pp_size",
    "ep size": "world_info.ep_size",
    "max runtime batch size": "world_info.max_batch_size",
    "max runtime tokens": "world_info.max_num_tokens",
    "scheduling policy": "world_info.scheduling_policy",
    "kv memory percentage": "world_info.kv_cache_percentage",
    "issue rate (req/sec)": "world_info.issue_rate",
    "number of requests": "request_info.num_requests",
    "number of concurrent requests": "request_info.avg_num_concurrent_requests",
    "average input length (tokens)": "request_info.avg_input_length",
    "average output length (tokens)": "request_info.avg_output_length",
    "request throughput (req/sec)": "performance.request_throughput_req_s",
    "token throughput (tokens/sec)": "performance.system_output_throughput_tok_s",
    "total output throughput (tokens/sec)": "performance.system_output_throughput_tok_s",
    "total token throughput (tokens/sec)": "performance.system_total_throughput_tok_s",
    "per user output throughput [w/ ctx] (tps/user)": "performance.output_throughput_per_user_tok_s",
    "per gpu output throughput (tps/gpu)": "performance.output_throughput_per_gpu_tok_s",
    "total latency (ms)": "performance.total_latency_ms",
    "average request latency (ms)": "performance.avg_request_latency_ms",
    "average time-to-first-token [ttft] (ms)": "streaming_metrics.avg_ttft_ms",
    "average time-per-output-token [tpot] (ms)": "streaming_metrics.avg_tpot_ms",
    "per user output speed (tps/user)": "streaming_metrics.token_output_speed_tok_s",
}


def is_printed(content: Content) -> bool:
    """Whether the text has the headings of the print."""
    return "ENGINE DETAILS" in content.text and "PERFORMANCE OVERVIEW" in content.text


def printed_values(content: Content) -> Mapping[str, str]:
    """The values by the path they have in the report. A label that is not known stays as it is."""
    found: dict[str, str] = {}
    for line in content.lines:
        split = _LINE.fullmatch(line.strip())
        if split is None:
            continue
        number = Digits(split[2])
        label = " ".join(split[1].split())
        found.setdefault(_NAMES.get(label.lower(), label), number if number.number is not None else split[2])
    return found
