"""vLLM `bench serve`: its JSON of several versions, its console output, and the two together."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.importers.programs.conftest import Take, absent, lines, numbers, take_in
from tests.importers.programs.runs import CONSOLE, vllm_run

GOODPUT = "request_goodput:"
VERSIONS = {
    "early-2024": vllm_run(
        endpoint_type=object, label=object, burstiness=object, max_concurrency=object, failed=object, date=object,
        request_throughput=object, total_token_throughput=object, request_goodput=object, rtfx=object,
        max_output_tokens_per_s=object, max_concurrent_requests=object, request_inthroughput=4.0,
        input_throughput=512.0, std_ttft_ms=object, std_tpot_ms=object, std_itl_ms=object,
    ),
    "0.8.4": vllm_run(
        endpoint_type=object, label=object, failed=object, request_goodput=object, rtfx=object,
        max_output_tokens_per_s=object, max_concurrent_requests=object, **{GOODPUT: 3.5}, best_of=1, backend="vllm",
    ),
    "2026": vllm_run(
        **{"p99.9_ttft_ms": 80.0}, p50_ttft_ms=50.5, mean_e2el_ms=1320.0, median_e2el_ms=1300.0,
        spec_decode_acceptance_rate=50.0, spec_decode_acceptance_length=2.5, spec_decode_num_drafts=1000,
        spec_decode_draft_tokens=3000, spec_decode_accepted_tokens=1500,
        spec_decode_per_position_acceptance_rates=[0.75, 0.5, 0.25],
    ),
}  # fmt: skip


@pytest.mark.parametrize("version", VERSIONS)
def test_each_version_gives_the_reviewed_record(
    version: str, take: Take, golden: Callable[[str, str], None]
) -> None:
    golden(f"import-vllm-bench-serve-{version}.yaml", take(VERSIONS[version]).text)


def test_per_cent_becomes_a_fraction_and_shares_stay(take: Take) -> None:
    found = numbers(take(VERSIONS["2026"]).only)
    assert found["acceptance_rate"] == 0.5
    assert found["acceptance_length"] == 2.5
    assert found["acceptance_rate_unconditional 3"] == 0.25
    assert found["ttft_ms p99.9"] == 80.0


@pytest.mark.parametrize(
    ("changes", "scenario", "conditions"),
    [
        (
            {"request_rate": "inf", "max_concurrency": 32},
            "closed_loop",
            {"concurrency_cap": 32, "request_rate": "inf"},
        ),
        ({"request_rate": "inf", "max_concurrency": 500}, "burst", {"request_rate": "inf"}),
        ({"request_rate": "inf"}, "burst", {"request_rate": "inf"}),
        ({"request_rate": 5.0}, "open_loop", {"request_rate": 5.0}),
        ({"request_rate": 5.0, "max_concurrency": 8}, "other", {"request_rate": 5.0, "concurrency_cap": 8}),
    ],
)
def test_rate_and_cap_make_the_arrival_pattern(
    changes: dict[str, object], scenario: str, conditions: dict[str, object], take: Take
) -> None:
    found = take(vllm_run(**changes)).only["conditions"]
    assert found["scenario"] == scenario
    assert found.items() >= conditions.items()
    assert "concurrency" not in found


def test_the_protocol_is_not_the_engine(take: Take) -> None:
    record = take(vllm_run(backend="vllm", endpoint_type=object)).only
    assert record["client"]["protocol"] == "vllm"
    assert "engine" not in record
    assert absent(record).keys() == {"hardware", "engine_version", "warmup"}
    assert "--log" in absent(record)["warmup"]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"completed": 0, "mean_ttft_ms": 0.0}, "no request was completed"),
        ({"completed": 450}, "50 of 500 requests failed, more than 1%"),
        ({"completed": 501}, "501 requests were completed of 500"),
        ({"total_output_tokens": 0}, "nobody counted them"),
        ({"ramp_up_strategy": "linear", "request_rate": "inf"}, "no single operating point"),
        ({"model_id": "owner/mock-model"}, "mock or simulated server"),
        ({"output_throughput": 512.0}, "rate-does-not-recompute"),
        ({"mean_ttft_ms": -3.0}, "nothing is measured below 0"),
        ({"p99_ttft_ms": 126000.0}, "ttft_ms p99 is 126000 ms, longer than the whole run of 125 s"),
        ({"mean_ttft_ms": 1e308}, "longer than the whole run"),
        ({"duration": 0.05, "request_throughput": 10000.0, "output_throughput": 640000.0,
          "total_token_throughput": 1920000.0}, "longer than the whole run of 0.05 s"),
        ({"output_lens": [64] * 499 + [65]}, "adds up to 32001"),
        ({"ttfts": [0.05] * 500}, "the mean of ttfts is 50 ms"),
        ({"p50_ttft_ms": 51.0}, "two values of ttft_ms p50"),
        ({"spec_decode_acceptance_rate": 0.5, "spec_decode_draft_tokens": 3000, "spec_decode_accepted_tokens": 1500},
         "its counts give 50"),
    ],
)  # fmt: skip
def test_what_is_no_result_is_refused_with_the_reason(
    changes: dict[str, object], reason: str, take: Take
) -> None:
    assert reason in take(vllm_run(**changes)).reason


def test_failures_are_taken_when_asked_for_and_few_are_told(take: Take) -> None:
    few = take(vllm_run(completed=496, failed=4, request_throughput=3.968))
    assert few.only["counts"]["failed"] == 4
    assert any("failed" in remark for remark in few.batch.remarks)
    many = take(vllm_run(completed=400, failed=100, request_throughput=3.2), accept_failures=True)
    assert many.only["counts"]["completed"] == 400


def test_what_is_not_finite_or_zero_is_no_number(take: Take) -> None:
    text = json.dumps(vllm_run(mean_tpot_ms=0.0, p99_ttft_ms=float("nan"), std_ttft_ms=float("inf")))
    found = numbers(take(text).only)
    assert not {"tpot_ms mean", "ttft_ms p99", "ttft_ms std"} & found.keys()


def test_secrets_and_personal_data_never_reach_a_record(take: Take) -> None:
    planted = {
        "label": "planted label",
        "api_key": "sk-planted-key",
        "model_id": "/home/planted/models/x",
        "tokenizer_id": "/home/planted/models/x",
        "generated_texts": ["planted text"],
        "errors": ["http://planted.corp:8000"],
        "base_url": "http://planted:8000",
        "hostname": "planted",
    }
    taken = take(vllm_run(**planted))
    assert "planted" not in taken.text
    assert "dropped" in next(item["note"] for item in taken.only["absent"] if item["condition"] == "model")
    assert any("hostname" in remark for remark in taken.batch.remarks)
    assert "planted" not in take(CONSOLE.replace("x.json", "planted.json")).text
    assert "alice" not in take(CONSOLE).text


def test_an_old_client_exchanged_mean_and_median_of_e2e(take: Take) -> None:
    old = vllm_run(
        burstiness=object, max_concurrency=object, mean_e2el_ms=1.0, median_e2el_ms=2.0, p99_e2el_ms=1900.0
    )
    found = numbers(take(old).only)
    assert "e2e_latency_ms mean" not in found
    assert found["e2e_latency_ms p99"] == 1900.0


def test_appended_runs_and_a_sweep_are_records_each(take: Take) -> None:
    first, second = vllm_run(), vllm_run(request_rate=7.5, date="20260301-130000")
    assert len(take(lines(first, second)).records) == 2
    swept = take(
        [{**first, "run_number": 0, "max_num_seqs": 8}, {**second, "run_number": 1, "max_num_seqs": 16}]
    )
    assert [record["conditions"]["max_batch_size"] for record in swept.records] == [8, 16]
    assert len({record["sweep_id"] for record in swept.records}) == 1
    assert [record["sources"][0]["locator"] for record in swept.records] == ["run, item 1", "run, item 2"]


def test_a_look_alike_without_units_is_not_guessed_at(take: Take) -> None:
    bare = {key.removesuffix("_ms"): value for key, value in vllm_run().items()}
    assert "no known format fits" in take(bare).reason


def test_the_console_alone_has_what_the_arguments_say(take: Take, golden: Callable[[str, str], None]) -> None:
    taken = take(CONSOLE)
    golden("import-vllm-console.yaml", taken.text)
    conditions = taken.only["conditions"]
    assert conditions["input_length"] == {"nominal": 128, "mean": 128, "kind": "exact"}
    assert conditions["warmup"] == {"handling": "excluded", "requests": 4}
    assert conditions["slo"] == {"ttft_ms": 200, "tpot_ms": 50}


def test_lengths_of_another_data_set_are_not_used(take: Take) -> None:
    conditions = take(CONSOLE.replace("dataset_name='random'", "dataset_name='sharegpt'")).only["conditions"]
    assert conditions["input_length"] == {"mean": 128}
    assert conditions["dataset_kind"] == "natural"


@pytest.mark.parametrize(
    ("text", "reason"),
    [(CONSOLE[:-52], "breaks off"), (CONSOLE.replace("     500  ", "     0  "), "no request")],
)
def test_a_console_output_that_is_no_result_is_refused(text: str, reason: str, take: Take) -> None:
    assert reason in take(text).reason


def test_the_log_beside_the_json_fills_conditions_and_is_cited(take: Take) -> None:
    record = take(vllm_run(), log=CONSOLE).only
    assert record["conditions"]["warmup"]["requests"] == 4
    assert numbers(record)["ttft_ms p99"] == 75.125
    assert [source["read_from"] for source in record["sources"]] == ["file", "log"]
    assert "the log is of another run" in take(vllm_run(duration=125.5), log=CONSOLE).reason


def test_a_log_in_the_same_folder_goes_to_its_run(ledger: Path, tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    (folder / "a.log").write_text(CONSOLE, encoding="utf-8")
    (folder / "b.json").write_text(json.dumps(vllm_run()), encoding="utf-8")
    (folder / "c.json").write_text(json.dumps(vllm_run(request_rate=2.0)), encoding="utf-8")
    records = take_in(ledger, folder).records
    assert ["warmup" in record["conditions"] for record in records] == [True, False]
