"""InferenceX: its aggregates, and the download of its site with seconds under headers of milliseconds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.importers.programs.conftest import Take, absent, numbers
from tests.importers.programs.runs import inferencex_run

HEADER = (
    "Model,ISL,OSL,Hardware,Hardware Key,Framework,Precision,TP,Concurrency,Date,Throughput/GPU (tok/s),"
    "Output Throughput/GPU (tok/s),Input Throughput/GPU (tok/s),Mean TTFT (ms),Median TPOT (ms),"
    "Median Interactivity (tok/s/user),Disaggregated,Num Prefill GPUs,Num Decode GPUs,Spec Decoding,EP,DP Attention,"
    "Is Multinode\n"
)
LICENCE = (
    "# Licensed under Apache License 2.0\n# Data from InferenceX.\n# Attribution to InferenceX is required.\n"
)
ROW = "owner/example-7b,1024,1024,ex100,ex100_sglang,sglang,fp8,8,4,2026-06-02,100.5,50.25,50.25,0.158,0.01,100,"
SITE = f"{LICENCE}{HEADER}{ROW}false,,,none,1,false,false\n"


def test_an_aggregate_gives_the_reviewed_record(take: Take, golden: Callable[[str, str], None]) -> None:
    taken = take(inferencex_run())
    golden("import-inferencex.yaml", taken.text)
    record = taken.only
    found = numbers(record)
    assert found["ttft_ms p99"] == 1250.0
    assert found["tok_s_per_user p1"] == 40.0
    assert not {"tok_s_per_user mean", "tok_s_per_user std", "tok_s_per_user p99"} & found.keys()
    assert record["hardware"] == {"accelerator_count": 8, "system_name": "ex100-nb"}
    assert record["engine"]["version"] == "0.22.0"
    assert record["conditions"]["input_length"]["kind"] == "upper"
    assert absent(record).keys() == {"warmup", "scenario"}


def test_the_site_has_seconds_under_headers_of_milliseconds(
    take: Take, golden: Callable[[str, str], None]
) -> None:
    taken = take(SITE)
    golden("import-inferencex-csv.yaml", taken.text)
    found = numbers(taken.only)
    assert found["ttft_ms mean"] == 158.0
    assert found["tpot_ms p50"] == 10.0
    assert found["total_tok_s_per_accelerator"] == 100.5
    assert "no known format" in take(HEADER + ROW + "false,,,none,1,false,false\n").reason


def test_rates_of_pools_are_of_pools(take: Take) -> None:
    split = take(inferencex_run(disagg="true", is_multinode=True, num_prefill_gpu=4, num_decode_gpu=8)).only
    found = numbers(split)
    assert found["output_tok_s_per_decode_accelerator"] == 200.0
    assert found["input_tok_s_per_prefill_accelerator"] == 200.0
    assert split["disaggregation"] == {"prefill_accelerators": 4, "decode_accelerators": 8}


def test_an_unknown_suffix_is_no_part_to_strip(take: Take) -> None:
    taken = take(inferencex_run(hw="ex100-pcie"))
    assert "accelerator_ids" not in taken.only
    assert taken.intake.names.unknown["accelerator", "ex100-pcie"] == 1


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        (inferencex_run(p99_intvty=60.0), "the file contradicts itself"),
        (inferencex_run(tput_per_gpu=800.0), "are not the total"),
        (inferencex_run(request_metrics={}, isl=None), "agentic variant"),
        (SITE.replace("0.01,100,", "0.01,90,"), "the file contradicts itself"),
    ],
)
def test_what_contradicts_itself_or_is_another_format_is_refused(file: Any, reason: str, take: Take) -> None:
    assert reason in take(file).reason


def test_an_image_of_somebody_s_own_registry_is_dropped(take: Take) -> None:
    taken = take(inferencex_run(image="registry.corp:5000/planted/engine:v1.2.3"))
    assert "planted" not in taken.text
    assert "engine_version" in absent(taken.only)
