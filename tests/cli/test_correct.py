"""The verbs that write a record: `correct` and the others, as a contributor calls them."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest
import typer
from scratch import Scratch

from tools.audit.replay import replay
from tools.cli.app import app
from tools.cli.declare_absent import Absence
from tools.cli.verbs import all_commands
from tools.records.parse import parse
from tools.schema.vocabulary import vocabulary

REPOSITORY = Path(__file__).resolve().parents[2]
RUN = "example-run"
WHY = ("--reason", "The log says so.", "--evidence", "example-log", "--by", "reviewer")
BY = ("--reason", "Because.", "--by", "reviewer")


def file_of(ledger: Path, record_id: str = RUN) -> Path:
    return next(ledger.rglob(f"{record_id}.yaml"))


def record(ledger: Path, record_id: str = RUN) -> dict:
    return parse(file_of(ledger, record_id).read_bytes()).value


def test_correct(tools, ledger: Path) -> None:
    before = file_of(ledger).read_text()
    done = tools(
        "correct", RUN, "/results/0/value", "2001.50", *WHY, "--date", "2026-03-08", "--root", ledger
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == ("written data/benchmarks/example-run.yaml\n  /results/0/value: 1998.05 → 2001.5\n")
    assert file_of(ledger).read_text() == before.replace("value: 1998.05", "value: 2001.50") + (
        "  - date: 2026-03-08\n"
        "    by: reviewer\n"
        "    action: correction\n"
        "    reason: The log says so.\n"
        "    evidence:\n"
        "      - {source_id: example-log, locator: line 12}\n"
        "    changes:\n"
        "      - {path: /results/0/value, from: 1998.05, to: 2001.50}\n"
    )
    assert tools("validate", "--root", ledger).returncode == 0
    assert tools("fmt", "--check", "--root", ledger).returncode == 0


def test_several_changes_share_an_entry(tools, ledger: Path) -> None:
    changes = ("--change", "/results/1/statistic=p90", "--remove", "/measured_on")
    inserted = "/results/0={metric: itl_ms, statistic: p50, value: 9.5, unit: ms}"
    done = tools("correct", RUN, *changes, "--insert", inserted, *WHY, "--root", ledger)
    assert done.returncode == 0, done.stdout + done.stderr
    assert [change["path"] for change in record(ledger)["audit"][-1]["changes"]] == [
        "/results/1/statistic",
        "/results/0",
        "/measured_on",
    ]
    assert [result.get("statistic") for result in record(ledger)["results"]] == ["p50", None, "p90"]


def test_a_negative_number_and_text_that_looks_like_one(tools, ledger: Path) -> None:
    options = (*WHY, "--root", ledger)
    assert tools("correct", RUN, *options, "--", "/results/0/value", "-3").returncode in (0, 1)
    assert tools("correct", RUN, "/engine/version", '"0.10"', *options).returncode == 0
    assert record(ledger)["engine"]["version"] == "0.10"
    done = tools("correct", RUN, "/engine/version", "0.10", *options)
    assert done.returncode == 1
    assert "quote it" in done.stdout


def test_a_dry_run_prints_what_git_can_apply(tools, tmp_path: Path, ledger: Path) -> None:
    scratch = Scratch.start(ledger)
    scratch.commit()
    before = file_of(ledger).read_text()
    call = ("correct", RUN, "/results/0/value", "2001.5", *WHY, "--root", ledger)
    done = tools(*call, "--dry-run")
    assert done.returncode == 0
    assert file_of(ledger).read_text() == before
    (tmp_path / "patch").write_text(done.stdout)
    scratch.git("apply", str(tmp_path / "patch"))
    applied = file_of(ledger).read_text()
    scratch.git("checkout", "--", ".")
    assert tools(*call).returncode == 0
    assert file_of(ledger).read_text() == applied


def test_refused_where_the_result_would_have_findings(tools, ledger: Path) -> None:
    before = file_of(ledger).read_bytes()
    for options in ((), ("--dry-run",)):
        done = tools("correct", RUN, "/results/0/metric", "tps", *WHY, *options, "--root", ledger)
        assert done.returncode == 1
        assert "schema-violation" in done.stdout + done.stderr
        assert "nothing was written" in done.stderr
    assert file_of(ledger).read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("correct", RUN), "nothing to do"),
        (("correct", RUN, "/results/0/value"), "no value"),
        (("correct", RUN, "/results/0/value", "1998.05"), "change nothing"),
        (("correct", RUN, "/results/0/value", "null"), "no value"),
        (("correct", RUN, "/results/0/value", "a: b"), "mapping"),
        (("correct", RUN, "/results/9/value", "1"), "nothing to correct"),
        (("correct", RUN, "--change", "/results/0/value"), "POINTER=VALUE"),
        (("correct", "exmaple-run", "/results/0/value", "1"), "no record"),
        (("correct", RUN, "/results/0/value", "1", "--date", "2026-03-01"), "cannot follow"),
        (("correct", RUN, "/results/0/value", "1", "--date", "9999-01-01"), "not come yet"),
        (("correct", RUN, "/results/0/value", "1", "--evidence", "nothing:line 1"), "no record `nothing`"),
        (("reclassify", RUN, "/results/0/value", "1"), "leaves every value"),
        (("backfill", RUN, "/results/0/value", "1"), "there already"),
        (("confirm", RUN, "/results/9"), "nothing stands"),
    ],
)
def test_calls_that_cannot_be_carried_out(tools, ledger: Path, arguments: tuple[str, ...], told: str) -> None:
    before = file_of(ledger).read_bytes()
    done = tools(*arguments, *WHY, "--root", ledger)
    assert done.returncode == 2
    assert told in done.stderr
    assert "help:" in done.stderr
    assert file_of(ledger).read_bytes() == before


def test_reason_and_evidence_are_asked_for(tools, ledger: Path) -> None:
    for left_out in ("--reason", "--evidence"):
        place = WHY.index(left_out)
        rest = WHY[:place] + WHY[place + 2 :]
        done = tools("correct", RUN, "/results/0/value", "1", *rest, "--root", ledger)
        assert done.returncode == 2
        assert left_out in done.stderr


def test_reclassify_and_confirm(tools, ledger: Path) -> None:
    done = tools("reclassify", RUN, "/results/1/statistic", "p90", *WHY, "--root", ledger)
    assert done.returncode == 0, done.stdout
    done = tools("confirm", RUN, "/results/1/value", *WHY, "--root", ledger)
    assert done.returncode == 0, done.stdout
    entry = record(ledger)["audit"][-1]
    assert entry["action"] == "confirmation"
    assert entry["evidence"][0]["note"] == "confirms /results/1/value: 210.5"
    assert "changes" not in entry
    # The same again is a step that nobody took.
    assert tools("confirm", RUN, "/results/1/value", *WHY, "--root", ledger).returncode == 1


def test_backfill_ends_an_absence(tools, ledger: Path) -> None:
    done = tools("backfill", RUN, "/conditions/warmup", "{handling: none}", *WHY, "--root", ledger)
    assert done.returncode == 0, done.stdout
    assert "absent" not in record(ledger)
    assert [change["path"] for change in record(ledger)["audit"][-1]["changes"]] == [
        "/conditions/warmup",
        "/absent",
    ]


def test_declare_absent(tools, ledger: Path) -> None:
    move = ("--remove", "/conditions/concurrency")
    done = tools("correct", RUN, *move, *WHY, "--root", ledger)
    assert done.returncode == 1
    assert "condition-missing" in done.stdout
    done = tools("declare-absent", RUN, "load", "--reason", "withheld", "--by", "me", "--root", ledger)
    assert done.returncode == 2
    command = re.search(r"`tools (correct .*)`", done.stderr)
    assert command is not None
    done = tools(*shlex.split(command[1]), *WHY, "--root", ledger)
    assert done.returncode == 0, done.stdout
    assert record(ledger)["absent"][-1] == {"condition": "load", "reason": "withheld"}


def test_declare_absent_adds_an_absence_and_its_entry(tools, ledger: Path) -> None:
    path = file_of(ledger)
    text = path.read_text()
    path.write_text(re.sub(r"absent:\n(  .*\n)+", "", text))
    call = ("declare-absent", RUN, "warmup", "--by", "me", "--root", ledger)
    assert "--would-need" in tools(*call, "--reason", "unrecoverable").stderr
    options = (
        "--reason",
        "unrecoverable",
        "--would-need",
        "the command line of the run",
        "--source",
        "example-log",
    )
    done = tools(*call, *options)
    assert done.returncode == 0, done.stdout + done.stderr
    assert record(ledger)["absent"] == parse(text.encode()).value["absent"]
    assert record(ledger)["audit"][-1]["reason"] == (
        "The condition warmup is declared absent in example-log: unrecoverable. "
        "It would need the command line of the run."
    )
    assert "declared" in tools(*call, *options).stderr


def test_the_reasons_of_an_absence_are_those_of_the_vocabulary() -> None:
    assert [reason.value for reason in Absence] == list(vocabulary().enumerations["absence_reason"])


def test_retract_then_correct_then_acknowledge(tools, ledger: Path) -> None:
    assert tools("retract", RUN, *BY, "--root", ledger).returncode == 0
    assert record(ledger)["status"] == "retracted"
    done = tools("retract", RUN, *BY, "--root", ledger)
    assert done.returncode == 2
    assert "already" in done.stderr
    assert tools("correct", RUN, "/results/0/value", "1", *WHY, "--root", ledger).returncode == 0
    call = ("acknowledge", "example-speedup", "retracted-reference", *BY, "--root", ledger)
    done = tools(*call)
    assert done.returncode == 0, done.stdout + done.stderr
    assert record(ledger, "example-speedup")["audit"][-1]["rule"] == "retracted-reference"


def test_only_a_warning_that_stands_is_acknowledged(tools, ledger: Path) -> None:
    for rule, told in (
        ("retracted-reference", "does not warn"),
        ("unresolved-reference", "no warning but an error"),
        ("retracted-refrence", "did you mean"),
    ):
        done = tools("acknowledge", RUN, rule, *BY, "--root", ledger)
        assert done.returncode == 2
        assert told in done.stderr


def test_supersede(tools, ledger: Path) -> None:
    call = ("supersede", "example-speedup", *BY, "--root", ledger, "--with")
    for successor, told in (("example-7b", "kind"), ("example-speedup", "own place"), ("none", "no record")):
        done = tools(*call, successor)
        assert done.returncode == 2
        assert told in done.stderr
    done = tools(*call, RUN)
    assert done.returncode == 0, done.stdout
    assert record(ledger, "example-speedup")["superseded_by"] == RUN
    assert tools(*call, RUN).returncode == 2
    assert tools("retract", "example-speedup", *BY, "--root", ledger).returncode == 0
    assert "superseded_by" not in record(ledger, "example-speedup")


def test_move(tools, ledger: Path) -> None:
    done = tools("move", RUN, "another-run", *BY, "--root", ledger)
    assert done.returncode == 2
    assert "`example-speedup`" in done.stderr
    for name in ("example-run", "a/b", "", "../x"):
        assert tools("move", "example-speedup", name, *BY, "--root", ledger).returncode == 2
    assert tools("move", "example-speedup", "Another", *BY, "--root", ledger).returncode == 1
    before = file_of(ledger, "example-speedup").read_text()
    done = tools("move", "example-speedup", "another", *BY, "--root", ledger)
    assert done.returncode == 0, done.stdout
    assert not list(ledger.rglob("example-speedup.yaml"))
    assert (
        file_of(ledger, "another")
        .read_text()
        .startswith(before.replace("id: example-speedup", "id: another"))
    )
    assert tools("validate", "--root", ledger).returncode == 0


def test_a_move_that_was_cut_off_is_finished_by_the_same_call(tools, ledger: Path) -> None:
    old, call = (
        file_of(ledger, "example-speedup"),
        ("move", "example-speedup", "another", *BY, "--root", ledger),
    )
    assert tools(*call).returncode == 0
    new = file_of(ledger, "another")
    text = new.read_text()
    new.rename(old)
    assert tools("validate", "--root", ledger).returncode == 1
    assert tools(*call).returncode == 0
    assert not old.exists()
    assert new.read_text() == text


def test_a_moved_record_may_have_been_evidence_of_itself(tools, ledger: Path) -> None:
    cited = ("--evidence", "example-speedup:/title")
    done = tools("confirm", "example-speedup", *BY, *cited, "--root", ledger)
    assert done.returncode == 0, done.stdout
    assert tools("move", "example-speedup", "another", *BY, "--root", ledger).returncode == 0
    assert tools("validate", "--root", ledger).returncode == 0


def test_every_kind_of_record_has_its_trail(tools, ledger: Path) -> None:
    for path in sorted((ledger / "data").rglob("*.yaml")):
        where = ("--evidence", "example-log:line 12")
        done = tools("correct", path.stem, "/status", "contested", *BY, *where, "--root", ledger)
        assert done.returncode == 0, done.stdout
        assert replay(record(ledger, path.stem)).faults == ()


def test_the_examples_that_need_something_to_have_happened(tools, excerpt: Path, tmp_path: Path) -> None:
    shutil.copytree(excerpt / "data", tmp_path / "data")
    path = file_of(tmp_path, "sd-medusa-batch1-speedup")
    text = path.read_text()
    assert tools("retract", "vllm", *BY, "--root", tmp_path).returncode == 0
    for verb, standing in (
        ("declare-absent", re.sub(r"  - \{condition: scenario.*\n", "", text)),
        ("acknowledge", text),
    ):
        path.write_text(standing)
        example = re.search(r"Example: tools (.+)", all_commands(typer.main.get_command(app))[verb].help)
        assert example is not None
        done = tools(*shlex.split(example[1]), cwd=tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_story_agrees_with_the_commits(tools, ledger: Path) -> None:
    scratch = Scratch.start(ledger)
    commits = {"2026-03-06": scratch.commit()}
    for day, call in (
        ("2026-03-07", ("correct", RUN, "/results/0/value", "2001.5")),
        ("2026-03-08", ("backfill", RUN, "/counts", "{requests: 64}")),
        (
            "2026-03-09",
            (
                "correct",
                RUN,
                "/results/-",
                "{metric: itl_ms, statistic: mean, value: 9, unit: ms}",
                "--remove",
                "/results/0",
            ),
        ),
        ("2026-03-09", ("confirm", RUN, "/results/0/value")),
        (
            "2026-03-10",
            ("backfill", RUN, "/results/-", "{metric: tps_aggregate, value: 1998.05, unit: tok/s}"),
        ),
        ("2026-03-12", ("retract", RUN)),
    ):
        assert tools(*call, *WHY, "--date", day, "--root", ledger).returncode == 0
        commits[day] = scratch.commit()
    for day, commit in commits.items():
        done = tools("show", RUN, "--as-of", day, "--root", ledger)
        assert done.stdout.rstrip("\n") == scratch.git("show", f"{commit}:data/benchmarks/{RUN}.yaml")
    assert tools("history", RUN, "--root", ledger).returncode == 0
    assert tools("validate", "--base", commits["2026-03-06"], "--root", ledger).returncode == 0
    assert (
        json.loads(tools("show", RUN, "--format", "json", "--root", ledger).stdout)["status"] == "retracted"
    )
