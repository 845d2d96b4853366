"""`tools diff` and `tools log` from the outside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from scratch import Scratch

MODEL = "data/models/example-7b.yaml"
ENTRY = """\
  - date: 2026-04-01
    by: third-curator
    action: correction
    reason: The paper counts the embedding as a layer.
    evidence:
      - {source_id: example-paper, locator: Table 1}
    changes:
      - {path: /layers, from: 32, to: 33}
"""


@pytest.fixture
def scratch(ledger: Path) -> Scratch:
    """The small ledger on `main`, and a correction on `topic`, which is checked out."""
    repository = Scratch.start(ledger)
    repository.write(".gitignore", ".cache/\n")
    repository.commit("the ledger")
    repository.git("switch", "--quiet", "--create", "topic")
    text = (ledger / MODEL).read_text(encoding="utf-8")
    repository.write(MODEL, text.replace("layers: 32", "layers: 33") + ENTRY)
    repository.commit("a correction")
    return repository


@pytest.mark.parametrize("head", [(), ("topic",), ("HEAD",)])
def test_the_summary_of_a_branch(tools: Any, scratch: Scratch, head: tuple[str, ...]) -> None:
    done = tools("diff", "main", *head, "--root", scratch.root)
    assert done.returncode == 0, done.stderr
    assert "records: 1 corrected\n" in done.stdout
    assert "/layers: 32 → 33 (×1.031)" in done.stdout
    assert "The paper counts the embedding as a layer." in done.stdout


def test_main_may_have_moved_on(tools: Any, scratch: Scratch) -> None:
    scratch.git("switch", "--quiet", "main")
    scratch.write("data/engines/other.yaml", "id: other\n")
    scratch.commit()
    done = tools("diff", "main", "topic", "--root", scratch.root, "--format", "json")
    told = json.loads(done.stdout)
    assert [step["record"] for step in told["steps"]] == ["example-7b"]
    assert (told["gone"], told["added"], told["head"]) == ([], [], "topic")


@pytest.mark.parametrize("committed", [False, True])
def test_a_new_warning_is_told(tools: Any, scratch: Scratch, committed: bool) -> None:
    engine = scratch.root / "data/engines/example-engine.yaml"
    retraction = ENTRY.replace("correction", "retraction").replace(
        "/layers, from: 32, to: 33", "/status, from: verified, to: retracted"
    )
    engine.write_text(
        engine.read_text(encoding="utf-8").replace("status: verified", "status: retracted") + retraction
    )
    run = scratch.root / "data/benchmarks/example-run.yaml"
    run.write_text(f"# touched\n{run.read_text(encoding='utf-8')}", encoding="utf-8")
    new = run.with_name("new-run.yaml")
    new.write_text(
        run.read_text(encoding="utf-8").replace("id: example-run", "id: new-run"), encoding="utf-8"
    )
    head = []
    if committed:
        scratch.commit()
        head = ["topic"]
        scratch.git("switch", "--quiet", "main")
    told = json.loads(tools("diff", "main", *head, "--root", scratch.root, "--format", "json").stdout)
    assert [(w["rule"], w["record"]) for w in told["warnings"]] == [("retracted-reference", "new-run")]
    assert told["rewritten"] == ["example-run"]


def test_markdown_for_the_job_summary(tools: Any, scratch: Scratch) -> None:
    done = tools("diff", "main", "--root", scratch.root, "--format", "markdown")
    assert done.stdout.startswith("## What this does to the data\n")
    assert "| example-7b | /layers: 32 → 33 (×1.031) |" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("diff",), "BASE"),
        (("diff", "nowhere"), "`nowhere` names no commit"),
        (("diff", "main", "nowhere"), "`nowhere` names no commit"),
        (("log", "--since", "yesterday"), "YYYY-MM-DD"),
        (("log", "--action", "corection"), "correction"),
        (("log", "--model", "example-7c"), "example-7b"),
        (("log", "--accelerator", "example-7b"), "no accelerator"),
    ],
)
def test_a_wrong_call(tools: Any, scratch: Scratch, arguments: tuple[str, ...], says: str) -> None:
    done = tools(*arguments, "--root", scratch.root)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_what_changed_since_a_day(tools: Any, scratch: Scratch) -> None:
    done = tools("log", "--since", "2026-03-06", "--root", scratch.root)
    assert done.returncode == 0
    assert done.stdout.startswith("2026-04-01\n  example-7b\n")
    assert "2026-03-05" not in done.stdout
    assert json.loads(tools("log", "--by", "nobody", "--format", "json", "--root", scratch.root).stdout) == []
    page = tools("log", "--action", "backfill", "--format", "markdown", "--root", scratch.root).stdout
    assert "### 2026-03-05" in page
