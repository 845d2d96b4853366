"""The formats that can be imported. A new one is a line here and a module that has a `FORMAT`."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from tools.errors import InternalError

if TYPE_CHECKING:
    from tools.importers.programs.format import Format

LISTED = {
    "vllm-bench-serve": ("vllm_serve", "vLLM `bench serve` JSON, one run or several, also of `bench sweep`."),
    "vllm-console": ("vllm_console", "What vLLM `bench serve` prints, best with its line of arguments."),
    "llama-bench": ("llama_bench", "llama-bench as JSON, JSONL, CSV or SQL."),
    "llama-bench-table": ("llama_bench_table", "llama-bench as a Markdown table, with the log around it."),
    "llama-batched-bench": ("llama_batched", "llama-batched-bench as a table or JSONL."),
    "sglang-bench-serving": ("sglang_serving", "SGLang `bench_serving` JSONL."),
    "sglang-one-batch": (
        "sglang_batch",
        "SGLang `bench_one_batch` and `bench_one_batch_server` JSONL.",
    ),
    "sglang-offline-throughput": ("sglang_offline", "SGLang `bench_offline_throughput` JSONL."),
    "vllm-bench-throughput": ("vllm_throughput", "vLLM `bench throughput` JSON."),
    "vllm-bench-latency": ("vllm_latency", "vLLM `bench latency` JSON."),
    "inferencex": ("inferencex", "InferenceX aggregate JSON."),
    "inferencex-csv": ("inferencex_csv", "The CSV download of the InferenceX site."),
    "mlperf-loadgen": (
        "mlperf_loadgen",
        "MLPerf LoadGen summary, best with the system description as --log.",
    ),
    "guidellm": ("guidellm", "GuideLLM report, one benchmark or several."),
    "aiperf": ("aiperf", "AIPerf `profile_export_aiperf.json`."),
    "genai-perf": ("genai_perf", "GenAI-Perf export as JSON or CSV."),
    "inference-perf": ("inference_perf", "inference-perf metrics of one stage."),
    "trtllm-bench": ("trtllm_bench", "trtllm-bench report as JSON or as printed."),
    "llmperf": ("llmperf", "LLMPerf summary."),
    "optimum-benchmark": ("optimum_benchmark", "optimum-benchmark report, best with its configuration."),
    "mlenergy": ("mlenergy", "ML.ENERGY leaderboard data, or the results of a run."),
    "spec-bench": ("spec_bench", "Answers in the style of Spec-Bench, with their times."),
}
"""By name: the module in this folder, and what the format is."""


@cache
def format_named(name: str) -> Format:
    """The format of a name that is listed."""
    module = import_module(f"tools.importers.programs.{LISTED[name][0]}")
    found: Format = module.FORMAT
    if found.name != name:
        raise InternalError(f"the module of the format {name} has no FORMAT of that name")
    return found


def formats() -> list[Format]:
    """All formats, in the order of the list."""
    return [format_named(name) for name in LISTED]
