"""`tools diff --queries`: which saved questions a change of records answers anew."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from scratch import Scratch

from tools.warehouse.query_diff import ChangedAnswer, changes_markdown, changes_text

CASE_LEDGER = Path(__file__).resolve().parents[1] / "cases" / "ledger"


def validator() -> Draft202012Validator:
    path = CASE_LEDGER.parents[2] / "schemas" / "output" / "diff.schema.json"
    return Draft202012Validator(json.loads(path.read_text(encoding="utf-8")))


@pytest.fixture
def scratch(tmp_path: Path) -> Scratch:
    shutil.copytree(CASE_LEDGER, tmp_path / "ledger", ignore=shutil.ignore_patterns(".cache"))
    made = Scratch.start(tmp_path / "ledger")
    made.commit()
    return made


def test_answers_that_change(tools: Any, scratch: Scratch) -> None:
    run = scratch.root / "data/benchmarks/example-run.yaml"
    new = run.read_text(encoding="utf-8").replace("id: example-run", "id: new-run")
    run.with_name("new-run.yaml").write_text(new, encoding="utf-8")
    done = tools("diff", "main", "--queries", "--root", scratch.root, "--format", "json")
    assert done.returncode == 0
    told = json.loads(done.stdout)
    assert not list(validator().iter_errors(told))
    changed = {change["query"]: change for change in told["answers"]}
    # A copy of a record adds its back-fill to the corrections, and one to each count of the gaps.
    assert changed["corrections"]["new_rows"] == 1
    assert changed["gaps"]["gone_rows"] == changed["gaps"]["new_rows"] == 8
    assert set(changed) == {"corrections", "gaps"}


def test_the_words() -> None:
    change = ChangedAnswer("gaps", 1, 0, 7, ("nothing is there",), ())
    assert changes_text([change]).splitlines()[1:] == [
        "  gaps: 1 new rows, 0 gone, 7 as before",
        "    cannot say any more, because nothing is there",
    ]
    assert "- gaps: 1 new rows, 0 gone, 7 as before\n  - cannot say" in changes_markdown([change])
    assert changes_text([]) == "no saved question changes its answer\n"
