"""From files to records: recognising, asking, folders, settings with their sources, duplicates, and the command."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.importers.programs.conftest import Take, Taken, absent, lines, take_in
from tests.importers.programs.runs import (
    CONSOLE,
    OFFLINE,
    PASSES,
    STREAMED,
    as_sql,
    inferencex_run,
    llama_row,
    sglang_run,
    vllm_run,
)
from tools.errors import ToolsError
from tools.importers.programs.content import Content
from tools.importers.programs.files import Found
from tools.importers.programs.registry import LISTED, format_named, formats

THROUGHPUT = {
    "elapsed_time": 50.0,
    "num_requests": 200,
    "total_num_tokens": 80000,
    "requests_per_second": 4.0,
}
LATENCY = {"avg_latency": 2.0, "latencies": [1.5, 2.5], "percentiles": {"50": 2.0}}


@pytest.mark.parametrize("name", LISTED)
def test_every_format_says_what_it_is_recognised_by(name: str) -> None:
    known = format_named(name)
    assert known.recognised_by
    assert known.recognise(Content(b"hello")) is None
    assert known.recognise(Content(b"{}")) is None


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("vllm-bench-serve", vllm_run()),
        ("vllm-console", CONSOLE),
        ("llama-bench", [llama_row()]),
        ("sglang-bench-serving", sglang_run()),
        ("sglang-one-batch", PASSES),
        ("sglang-one-batch", STREAMED),
        ("sglang-offline-throughput", OFFLINE),
        ("llama-bench", as_sql(llama_row())),
        ("vllm-bench-throughput", THROUGHPUT),
        ("vllm-bench-latency", LATENCY),
        ("inferencex", inferencex_run()),
    ],
)
def test_exactly_one_format_fits_and_says_why(name: str, content: Any, take: Take) -> None:
    text = content if isinstance(content, str) else json.dumps(content)
    assert [known.name for known in formats() if known.recognise(Content(text.encode())) is not None] == [
        name
    ]
    ((_, named, why),) = take(content).intake.recognised
    assert named == name
    assert why.startswith("it")


def test_a_named_format_that_does_not_fit_says_what_is_missing(take: Take) -> None:
    assert "it is no llama-bench: it has no build_commit" in take(vllm_run(), format="llama-bench").reason


BOTH = [{**THROUGHPUT, **LATENCY}]


def test_a_file_that_two_formats_fit_is_listed_or_asked_for(take: Take) -> None:
    reason = take(BOTH).reason
    assert "vllm-bench-throughput (it has" in reason
    assert "vllm-bench-latency (it has" in reason
    asked: list[list[str]] = []

    def choose(_: str, fits: Any) -> Any:
        asked.append([known.name for known, _ in fits])
        return fits[1][0]

    taken = take(BOTH, choose=choose)
    assert asked == [["vllm-bench-throughput", "vllm-bench-latency"]]
    assert taken.only["conditions"]["scenario"] == "fixed_batch"
    assert take(BOTH, format="vllm-bench-throughput").only["conditions"]["scenario"] == "offline"


def test_a_folder_gives_all_it_holds(ledger: Path, tmp_path: Path) -> None:
    folder = tmp_path / "results"
    (folder / "inner").mkdir(parents=True)
    files = {
        "a.json": json.dumps(vllm_run()),
        "inner/copy.json": json.dumps(vllm_run()),
        "inner/b.jsonl": lines(sglang_run(completed=0)),
        "notes.md": "# Notes",
        ".hidden": json.dumps(THROUGHPUT),
        "empty.json": "",
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    taken = take_in(ledger, folder, sources=("example-log:{file}",))
    assert len(taken.records) == 1
    assert len(taken.batch.duplicates) == 1
    assert len(taken.reasons) == 1
    assert "no request was completed" in taken.reasons[0]
    assert taken.intake.passed_over == 2


def test_names_of_files_are_no_data(take: Take, ledger: Path, tmp_path: Path) -> None:
    other = tmp_path / "owner-example-70b-8xH100-conc64.json"
    other.write_text(json.dumps(vllm_run()), encoding="utf-8")
    assert take_in(ledger, other).text == take(vllm_run()).text


def test_a_record_that_stands_is_a_duplicate_even_when_the_file_grew(ledger: Path, tmp_path: Path) -> None:
    path = tmp_path / "runs.jsonl"
    path.write_text(lines(sglang_run(), sglang_run(max_concurrency=16)), encoding="utf-8")
    first = take_in(ledger, path)
    assert first.batch.write() == 2
    path.write_text(path.read_text() + lines(sglang_run(max_concurrency=32)), encoding="utf-8")
    again = take_in(ledger, path)
    assert len(again.batch.duplicates) == 2
    assert [record["conditions"]["concurrency_cap"] for record in again.records] == [32]


SETTINGS = ("hardware=8xex100", "engine_version=vllm@0.8.4", "warmup=excluded")


def test_a_setting_fills_a_condition_and_cites_its_source(take: Take) -> None:
    sources = ("example-log:run", *(f"example-paper:Section {number}" for number in (1, 2, 3)))
    record = take(vllm_run(), settings=SETTINGS, sources=sources).only
    assert record["accelerator_ids"] == ["example-sxm-80gb"]
    assert record["hardware"]["accelerator_count"] == 8
    assert record["engine"] == {"id": "example-engine", "version": "0.8.4"}
    assert not absent(record)
    assert [source["locator"] for source in record["sources"]] == [
        "run",
        "Section 1",
        "Section 2",
        "Section 3",
    ]
    assert record["sources"][1]["note"] == "states hardware"
    assert record["sources"][0]["artifact_sha256"]


def test_a_setting_does_not_overrule_the_file(take: Take) -> None:
    assert "the file states it otherwise" in take(vllm_run(), settings=("model=example-70b",)).reason
    assert "two values of /counts" not in take(vllm_run(), settings=("model=example-7b",)).text
    assert "the file states it otherwise" in take(vllm_run(), settings=("load=concurrency:4",)).reason
    assert "two values" in take(vllm_run(), settings=("/conditions/burstiness=0.5",)).reason
    assert take(vllm_run(), settings=("/technique/kind=mtp",)).only["technique"] == {"kind": "mtp"}


@pytest.mark.parametrize(
    ("settings", "sources", "message"),
    [
        ((), (), "the records need the source of the file"),
        ((), ("nobody:x",), "nobody"),
        ((), ("example-7b:x",), "no source record"),
        ((), ("example-log",), "where in `example-log`"),
        (("warmup=none", "scenario=burst"), ("example-log:x", "example-log:y"), "2 sources are given"),
        (("warmup",), ("example-log:x",), "is not CONDITION=VALUE"),
        (("colour=blue",), ("example-log:x",), "colour"),
        (("hardware=no such card",), ("example-log:x",), "no accelerator record"),
        (("load=32",), ("example-log:x",), "does not say what is counted"),
        (("warmup=perhaps",), ("example-log:x",), "none of excluded, included, none"),
        (("input_length=long",), ("example-log:x",), "is no number"),
        (("input_length=1.5",), ("example-log:x",), "is no whole number"),
        (("output_length=0",), ("example-log:x",), "is none at all"),
        (("input_length=1_000",), ("example-log:x",), "is no number"),
        (("input_length=\u0661\u0660",), ("example-log:x",), "is no number"),
        (("load=concurrency:2.5",), ("example-log:x",), "is no whole number"),
        (("load=concurrency:32 req/s",), ("example-log:x",), "is no number"),
        (("load=batch_size:",), ("example-log:x",), "is no number"),
        (("load=request_rate:0",), ("example-log:x",), "is none at all"),
        (("load=request_rate:1e400",), ("example-log:x",), "is no number"),
        (("engine_version=0.8.4",), ("example-log:x",), "does not name engine and version"),
        (("/results/0/value=3",), ("example-log:x",), "--set does not give /results"),
        (("/hardware~2/x=3",), ("example-log:x",), "is not a JSON Pointer"),
    ],
)
def test_a_call_that_says_nothing_is_told(
    settings: tuple[str, ...], sources: tuple[str, ...], message: str, take: Take
) -> None:
    with pytest.raises(ToolsError) as told:
        take(vllm_run(), settings=settings, sources=sources)
    assert message in told.value.message
    assert told.value.hint


def test_a_title_is_the_contributor_s(take: Take) -> None:
    assert take(THROUGHPUT, settings=("/title=Nightly run",)).only["title"] == "Nightly run"


@pytest.mark.parametrize(
    "name", ["sk-planted0123456789.json", "new\nline.json", "\x1b[31mred.json", "http:x@planted.json"]
)
def test_a_name_that_no_record_may_have_is_no_locator(name: str, ledger: Path, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(json.dumps(vllm_run()), encoding="utf-8")
    taken = take_in(ledger, path, sources=("example-log:{file}",))
    assert "give the locator in words" in taken.reason
    assert "planted" not in taken.reason
    assert take_in(ledger, path, sources=("example-log:the run of March",)).only


def take_in_file(ledger: Path, path: Path) -> Taken:
    """Take in what a call named as a file, whatever it is."""
    taken = take_in(ledger)
    taken.intake.take(Found(path, path.name))
    return taken


def test_what_is_no_file_is_told(ledger: Path, tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    assert "it cannot be read: Is a directory" in take_in_file(ledger, tmp_path / "runs").reason
    assert "it cannot be read: No such file" in take_in_file(ledger, tmp_path / "gone.json").reason


def test_a_folder_that_leads_into_itself_is_read_once(ledger: Path, tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    (folder / "inner").mkdir(parents=True)
    (folder / "inner" / "a.json").write_text(json.dumps(vllm_run()), encoding="utf-8")
    (folder / "inner" / "back").symlink_to(folder, target_is_directory=True)
    (folder / "self").symlink_to(folder / "self")
    (folder / "gone").symlink_to(tmp_path / "nowhere")
    os.mkfifo(folder / "pipe")
    taken = take_in(ledger, folder)
    assert len(taken.records) == 1
    assert not taken.reasons
    assert not taken.batch.duplicates


def test_the_same_file_twice_is_one_record(ledger: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(vllm_run()), encoding="utf-8")
    taken = take_in(ledger, path, path, tmp_path)
    assert (len(taken.records), len(taken.batch.duplicates)) == (1, 2)


def test_runs_of_another_program_at_the_end_are_not_read_as_its_own(take: Take) -> None:
    mixed = lines(*(sglang_run(max_concurrency=number) for number in range(1, 450)), vllm_run())
    assert "no known format fits" in take(mixed).reason


def test_members_that_nobody_reads_are_told_by_name(take: Take) -> None:
    (remark,) = take(vllm_run(probe_ttft=1.0)).batch.remarks
    assert "probe_ttft" in remark
