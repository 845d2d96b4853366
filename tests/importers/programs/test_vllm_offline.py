"""vLLM's offline benchmarks: throughput over a fixed amount of work, and the latency of one batch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.importers.programs.conftest import Take, absent, numbers

THROUGHPUT = {
    "elapsed_time": 50.0,
    "num_requests": 200,
    "total_num_tokens": 80000,
    "requests_per_second": 4.0,
    "tokens_per_second": 1600.0,
}
LATENCY = {
    "avg_latency": 2.0,
    "latencies": [1.5, 2.0, 2.5],
    "percentiles": {"10": 1.6, "25": 1.75, "50": 2.0, "75": 2.25, "90": 2.4, "99": 2.49},
}
SINCE_2026 = {"model_id": "owner/example-7b"}


@pytest.mark.parametrize("version", ["2025", "2026"])
def test_throughput_gives_the_reviewed_record(
    version: str, take: Take, golden: Callable[[str, str], None]
) -> None:
    taken = take({**THROUGHPUT, **(SINCE_2026 if version == "2026" else {})})
    golden(f"import-vllm-bench-throughput-{version}.yaml", taken.text)
    assert numbers(taken.only) == {"requests_per_s": 4.0, "total_tok_s": 1600.0}
    assert ("model" in absent(taken.only)) is (version == "2025")


@pytest.mark.parametrize("version", ["2025", "2026"])
def test_latency_gives_the_reviewed_record(
    version: str, take: Take, golden: Callable[[str, str], None]
) -> None:
    taken = take({**LATENCY, **(SINCE_2026 if version == "2026" else {})})
    golden(f"import-vllm-bench-latency-{version}.yaml", taken.text)
    found = numbers(taken.only)
    assert found["batch_latency_ms mean"] == 2000.0
    assert found["batch_latency_ms p99"] == 2490.0
    assert {"load", "input_length", "output_length", "warmup"} <= absent(taken.only).keys()


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        ({**THROUGHPUT, "tokens_per_second": 160.0}, "1600: the file contradicts itself"),
        ({**THROUGHPUT, "num_requests": 0}, "nothing was measured"),
        ({**THROUGHPUT, "elapsed_time": 0.0}, "nothing was measured"),
        ({**LATENCY, "avg_latency": 2000.0}, "not the mean of latencies"),
        ({**LATENCY, "latencies": []}, "nothing was measured"),
        ({**LATENCY, "percentiles": {"50": 9.0}}, "outside latencies"),
    ],
)
def test_what_contradicts_itself_is_refused(file: dict[str, Any], reason: str, take: Take) -> None:
    assert reason in take(file).reason
