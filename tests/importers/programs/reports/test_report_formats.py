"""Reports of serving clients, engines and leaderboards: reviewed records, conditions, what is refused and why."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.importers.programs.conftest import Take, absent, numbers, take_in
from tests.importers.programs.reports.guidellm_shapes import guidellm_new, guidellm_old
from tests.importers.programs.reports.loadgen import SYSTEM, loadgen_offline, loadgen_server
from tests.importers.programs.reports.more_shapes import (
    TRTLLM_PRINT,
    answers,
    leaderboard,
    llmperf,
    mlenergy_run,
    optimum,
    trtllm,
)
from tests.importers.programs.reports.shapes import (
    GENAI_CSV,
    aiperf_early,
    aiperf_new,
    genai_perf,
    stage,
)
from tests.importers.programs.reports.truth import Run, changed

RUN = Run()
FORMS: dict[str, Any] = {
    "mlperf-loadgen-server": loadgen_server(RUN),
    "mlperf-loadgen-offline": loadgen_offline(RUN),
    "guidellm-0.3": guidellm_old(RUN, Run(concurrency=16)),
    "guidellm-0.8": guidellm_new(RUN),
    "aiperf-early": aiperf_early(RUN),
    "aiperf-0.10": aiperf_new(RUN),
    "genai-perf-json": genai_perf(RUN),
    "genai-perf-csv": GENAI_CSV,
    "inference-perf": stage(RUN),
    "trtllm-bench-json": trtllm(RUN),
    "trtllm-bench-0.17": TRTLLM_PRINT,
    "llmperf": llmperf(RUN),
    "optimum-benchmark-0.6": optimum(RUN),
    "optimum-benchmark-0.4": optimum(RUN, "tokens/s"),
    "mlenergy-leaderboard": leaderboard(RUN, Run(concurrency=16)),
    "mlenergy-run": mlenergy_run(RUN),
    "spec-bench": answers(RUN),
    "spec-bench-colon": answers(RUN, "accept_lengths:"),
}


@pytest.mark.parametrize("form", FORMS)
def test_each_form_gives_the_reviewed_record(
    form: str, take: Take, golden: Callable[[str, str], None]
) -> None:
    taken = take(FORMS[form])
    assert not taken.reasons
    ((_, recognised, why),) = taken.intake.recognised
    assert form.startswith(recognised)
    assert why.startswith("it has ")
    # Every shape has this word wherever a secret, a path or a text of somebody may stand.
    assert "planted" not in taken.text
    golden(f"import-{form}.yaml", taken.text)


OF_THE_SERVER = {"count": 200, "request_latency": {"mean": 1.0}, "throughput": {"requests_per_sec": 5.0}}
REFUSED = [
    ("mlperf-loadgen", loadgen_server(RUN, Result_is="INVALID"), "INVALID"),
    ("mlperf-loadgen", loadgen_server(RUN, Mode="AccuracyOnly"), "AccuracyOnly"),
    ("mlperf-loadgen", loadgen_server(RUN, accuracy_log_sampling_target="100"), "compliance"),
    ("mlperf-loadgen", loadgen_server(RUN).partition("samples_per_query")[0], "cut off"),
    ("mlperf-loadgen", loadgen_offline(RUN, samples_per_query="999"), "contradicts itself"),
    ("guidellm", changed(guidellm_old(RUN), {"benchmarks/0/worker/backend_model": "e2e-mock-model"}), "mock"),
    ("guidellm", changed(guidellm_old(RUN), {"benchmarks/0/request_totals/successful": 0}), "no request was completed"),
    ("guidellm", changed(guidellm_old(RUN), {"benchmarks/0/request_totals/errored": 20}), "failed"),
    ("guidellm", {"benchmarks": [{"benchmarks": [{"results": []}]}]}, "0.1"),
    ("aiperf", changed(aiperf_new(RUN), {"was_cancelled": True}), "cancelled"),
    ("aiperf", changed(aiperf_new(RUN), {"error_summary": [{"code": 500}]}), "errors are listed"),
    ("aiperf", changed(aiperf_new(RUN), {"error_request_count": {"unit": "requests", "avg": 50.0}}), "failed"),
    ("aiperf", changed(aiperf_new(RUN), {"request_count/avg": 0.0}), "no request was completed"),
    ("aiperf", changed(aiperf_new(RUN), {"request_throughput/avg": 99.0}), "contradicts itself"),
    ("aiperf", changed(aiperf_new(RUN), {"request_latency/unit": "fortnights"}), "not known"),
    ("aiperf", changed(aiperf_new(RUN), {"input_config/phases/0/exclude_from_results": False}), "2 phases"),
    ("genai-perf", changed(genai_perf(RUN), {"time_to_first_token/avg": 99999.0}), "contradicts itself"),
    ("inference-perf", changed(stage(RUN), {"load_summary": {"count": 200}}), "import the stages"),
    ("inference-perf", changed(stage(RUN), {"successes": OF_THE_SERVER}), "server's own"),
    ("inference-perf", changed(stage(RUN), {"successes/throughput/total_tokens_per_sec": 1.5}), "contradicts itself"),
    ("inference-perf", changed(stage(RUN), {"successes/count": 0, "failures/count": 200}), "no request was completed"),
    ("trtllm-bench", TRTLLM_PRINT.replace("2000.0000", "XXXX.XX"), "X.XX"),
    ("trtllm-bench", TRTLLM_PRINT.replace("20.0000", "25.0000"), "contradicts itself"),
    ("trtllm-bench", changed(trtllm(RUN), {"performance/system_total_throughput_tok_s": 1.0}), "contradicts itself"),
    ("llmperf", changed(llmperf(RUN), {"results_num_completed_requests": 20}), "failed"),
    ("llmperf", changed(llmperf(RUN), {"results_mean_output_throughput_token_per_s": 1.0}), "contradicts itself"),
    ("optimum-benchmark", changed(optimum(RUN), {"config/backend/no_weights": True}), "random weights"),
    ("optimum-benchmark", changed(optimum(RUN), {"report/prefill/throughput/unit": "furlongs/s"}), "not known"),
    ("optimum-benchmark", changed(optimum(RUN), {"report/decode/throughput/value": 1.0}), "contradicts itself"),
    ("mlenergy", changed(leaderboard(RUN), {"configurations/0/energy_per_token_joules": 9.0}), "contradicts itself"),
    ("mlenergy", changed(mlenergy_run(RUN), {"completed": 0}), "no request was completed"),
    ("spec-bench", answers(RUN).replace('"accept_lengths": [32', '"accept_lengths": [3200'), "contradicts itself"),
    ("spec-bench", answers(RUN).replace("2.7", "0.0"), "wall time of 0"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "content", "reason"), REFUSED, ids=[f"{name}-{why}" for name, _, why in REFUSED]
)
def test_what_is_no_result_is_refused_with_the_reason(
    name: str, content: Any, reason: str, take: Take
) -> None:
    taken = take(content)
    assert reason in taken.reason
    assert [found[1] for found in taken.intake.recognised] == [name]


@pytest.mark.parametrize("form", [form for form in FORMS if isinstance(FORMS[form], dict)])
def test_a_file_that_is_cut_off_gives_nothing(form: str, take: Take) -> None:
    text = json.dumps(FORMS[form])
    taken = take(text[: len(text) * 2 // 3])
    assert not taken.batch.texts
    assert taken.reasons


@pytest.mark.parametrize("form", ["aiperf-early", "inference-perf", "llmperf", "trtllm-bench-json"])
def test_nulls_and_what_is_not_finite_become_no_number(form: str, take: Take) -> None:
    text = json.dumps(FORMS[form])
    for wrong in ("NaN", "Infinity", "null", "-1"):
        found = take(text.replace(": 80.0,", f": {wrong},").replace(": 0.08,", f": {wrong},"))
        assert not any(name.startswith("ttft") and value <= 0 for name, value in numbers(found.only).items())
        assert "ttft_ms mean" not in numbers(found.only)


def test_a_system_description_gives_parts_and_engine_and_no_more(take: Take) -> None:
    record = take(loadgen_server(RUN), log=json.dumps(SYSTEM)).only
    assert record["accelerator_ids"] == ["example-sxm-80gb"]
    assert record["hardware"]["accelerator_count"] == 16
    assert record["engine"]["version"] == "0.9.1"
    assert "operating_system" not in record["software"]
    assert "planted" not in json.dumps(record)
    none = take(loadgen_server(RUN), log=json.dumps({**SYSTEM, "accelerators_per_node": "0"})).only
    assert (
        next(item["reason"] for item in none["absent"] if item["condition"] == "hardware") == "not_applicable"
    )


def test_server_and_interactive_cannot_be_told_apart(take: Take) -> None:
    record = take(loadgen_server(RUN)).only
    assert "interactive" in absent(record)["scenario"]
    assert record["conditions"]["slo"] == {"ttft_ms": 2000.0, "tpot_ms": 200.0, "statistic": "p99"}
    assert record["conditions"]["request_rate"] == RUN.concurrency
    chosen = take(loadgen_server(RUN), settings=("scenario=interactive",)).only
    assert chosen["conditions"]["scenario"] == "interactive"


def test_the_folder_of_a_compliance_test_is_no_place_of_results(ledger: Path, tmp_path: Path) -> None:
    path = tmp_path / "TEST06" / "performance" / "run_1" / "mlperf_log_summary.txt"
    path.parent.mkdir(parents=True)
    path.write_text(loadgen_server(RUN), encoding="utf-8")
    assert "compliance" in take_in(ledger, path).reason


def test_inferred_tokens_are_no_rate(take: Take) -> None:
    text = loadgen_offline(RUN).replace("Tokens per second:", "Tokens per second (inferred):")
    found = numbers(take(text).only)
    assert "samples_per_s" in found
    assert "tps_aggregate" not in found


def test_only_the_mean_of_a_rate_is_a_throughput(take: Take) -> None:
    found = numbers(take(guidellm_old(RUN)).only)
    assert found["tps_aggregate"] == RUN.rate * RUN.got
    assert found["total_tok_s"] == RUN.rate * (RUN.sent + RUN.got)
    assert not {0.01, 500_000.0, RUN.rate / 3} & set(found.values())


def test_a_rate_that_its_requests_do_not_bear_out_is_told_and_left_out(take: Take) -> None:
    taken = take(
        changed(guidellm_old(RUN), {"benchmarks/0/metrics/tokens_per_second/successful/mean": 9999.0})
    )
    assert "total_tok_s" not in numbers(taken.only)
    assert any("contradicts itself" in remark for remark in taken.batch.remarks)


def test_time_per_output_token_changed_its_meaning(take: Take) -> None:
    assert not any("normalized" in name for name in numbers(take(guidellm_old(RUN)).only))
    found = numbers(take(guidellm_new(RUN)).only)
    assert found["normalized_latency_ms_per_token mean"] == RUN.e2e_ms / RUN.got
    assert found["tpot_ms mean"] == RUN.tpot_ms


def test_the_load_is_that_of_the_strategy(take: Take) -> None:
    def conditions(strategy: dict[str, Any]) -> Any:
        return take(changed(guidellm_old(Run(concurrency=1)), {"benchmarks/0/args/strategy": strategy})).only[
            "conditions"
        ]

    assert conditions({"type_": "synchronous"})["scenario"] == "single_stream"
    constant = conditions({"type_": "constant", "rate": 0.75, "max_concurrency": 10240})
    assert (constant["request_rate"], constant["scenario"]) == (0.75, "open_loop")
    assert "concurrency_cap" not in constant
    assert conditions({"type_": "throughput"})["request_rate"] == "inf"


def test_telemetry_of_different_parts_names_none(take: Take) -> None:
    gpus = {"a": {"gpu_name": "Example SXM Part"}, "b": {"gpu_name": "Example GPU"}}
    run = changed(aiperf_early(RUN), {"telemetry_data/endpoints/planted:9400/gpus": gpus})
    assert "accelerator_ids" not in take(run).only
    assert "accelerator_count" not in take(aiperf_early(RUN)).only.get("hardware", {})


def test_a_limit_above_the_requests_is_no_load(take: Take) -> None:
    record = take(changed(aiperf_early(RUN), {"input_config/loadgen/concurrency": 500})).only
    assert record["conditions"]["scenario"] == "burst"
    assert record["conditions"]["concurrency_cap"] == 500


def test_a_rate_that_the_client_did_not_send_is_not_the_load(take: Take) -> None:
    taken = take(changed(stage(RUN), {"load_summary/requested_rate": RUN.rate * 2}))
    assert taken.only["conditions"]["request_rate"] == RUN.rate
    assert any("asked for" in remark for remark in taken.batch.remarks)


def test_a_time_per_token_that_is_one_per_event_is_told(take: Take) -> None:
    half = {
        f"successes/latency/time_per_output_token/{word}": 0.005
        for word in ("mean", "median", "p99", "min", "max")
    }
    taken = take(changed(stage(RUN), half))
    found = numbers(taken.only)
    assert "tpot_ms mean" not in found
    assert found["inter_chunk_ms p50"] == 0.05
    assert any("stream events" in remark for remark in taken.batch.remarks)


def test_a_speed_in_stream_events_is_told_and_left_out(take: Take) -> None:
    taken = take(changed(llmperf(RUN), {"results_request_output_throughput_token_per_s_mean": 0.7}))
    assert not any(name.startswith("tok_s_per_user_e2e") for name in numbers(taken.only))
    found = numbers(taken.only)
    assert not any(name.startswith(("itl_ms", "tpot_ms")) for name in found)


def test_few_requests_in_flight_are_not_the_number_that_was_set(take: Take) -> None:
    conditions = take(changed(llmperf(RUN), {"num_concurrent_requests": 32})).only["conditions"]
    assert conditions["concurrency_cap"] == 32
    assert conditions["concurrency"] == pytest.approx(RUN.concurrency)


def test_the_devices_are_those_that_were_used(take: Take) -> None:
    record = take(optimum(RUN)).only
    assert record["hardware"]["accelerator_count"] == 2
    assert record["accelerator_ids"] == ["example-sxm-80gb"]
    mixed = take(changed(optimum(RUN), {"config/environment/gpu/0": "Example GPU"})).only
    assert "accelerator_ids" not in mixed


def test_a_report_takes_its_configuration_as_companion(take: Take) -> None:
    whole = optimum(RUN)
    alone = take(whole["report"]).only
    assert {"model", "hardware", "load", "input_length", "output_length", "warmup"} <= absent(alone).keys()
    joined = take(whole["report"], log=json.dumps(whole["config"])).only
    assert joined["conditions"] == take(whole).only["conditions"]


def test_energy_of_a_steady_state_says_its_window(take: Take) -> None:
    record = take(mlenergy_run(RUN)).only
    windows = {result["metric"]: result.get("window") for result in record["results"]}
    assert windows["joules_per_token"] == "steady_state"
    assert windows["tps_aggregate"] == "full_run"
    assert "load" in absent(record)


def test_a_baseline_has_no_acceptance(take: Take) -> None:
    assert numbers(take(answers(RUN)).only)["acceptance_length"] == RUN.got / 4
    ones = take(answers(RUN, steps=RUN.got)).only
    for record in (ones, take(answers(RUN, key="")).only):
        assert "acceptance_length" not in numbers(record)


def test_members_that_nobody_reads_are_told_by_name(take: Take) -> None:
    taken = take(changed(aiperf_new(RUN), {"new_metric": {"unit": "ms", "avg": 1.0, "p99": 2.0}}))
    assert any("`new_metric`" in remark for remark in taken.batch.remarks)
