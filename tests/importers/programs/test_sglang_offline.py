"""SGLang's programs without a client: one batch inside the process or sent to a server, and all requests at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.importers.programs.conftest import Take, absent, lines, numbers
from tests.importers.programs.runs import OFFLINE, PASSES, SENT, STREAMED, changed, sglang_run

OLD_PASSES = changed(PASSES, {"overall_throughput": object, "total_throughput": 2568.8888888888887})
VERSIONS = {
    "one-batch-passes-0.3": OLD_PASSES, "one-batch-passes": PASSES, "one-batch-sent": SENT,
    "one-batch-streamed": STREAMED, "offline-throughput": OFFLINE,
}  # fmt: skip


@pytest.mark.parametrize("version", VERSIONS)
def test_each_version_gives_the_reviewed_record(
    version: str, take: Take, golden: Callable[[str, str], None]
) -> None:
    taken = take(lines(VERSIONS[version]))
    assert "planted" not in taken.text
    golden(f"import-sglang-{version}.yaml", taken.text)


def test_the_passes_of_a_batch_are_of_the_whole_deployment(take: Take) -> None:
    record = take(lines(PASSES)).only
    assert numbers(record) == {
        "prefill_tok_s": 4096.0, "decode_tok_s p50": 640.0, "step_time_ms p50": 12.5,
        "mixed_phase_tok_s": 2568.8888888888887, "prefill_latency_ms unstated": 500.0,
        "batch_latency_ms unstated": 900.0,
    }  # fmt: skip
    assert record["engine"] == {"id": "example-engine"}
    assert absent(record).keys() == {"model", "hardware", "engine_version", "warmup"}


def test_the_rate_of_a_server_changed_its_meaning(take: Take) -> None:
    sent = take(lines(SENT)).only
    assert numbers(sent)["tps_aggregate"] == 213.83
    assert "engine" not in sent
    streamed = take(lines(STREAMED))
    assert "one token too many" in next(iter(streamed.batch.remarks))
    assert numbers(streamed.only) == {
        "total_tok_s": 1872.67, "batch_latency_ms unstated": 1234.6, "ttft_ms max": 320.0, "prefill_tok_s": 6400.0,
    }  # fmt: skip
    exact = take(lines({**STREAMED, "output_throughput": 279.9})).only
    assert numbers(exact)["decode_tok_s"] == 279.9


def test_what_is_unknown_is_no_number(take: Take) -> None:
    assert "acceptance_length" not in numbers(take(lines(STREAMED)).only)
    known = take(lines({**STREAMED, "acc_length": 2.75})).only
    assert numbers(known)["acceptance_length"] == 2.75
    assert "prefill_tok_s" not in numbers(take(lines({**STREAMED, "cache_hit_rate": 0.5})).only)


def test_one_token_has_no_decode(take: Take) -> None:
    bare = changed(
        {**PASSES, "output_len": 1, "total_latency": 0.5, "overall_throughput": 4112.0},
        {"median_decode_latency": object, "median_decode_throughput": object},
    )
    assert "decode_tok_s p50" not in numbers(take(lines(bare)).only)


def test_both_programs_append_to_one_file(take: Take) -> None:
    taken = take(lines(PASSES, SENT, STREAMED))
    assert [name for _, name, _ in taken.intake.recognised] == ["sglang-one-batch"]
    assert len(taken.records) == 3


def test_all_requests_at_once_have_no_load(take: Take) -> None:
    record = take(lines(OFFLINE)).only
    assert numbers(record) == {
        "requests_per_s": 20.0, "input_tok_s": 5120.0, "tps_aggregate": 2560.0, "total_tok_s": 7680.0,
    }  # fmt: skip
    assert record["conditions"]["output_length"] == {"mean": 128}
    assert absent(record).keys() == {"model", "hardware", "load", "engine_version", "warmup"}


@pytest.mark.parametrize(
    ("run", "reason"),
    [
        ({**PASSES, "prefill_throughput": 512.0}, "2048 tokens in 0.5 s are 4096"),
        ({**PASSES, "median_decode_throughput": 80.0}, "8 tokens in 0.0125 s are 640"),
        ({**PASSES, "prefill_latency": 1.0, "prefill_throughput": 2048.0}, "above total_latency"),
        ({**PASSES, "total_latency": 0}, "total_latency is no time"),
        ({**PASSES, "batch_size": None}, "nobody knows what was run"),
        ({**SENT, "output_throughput": 300.0}, "264 tokens in 1.2346 s"),
        ({**STREAMED, "output_throughput": 300.0}, "the latency after last_ttft"),
        ({**STREAMED, "last_ttft": 1.5, "input_throughput": 1365.33}, "above latency"),
        ({**OFFLINE, "total_latency": -1, "total_output_tokens": -1}, "the run did not end"),
        ({**OFFLINE, "successful_requests": 0}, "no request was completed"),
        ({**OFFLINE, "total_output_tokens": 0}, "counts nothing"),
        ({**OFFLINE, "total_throughput": 2560.0}, "the other numbers give 7680"),
    ],
)
def test_what_is_no_result_is_refused(run: dict[str, Any], reason: str, take: Take) -> None:
    assert reason in take(lines(run)).reason


def test_the_serving_benchmark_is_none_of_them(take: Take) -> None:
    ((_, name, _),) = take(lines(sglang_run())).intake.recognised
    assert name == "sglang-bench-serving"
