"""`tools validate --base`: a scratch repository with real commits, and what a pull request may do to it."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from scratch import Scratch

RUN = "data/benchmarks/example-run.yaml"
MODEL = "data/models/example-7b.yaml"
ENGINE = "data/engines/example-engine.yaml"
ENTRY = """\
  - date: 2026-04-01
    by: third-curator
    action: {action}
    reason: The log was read in the wrong line.
    evidence:
      - {{source_id: example-log, locator: line 12}}
    changes:
{changes}
"""


def entry(*changes: str, action: str = "correction") -> str:
    return ENTRY.format(action=action, changes="\n".join(f"      - {{{change}}}" for change in changes))


CORRECTED = entry("path: /results/0/value, from: 1998.05, to: 2001.5")


@pytest.fixture
def scratch(ledger: Path) -> Scratch:
    """The small ledger, committed on `main`."""
    repository = Scratch.start(ledger)
    shutil.rmtree(ledger / ".cache", ignore_errors=True)
    repository.write(".gitignore", ".cache/\n")
    repository.commit("the ledger")
    return repository


def edit(scratch: Scratch, path: str, old: str, new: str, more: str = "") -> None:
    place = scratch.root / path
    text = place.read_text(encoding="utf-8")
    assert old in text
    place.write_text(text.replace(old, new, 1) + more, encoding="utf-8")


def judged(tools: Any, scratch: Scratch, *arguments: str | Path) -> list[dict[str, Any]]:
    """The findings against `main`; other trouble fails the test."""
    done = tools(
        "validate", "--base", "main", "--format", "json", "--root", scratch.root, *arguments, cwd=scratch.root
    )
    assert done.returncode in (0, 1), done.stderr
    findings: list[dict[str, Any]] = json.loads(done.stdout)["findings"]
    assert bool(findings) == bool(done.returncode) or {f["level"] for f in findings} == {"info"}
    return findings


def told(findings: list[dict[str, Any]]) -> list[tuple[str, str, int]]:
    return [(finding["rule"], finding["file"], finding["line"]) for finding in findings]


def line_of(scratch: Scratch, path: str, text: str) -> int:
    lines = (scratch.root / path).read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


def test_nothing_changed(tools: Any, scratch: Scratch) -> None:
    assert judged(tools, scratch) == []


def test_an_edit_by_hand_is_refused_until_it_is_written_down(tools: Any, scratch: Scratch) -> None:
    edit(scratch, RUN, "value: 1998.05", "value: 2001.5")
    (finding,) = judged(tools, scratch)
    assert told([finding]) == [("change-without-entry", RUN, line_of(scratch, RUN, "2001.5"))]
    assert finding["pointer"] == "/results/0/value"
    assert "was 1998.05 and is 2001.5" in finding["message"]
    assert "tools audit explain --base main" in finding["hint"]
    assert "tools correct example-run /results/0/value 2001.5" in finding["hint"]
    scratch.commit("by hand")
    scratch.git("branch", "--force", "topic")
    scratch.git("reset", "--quiet", "--hard", "HEAD~1")
    scratch.git("switch", "--quiet", "topic")
    assert [f["rule"] for f in judged(tools, scratch)] == ["change-without-entry"]
    edit(scratch, RUN, "", "", CORRECTED)
    assert judged(tools, scratch) == []


@pytest.mark.parametrize("where", ["the folder", "a commit", "a detached head", "a merge"])
def test_a_correction_with_its_entry_is_accepted(tools: Any, scratch: Scratch, where: str) -> None:
    scratch.git("switch", "--quiet", "--create", "topic")
    edit(scratch, RUN, "value: 1998.05", "value: 2001.5", CORRECTED)
    if where != "the folder":
        scratch.commit()
    if where == "a detached head":
        scratch.git("switch", "--quiet", "--detach", "topic")
    if where == "a merge":
        scratch.git("switch", "--quiet", "main")
        edit(scratch, MODEL, "layers: 32\n", "layers: 32\nnotes: read again\n")
        scratch.commit()
        scratch.git("switch", "--quiet", "topic")
        scratch.git("merge", "--quiet", "--message", "main again", "main")
    assert judged(tools, scratch) == []


def test_formatting_titles_and_notes_need_no_entry(tools: Any, scratch: Scratch) -> None:
    place = scratch.root / RUN
    text = place.read_text(encoding="utf-8").replace("title: Example", "title: An example")
    lines = text.replace("value: 210.5", "value: 210.50").split("\n")
    place.write_bytes("\r\n".join(["# read with care", "notes: new", *lines]).encode())
    (scratch.root / MODEL).chmod(0o755)
    assert judged(tools, scratch) == []


def test_what_was_done_to_a_log(tools: Any, scratch: Scratch) -> None:
    edit(scratch, RUN, "reason: Filed from the log.", "reason: Filed from another log.")
    edit(scratch, MODEL, "by: example-curator", "by: nobody")
    edit(scratch, MODEL, "", "", entry("path: /layers, from: 31, to: 32").replace("2026-04-01", "2026-03-01"))
    findings = judged(tools, scratch)
    assert ("entry-rewritten", RUN, line_of(scratch, RUN, "another log")) in told(findings)
    assert ("entry-rewritten", MODEL, line_of(scratch, MODEL, "nobody")) in told(findings)
    assert ("entry-backdated", MODEL, line_of(scratch, MODEL, "2026-03-01")) in told(findings)
    assert ("entry-without-change", MODEL, line_of(scratch, MODEL, "from: 31")) in told(findings)


def test_a_record_that_is_gone(tools: Any, scratch: Scratch) -> None:
    place = "data/benchmarks/example-speedup.yaml"
    (scratch.root / place).unlink()
    (finding,) = judged(tools, scratch)
    assert told([finding]) == [("record-removed", place, 1)]
    assert "tools retract example-speedup" in finding["hint"]
    restore = finding["hint"].split("`")[1]
    subprocess.run(restore.split(" "), cwd=scratch.root, check=True, capture_output=True)
    assert judged(tools, scratch) == []


def moved(scratch: Scratch, name: str, more: str = "") -> str:
    target = f"data/benchmarks/{name}.yaml"
    (scratch.root / "data/benchmarks/example-speedup.yaml").rename(scratch.root / target)
    edit(scratch, target, "id: example-speedup", f"id: {name}", more)
    return target


@pytest.mark.parametrize("staged", [False, True])
def test_a_renamed_record_says_so(tools: Any, scratch: Scratch, staged: bool) -> None:
    target = moved(scratch, "other-speedup")
    if staged:
        scratch.git("add", "--all")
    (finding,) = judged(tools, scratch)
    assert told([finding]) == [("record-removed", "data/benchmarks/example-speedup.yaml", 1)]
    assert target in finding["message"]
    edit(
        scratch, target, "", "", entry("path: /id, from: example-speedup, to: other-speedup", action="moved")
    )
    assert judged(tools, scratch) == []
    edit(scratch, target, "value: 1.9", "value: 19")
    assert told(judged(tools, scratch)) == [
        ("change-without-entry", target, line_of(scratch, target, "value: 19"))
    ]


def test_a_record_that_became_another_kind(tools: Any, scratch: Scratch) -> None:
    scratch.git("switch", "--quiet", "--create", "topic")
    path = "data/models/loose.yaml"
    text = (scratch.root / MODEL).read_text(encoding="utf-8").replace("id: example-7b", "id: loose")
    scratch.write(path, text)
    scratch.commit()
    scratch.git("branch", "--force", "main", "topic")
    (scratch.root / path).rename(scratch.root / "data/engines/loose.yaml")
    findings = judged(tools, scratch)
    assert ("record-removed", path, 1) in told(findings)
    assert any("moved to data/engines/loose.yaml" in finding["message"] for finding in findings)


def test_new_records_are_not_compared(tools: Any, scratch: Scratch) -> None:
    text = (scratch.root / RUN).read_text(encoding="utf-8")
    scratch.write("data/benchmarks/another-run.yaml", text.replace("id: example-run", "id: another-run"))
    assert judged(tools, scratch) == []


@pytest.mark.parametrize("bad", ["a: [", "", "- x\n", "id: a\nid: b\n", "\0", "id: größe\n"])
def test_a_base_that_cannot_be_read(tools: Any, scratch: Scratch, bad: str) -> None:
    good = (scratch.root / MODEL).read_bytes()
    (scratch.root / MODEL).write_bytes(bad.encode("latin-1"))
    scratch.commit("broken")
    (scratch.root / MODEL).write_bytes(good)
    findings = judged(tools, scratch)
    if bad.startswith("id: a"):
        assert "change-without-entry" in {finding["rule"] for finding in findings}
    else:
        assert told(findings) == [("base-not-readable", MODEL, 1)]


def test_a_candidate_that_cannot_be_read(tools: Any, scratch: Scratch) -> None:
    scratch.write(MODEL, "a: [")
    (scratch.root / ENGINE).unlink()
    (scratch.root / ENGINE).symlink_to("nowhere")
    rules = {finding["rule"] for finding in judged(tools, scratch)}
    assert {"yaml-syntax", "unreadable-file"} <= rules
    assert "record-removed" not in rules


def test_files_named_in_the_call_are_the_ones_compared(tools: Any, scratch: Scratch) -> None:
    edit(scratch, RUN, "value: 1998.05", "value: 2001.5")
    edit(scratch, MODEL, "layers: 32", "layers: 33")
    assert [f["file"] for f in judged(tools, scratch, scratch.root / MODEL)] == [MODEL]
    assert [f["file"] for f in judged(tools, scratch, scratch.root / "data")] == [RUN, MODEL]


def test_a_candidate_from_elsewhere_is_compared_with_the_record_it_replaces(
    tools: Any, scratch: Scratch, tmp_path: Path
) -> None:
    copy = tmp_path / "example-7b.yaml"
    copy.write_text((scratch.root / MODEL).read_text(encoding="utf-8").replace("layers: 32", "layers: 33"))
    assert told(judged(tools, scratch, copy)) == [("change-without-entry", str(copy), 7)]


def many(scratch: Scratch, number: int) -> list[str]:
    text = (scratch.root / RUN).read_text(encoding="utf-8")
    paths = [f"data/benchmarks/run-{n}.yaml" for n in range(number)]
    for path in paths:
        scratch.write(path, text.replace("id: example-run", f"id: {Path(path).stem}"))
    return paths


def test_many_changes_at_once_need_a_word(tools: Any, scratch: Scratch) -> None:
    paths = many(scratch, 4)
    scratch.commit()
    for path in paths:
        edit(scratch, path, "title: Example", "title: Some example")
    assert judged(tools, scratch, "--max-changed", "4") == []
    (finding,) = judged(tools, scratch, "--max-changed", "3")
    assert told([finding]) == [("mass-change", "data", 1)]
    assert "--allow-mass-change" in finding["hint"]
    assert judged(tools, scratch, "--max-changed", "3", "--allow-mass-change") == []


def test_a_metric_that_moves_in_many_records_needs_a_word(tools: Any, scratch: Scratch) -> None:
    paths = many(scratch, 10)
    scratch.commit()
    for number, path in enumerate(paths):
        place = "path: /results/1/value"
        edit(scratch, path, "value: 210.5", "value: 0.2105", entry(f"{place}, from: 210.5, to: 0.2105"))
        if number == 8:
            assert judged(tools, scratch) == []
    (finding,) = judged(tools, scratch)
    assert finding["message"] == "`ttft_ms` changed in 10 records, by a median factor of 0.001"
    assert judged(tools, scratch, "--allow-mass-change") == []


@pytest.mark.parametrize("name", ["text", "sarif", "github", "junit"])
def test_every_format_tells_it(tools: Any, scratch: Scratch, name: str) -> None:
    edit(scratch, MODEL, "layers: 32", "layers: 33")
    done = tools("validate", "--base", "main", "--root", scratch.root, "--format", name)
    assert done.returncode == 1
    assert "change-without-entry" in done.stdout


def test_a_shallow_clone_is_told_what_to_fetch(tools: Any, scratch: Scratch, tmp_path: Path) -> None:
    scratch.git("switch", "--quiet", "--create", "topic")
    edit(scratch, MODEL, "layers: 32", "layers: 33")
    scratch.commit()
    shallow = scratch.clone(tmp_path / "shallow", "--depth=1", "--branch=topic")
    done = tools("validate", "--base", "origin/main", "--root", shallow.root)
    assert done.returncode == 2
    assert "git fetch --unshallow origin main" in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--base", "nowhere"), "`nowhere` names no commit"),
        (("--base", "--help=x"), "names no commit"),
        (("--max-changed", "3"), "--base"),
        (("--allow-mass-change",), "--base"),
        (("--base", "main", "--max-changed", "-1"), "--max-changed"),
    ],
)
def test_a_wrong_call(tools: Any, scratch: Scratch, arguments: tuple[str, ...], says: str) -> None:
    done = tools("validate", *arguments, "--root", scratch.root)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_a_ledger_outside_git(tools: Any, ledger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(ledger.parent))
    done = tools("validate", "--base", "main", "--root", ledger)
    assert done.returncode == 2
    assert "not in a git repository" in done.stderr
