"""`tools new`: by flags, and at a terminal."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tools.cli.new import Kind
from tools.records.catalog import FOLDERS
from tools.records.parse import parse

FLAGS = {
    "benchmark": [
        *("--set", "/title=A run", "--set", "/evidence=measured", "--set", "/measured_by=self"),
        *("--set", "/model_id=example-7b", "--set", "/accelerator_ids=[example-card-80gb-pcie]"),
        *("--set", "/conditions/concurrency=32", "--set", "/conditions/input_length={nominal: 1024}"),
        *("--set", "/results/-/metric=tps_aggregate", "--set", "/results/0/value=2.20"),
        *("--set", "/results/0/unit=tok/s", "--evidence", "example-log:line 12"),
        *("--absent", "output_length=not_stated", "--absent", "engine_version=withheld"),
        *(
            "--absent",
            "warmup=unrecoverable:the command line: all of it",
            "--absent",
            "scenario=not_applicable",
        ),
    ],
    "accelerator": [
        "--set",
        "/name=A card",
        "--set",
        "/vendor=Example",
        "--evidence",
        "example-paper:page 2",
    ],
    "model": ["--set", "/name=A model", "--set", "/publisher=Example", "--evidence", "example-paper:page 2"],
    "engine": ["--set", "/name=An engine", "--set", "/publisher=Example", "--evidence", "example-paper:p. 2"],
    "source": ["--set", "/title=A page", "--set", "/type=blog", "--set", "/url=https://page.example/1"],
}


class Terminal(io.StringIO):
    """A terminal at which the answers are typed."""

    def isatty(self) -> bool:
        return True


def test_the_kinds_are_those_of_the_catalog() -> None:
    assert [kind.value for kind in Kind] == list(FOLDERS)


@pytest.mark.parametrize("kind", FLAGS)
def test_a_record_by_flags_is_valid_and_canonical(tools, ledger: Path, kind: str) -> None:
    done = tools("new", kind, "new-one", *FLAGS[kind], "--by", "ana", "--root", ledger)
    assert done.returncode == 0, done.stdout + done.stderr
    path = ledger / "data" / FOLDERS[kind] / "new-one.yaml"
    assert done.stdout == f"written {path.relative_to(ledger)}\n"
    line, _ = path.read_text().split("\n", 1)
    assert line == f"# yaml-language-server: $schema=../../.cache/editor/{kind}.schema.json"
    assert tools("validate", "--root", ledger, "--strict").returncode == 0
    assert tools("fmt", "--check", "--root", ledger).returncode == 0
    assert [child.name for child in path.parent.iterdir() if child.name.startswith(".")] == []


def test_only_what_was_given_is_in_it(tools, ledger: Path) -> None:
    done = tools(
        "new", "benchmark", "new-one", *FLAGS["benchmark"], "--by", "ana", "--dry-run", "--root", ledger
    )
    record = parse(done.stdout.encode()).value
    assert done.returncode == 0
    assert "value: 2.20" in done.stdout
    assert isinstance(record, dict)
    (entry,) = record.pop("audit")  # type: ignore[misc]
    assert (entry["action"], entry["by"]) == ("created", "ana")
    assert entry["evidence"] == [{"source_id": "example-log", "locator": "line 12"}]
    assert record == {
        "id": "new-one",
        "kind": "benchmark",
        "title": "A run",
        "status": "draft",
        "evidence": "measured",
        "measured_by": "self",
        "model_id": "example-7b",
        "accelerator_ids": ["example-card-80gb-pcie"],
        "conditions": {"concurrency": 32, "input_length": {"nominal": 1024}},
        "results": [{"metric": "tps_aggregate", "value": 2.2, "unit": "tok/s"}],
        "absent": [
            {"condition": "output_length", "reason": "not_stated", "source_id": "example-log"},
            {"condition": "engine_version", "reason": "withheld", "source_id": "example-log"},
            {
                "condition": "warmup",
                "reason": "unrecoverable",
                "source_id": "example-log",
                "would_need": "the command line: all of it",
            },
            {"condition": "scenario", "reason": "not_applicable"},
        ],
        "sources": [{"source_id": "example-log", "locator": "line 12"}],
    }
    assert not (ledger / "data" / "benchmarks" / "new-one.yaml").exists()


def test_elsewhere_than_at_a_terminal_all_that_is_missing_is_listed(tools, ledger: Path) -> None:
    done = tools(
        "new", "benchmark", "new-one", "--set", "/results/0/metric=ttft_ms", "--by", "ana", "--root", ledger
    )
    assert done.returncode == 2
    assert done.stdout == ""
    for flag in (
        "/title=",
        "/evidence=",
        "/results/0/statistic=",
        "/results/0/unit=",
        "--evidence SOURCE",
        "warmup=",
    ):
        assert flag in done.stderr
    done = tools(
        "new",
        "source",
        "new-one",
        "--set",
        "/title=A",
        "--set",
        "/type=blog",
        "--by",
        "ana",
        "--root",
        ledger,
    )
    assert "--set /url=… or --set /arxiv=… or --set /doi=… or --set /repository=…" in done.stderr
    assert tools("new", "source", "--by", "ana", "--root", ledger).returncode == 2
    private = ("--set", "/title=A", "--set", "/type=private_run")
    assert tools("new", "source", "new-one", *private, "--by", "ana", "--root", ledger).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("source", "example-paper"), "already"),
        (("source", "../x"), "no id"),
        (("source", "new-one", "--out", "other.yaml"), "new-one.yaml"),
        (("source", "new-one", "--set", "/title"), "POINTER=VALUE"),
        (("source", "new-one", "--set", "title=x"), "JSON Pointer"),
        (("source", "new-one", "--set", "/id=x"), "not set by hand"),
        (("source", "new-one", "--set", "/audit/0/by=x"), "not set by hand"),
        (("source", "new-one", "--set", "/title=a", "--set", "/title=b"), "given twice"),
        (("source", "new-one", "--set", "/title=a", "--set", "/title/b=b"), "single value"),
        (("source", "new-one", "--set", "/authors/1=b"), "0 items"),
        (("source", "new-one", "--absent", "warmup=not_stated"), "only a benchmark"),
        (("benchmark", "new-one", "--absent", "warmup"), "CONDITION=REASON"),
        (("benchmark", "new-one", "--absent", "warmup=not_sated"), "not_stated"),
        (("benchmark", "new-one", "--absent", "warm=not_stated"), "no condition"),
        (("benchmark", "new-one", "--absent", "warmup=unrecoverable"), "recover"),
        (("benchmark", "new-one", *["--absent", "warmup=withheld"] * 2), "twice"),
        (
            ("benchmark", "new-one", "--set", "/model_id=x", "--absent", "model=withheld"),
            "stated at /model_id",
        ),
        (("benchmark", "new-one", "--evidence", "example-papr:p. 1"), "example-paper"),
    ],
)
def test_a_wrong_call(tools, ledger: Path, arguments: tuple[str, ...], says: str) -> None:
    done = tools("new", *arguments, "--by", "ana", "--root", ledger)
    assert done.returncode == 2, done.stdout
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_what_does_not_fit_the_schema_is_not_written(tools, ledger: Path) -> None:
    flags = [flag.replace("=Example", "=0.10") for flag in FLAGS["engine"]]
    done = tools("new", "engine", "new-one", *flags, "--by", "ana", "--root", ledger)
    assert done.returncode == 1
    assert 'quote it: "0.10"' in done.stdout
    assert "nothing was written" in done.stderr
    assert not (ledger / "data" / "engines" / "new-one.yaml").exists()


def test_other_findings_are_told_of_what_was_written(tools, ledger: Path) -> None:
    more = ("--set", "/base_model_id=example-7", "--by", "ana")
    done = tools("new", "model", "new-one", *FLAGS["model"], *more, "--root", ledger)
    assert done.returncode == 1
    assert "unresolved-reference" in done.stdout
    assert "example-7b" in done.stdout
    assert (ledger / "data" / "models" / "new-one.yaml").is_file()


def test_another_place_and_no_file_is_written_over(tools, ledger: Path, tmp_path: Path) -> None:
    out = tmp_path / "drafts" / "new-one.yaml"
    call = ("new", "source", "--out", out, *FLAGS["source"], "--by", "ana", "--root", ledger)
    assert "folder" in tools(*call).stderr
    out.parent.mkdir()
    assert tools(*call).returncode == 0
    assert out.read_text().startswith(
        "# yaml-language-server: $schema=../ledger/.cache/editor/source.schema.json\nid: new-one\n"
    )
    out.write_text("mine")
    assert tools(*call).returncode == 2
    assert out.read_text() == "mine"


def test_at_a_terminal_only_what_is_missing_is_asked_for(
    tools, ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = [
        "exampel-log",  # the nearest is shown
        "example-log",
        "line 12",
        "",  # a title has to be
        "A run",
        "mesured",
        "measured",
        "self",
        "ttft_ms",
        "a lot",
        "210.50",
        "tok/s",
        "ms",
        "p50",
        "example-7b",
        "example-card, example-card-80gb-pcie",
        "example-card-80gb-pcie",
        "",  # no batch size
        "{min: 1, max: 32}",
        "1024",
        *[""] * 5,  # no output length
        "unrecoverable",
        "",  # what the vocabulary proposes
        "0.10",
        "example-engine",
        "excluded",
        "",
        "not_stated",
        "Filed for a test.",
    ]
    # The order of the questions is that of the schema, in which the statistic stands before the value.
    answers.insert(9, answers.pop(13))
    monkeypatch.setattr("sys.stdin", Terminal("".join(f"{answer}\n" for answer in answers)))
    done = tools("new", "benchmark", "new-one", "--by", "ana", "--root", ledger)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == "written data/benchmarks/new-one.yaml\n"
    for told in ("`example-log`", "did you mean `measured`?", "tok/s", "/conditions/batch_size"):
        assert told in done.stderr
    record = parse((ledger / "data" / "benchmarks" / "new-one.yaml").read_bytes()).value
    assert isinstance(record, dict)
    assert record["engine"] == {"id": "example-engine", "version": "0.10"}
    assert record["results"] == [{"metric": "ttft_ms", "statistic": "p50", "value": 210.5, "unit": "ms"}]
    assert record["conditions"] == {
        "concurrency": {"min": 1, "max": 32},
        "input_length": {"nominal": 1024},
        "warmup": {"handling": "excluded"},
    }
    absent = record["absent"]
    assert isinstance(absent, list)
    assert [(item["condition"], item["reason"]) for item in absent if isinstance(item, dict)] == [
        ("output_length", "unrecoverable"),
        ("scenario", "not_stated"),
    ]
    assert tools("validate", "--root", ledger, "--strict").returncode == 0


def test_an_end_of_input_writes_nothing(tools, ledger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", Terminal("new-one\nA title\n"))
    assert tools("new", "source", "--by", "ana", "--root", ledger).returncode == 130
    assert not (ledger / "data" / "sources" / "new-one.yaml").exists()


def test_a_real_terminal(ledger: Path) -> None:
    ours, theirs = pty.openpty()
    call = [sys.executable, "-m", "tools", "new", "source", "new-one", "--by", "ana", "--root", str(ledger)]
    os.write(ours, b"A page\nblog\nhttps://page.example/1\n\n")
    done = subprocess.run(call, stdin=theirs, capture_output=True, text=True, timeout=60, check=False)
    os.close(ours)
    os.close(theirs)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "written data/sources/new-one.yaml\n"
    assert "vendor_document" in done.stderr
