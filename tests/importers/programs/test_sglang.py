"""SGLang `bench_serving`: versions, lengths, and what the server says of itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.importers.programs.conftest import Take, absent, lines, numbers
from tests.importers.programs.runs import SERVER_INFO, sglang_run

OLD = {
    "backend": "sglang", "request_rate": 4.0, "benchmark_duration": 50.0, "completed": 400, "total_input": 76800,
    "total_output": 38400, "total_output_retokenized": 38390, "output_token_throughput": 768.0,
    "request_throughput": 8.0, "mean_e2e_latency": 1000.0, "median_e2e_latency": 990.0, "median_ttft": 48.0,
    "median_itl": 9.5,
}  # fmt: skip
SPLIT = {
    "internal_states": [{"model_path": "/secret/path"}],
    "prefill": [{**SERVER_INFO, "version": "0.5.5"}],
    "decode": [{**SERVER_INFO, "version": "0.5.6"}, {**SERVER_INFO, "version": "0.5.6"}],
}
VERSIONS = {
    "0.2": OLD,
    "0.4": sglang_run(tag=object, server_info=object, sharegpt_output_len=object),
    "0.5": sglang_run(),
}


@pytest.mark.parametrize("version", VERSIONS)
def test_each_version_gives_the_reviewed_record(
    version: str, take: Take, golden: Callable[[str, str], None]
) -> None:
    golden(f"import-sglang-bench-serving-{version}.yaml", take(lines(VERSIONS[version])).text)


def test_names_of_the_first_version_are_milliseconds(take: Take) -> None:
    record = take(lines(OLD)).only
    assert numbers(record)["ttft_ms p50"] == 48.0
    originals = [result["derived_from"]["original"]["key"] for result in record["results"]]
    assert "median_ttft" in originals


def test_the_engine_is_known_from_the_server_alone(take: Take) -> None:
    assert take(lines(sglang_run(backend="vllm"))).only["engine"]["version"] == "0.5.5.post3"
    bare = take(lines(sglang_run(server_info=object))).only
    assert "engine" not in bare
    assert absent(bare).keys() == {"model", "hardware", "engine_version", "warmup"}


def test_nominal_lengths_are_an_upper_end_and_of_random_data_alone(take: Take) -> None:
    lengths = take(lines(sglang_run())).only["conditions"]["input_length"]
    assert lengths == {
        "nominal": 256, "mean": 192, "kind": "upper", "distribution": "uniform, 0.5 to 1 of the nominal length",
    }  # fmt: skip
    assert take(lines(sglang_run(dataset_name="sharegpt"))).only["conditions"]["input_length"] == {
        "mean": 192
    }


def test_pools_of_two_versions_are_both_stated(take: Take) -> None:
    record = take(lines(sglang_run(server_info=SPLIT))).only
    assert record["disaggregation"] == {
        "prefill_workers": 1, "decode_workers": 2, "prefill_engine_version": "0.5.5", "decode_engine_version": "0.5.6",
    }  # fmt: skip
    assert record["engine"]["version"] == "0.5.5 (prefill), 0.5.6 (decode)"


@pytest.mark.parametrize(
    ("said", "technique"),
    [
        ({"speculative_algorithm": None}, {"kind": "autoregressive"}),
        (
            {"speculative_algorithm": "EAGLE3", "speculative_num_steps": 3, "speculative_eagle_topk": 4},
            {"kind": "eagle3", "gamma": 3, "top_k": 4},
        ),
        ({"speculative_algorithm": "NEXTN"}, {"kind": "mtp"}),
    ],
)
def test_the_technique_is_that_of_the_server(
    said: dict[str, Any], technique: dict[str, Any], take: Take
) -> None:
    assert take(lines(sglang_run(server_info={**SERVER_INFO, **said}))).only["technique"] == technique


def test_the_acceptance_length_is_the_server_s_mean(take: Take) -> None:
    record = take(lines(sglang_run(accept_length=2.75))).only
    result = next(result for result in record["results"] if result["metric"] == "acceptance_length")
    assert result["value"] == 2.75
    assert "since it was started" in result["note"]


def test_secrets_of_the_server_never_reach_a_record(take: Take) -> None:
    planted = {
        "api_key": "sk-planted",
        "host": "planted.internal",
        "model_path": "/home/planted/model",
        "chat_template": "/planted",
        "quantization": "/planted/file",
        "revision": "http://planted/",
        "version": "planted",
    }
    taken = take(lines(sglang_run(server_info={**SERVER_INFO, **planted}, tag="planted")))
    assert "planted" not in taken.text
    assert len(taken.records) == 1


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"completed": 0, "mean_e2e_latency_ms": float("nan")}, "no request was completed"),
        ({"server_info": {**SERVER_INFO, "load_format": "dummy"}}, "dummy weights"),
        ({"output_throughput": 76.8}, "rate-does-not-recompute"),
        ({"mean_e2e_latency_ms": 50_100.0}, "e2e_latency_ms mean is 50100 ms, longer than the whole run"),
    ],
)
def test_what_is_no_result_is_refused(changes: dict[str, Any], reason: str, take: Take) -> None:
    assert reason in take(lines(sglang_run(**changes))).reason


def test_an_infinite_rate_is_a_word_and_zero_is_no_latency(take: Take) -> None:
    taken = take(lines(sglang_run(median_itl_ms=0.0)))
    assert taken.only["conditions"]["request_rate"] == "inf"
    assert "itl_ms p50" not in numbers(taken.only)
    assert take(lines(sglang_run(request_rate="trace"))).only["conditions"]["scenario"] == "trace_replay"
