"""What MLPerf LoadGen and a submission write of a run."""

from __future__ import annotations

from typing import Any

from tests.importers.programs.reports.truth import Run

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
