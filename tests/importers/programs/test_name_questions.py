"""Names of files and folders: never data, but a question where the record lacks what they seem to say."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.importers.programs.conftest import Take, Taken, lines, take_in
from tests.importers.programs.runs import CONSOLE, llama_row, vllm_run
from tests.importers.programs.runs import PASSES as BATCH
from tools.cli.app import app


def named(name: str, ledger: Path, tmp_path: Path, text: str = "", **more: str) -> Taken:
    """Take in a run under a path below a folder."""
    path = tmp_path / "runs" / name
    path.parent.mkdir(parents=True)
    path.write_text(text or json.dumps(vllm_run()), encoding="utf-8")
    return take_in(ledger, tmp_path / "runs", **more)


@pytest.mark.parametrize(
    ("name", "asked", "setting"),
    [
        ("results_h100.json", "hardware", "hardware=NAME"),
        ("8xH200-SXM/run.json", "hardware", "hardware=8xNAME"),
        ("AMD/8xMI300X_2xEPYC_9575F/llama/Server/performance/run_1/x.json", "hardware", "hardware=8xNAME"),
        ("fp8/run.json", "/precision/weights", "/precision/weights=fp8"),
        ("run-W4A16.json", "/precision/weights", "/precision/weights=w4a16"),
        ("a_tp8_b.json", "/parallelism/tensor", "/parallelism/tensor=8"),
        ("vllm-0.8.4/run.json", "engine_version", "engine_version=vllm@0.8.4"),
        ("sglang_v0.5.5.post3.json", "engine_version", "engine_version=sglang@0.5.5.post3"),
    ],
)
def test_a_name_that_says_what_the_file_does_not_is_asked_about(
    name: str, asked: str, setting: str, ledger: Path, tmp_path: Path
) -> None:
    taken = named(name, ledger, tmp_path)
    (question,) = (text for text in taken.intake.questions if text.startswith(f"{asked}:"))
    assert question.endswith(f"--set {setting}")
    assert taken.text == take_in(ledger, _elsewhere(tmp_path)).text


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("c64.json", "load"), ("conc-64.json", "load"), ("concurrency=64.json", "load"), ("bs8.json", "load"),
        ("batch_size_8.json", "load"), ("rps4.json", "load"), ("isl1024_osl256.json", "input_length"),
        ("isl1024_osl256.json", "output_length"), ("agg_in512_out128.json", "input_length"),
    ],
)  # fmt: skip
def test_load_and_lengths_are_asked_for_where_the_program_writes_none(
    name: str, asked: str, ledger: Path, tmp_path: Path
) -> None:
    latency = json.dumps({"avg_latency": 2.0, "latencies": [1.5, 2.5], "percentiles": {"50": 2.0}})
    assert any(
        text.startswith(f"{asked}:") for text in named(name, ledger, tmp_path, latency).intake.questions
    )


@pytest.mark.parametrize(
    "name",
    [
        "c4.json", "run-in-2-steps.json", "batch_2.json", "20250419-055716.json", "http8.json", "sha100.json",
        "graph100.json", "vitamin-c-64.json", "llama-3.1-8b.json", "qwen2.5-v2.0.json", "http-fp80.json", "x.fp8x.json",
        "outline7.json", "tp.json", "vllm.json", "a100b.json", "deepseek-r1-0528.json", "main512.json", "xtp8.json",
    ],
)  # fmt: skip
def test_what_only_looks_like_it_is_not_asked_about(name: str, ledger: Path, tmp_path: Path) -> None:
    latency = json.dumps({"avg_latency": 2.0, "latencies": [1.5, 2.5], "percentiles": {"50": 2.0}})
    assert not named(name, ledger, tmp_path, latency).intake.questions


def test_what_the_record_states_is_not_asked_about(ledger: Path, tmp_path: Path) -> None:
    name = "h100_tp8_c64_isl1024_osl64_vllm-0.8.4_fp8.json"
    rows = named(name, ledger, tmp_path, json.dumps([llama_row()]))
    assert {text.partition(":")[0] for text in rows.intake.questions} == {"/parallelism/tensor"}
    shutil.rmtree(tmp_path / "runs")
    told = named(name, ledger, tmp_path, settings=("hardware=8xex100", "engine_version=vllm@0.9"))  # type: ignore[arg-type]
    assert {text.partition(":")[0] for text in told.intake.questions} == {
        "/parallelism/tensor", "/precision/weights",
    }  # fmt: skip


def test_a_word_that_the_model_is_called_by_is_no_question(ledger: Path, tmp_path: Path) -> None:
    text = json.dumps(vllm_run(model_id="owner/example-7b-FP8"))
    assert not named("example-7b-fp8.json", ledger, tmp_path, text).intake.questions


def test_a_run_that_is_refused_asks_nothing(ledger: Path, tmp_path: Path) -> None:
    assert not named("h100.json", ledger, tmp_path, json.dumps(vllm_run(completed=0))).intake.questions


def test_the_processor_alone_is_no_gap(ledger: Path, tmp_path: Path) -> None:
    text = json.dumps([llama_row(backends="CPU", gpu_info="")])
    assert not any("hardware" in text for text in named("h100.json", ledger, tmp_path, text).intake.questions)


def test_several_points_of_a_file_ask_once_each_thing(ledger: Path, tmp_path: Path, take: Take) -> None:
    two = lines(BATCH, {**BATCH, "run_name": "y"})
    taken = named("h200.jsonl", ledger, tmp_path, two)
    assert len(taken.intake.questions) == 1
    assert sum(taken.intake.questions.values()) == len(taken.records)
    assert not take(CONSOLE).intake.questions


def test_the_summary_of_the_command_asks(ledger: Path, tmp_path: Path) -> None:
    path = tmp_path / "tp8.json"
    path.write_text(json.dumps(vllm_run()), encoding="utf-8")
    arguments = [
        "import",
        "auto",
        str(path),
        "--source",
        "example-log:x",
        "--by",
        "me",
        "--stdout",
        "--root",
        str(ledger),
    ]
    told = CliRunner().invoke(app, arguments).stderr
    assert "names of files and folders are never data" in told
    assert '1 x /parallelism/tensor: a name has "tp8"' in told


def _elsewhere(tmp_path: Path) -> Path:
    path = tmp_path / "other.json"
    path.write_text(json.dumps(vllm_run()), encoding="utf-8")
    return path
