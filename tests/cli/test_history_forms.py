"""`tools history` from the outside: forms, one value, exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

REPOSITORY = Path(__file__).parents[2]
FOUNDING = "sd-medusa-batch32-degradation"


def test_the_life_of_a_value(tools) -> None:
    done = tools("history", FOUNDING, "/results/0/metric")
    assert done.returncode == 0
    assert "decode_tok_s → speedup_ratio" in done.stdout
    assert "confirmed  2026-10-05 by w6-benchmarks" in done.stdout
    assert "accelerator" not in done.stdout


@pytest.mark.parametrize("more", [(), ("/results/0/value",)])
def test_every_form(tools, more: tuple[str, ...]) -> None:
    told = json.loads(tools("history", FOUNDING, *more, "--format", "json").stdout)
    schema = json.loads((REPOSITORY / "schemas/output/history.schema.json").read_text())
    jsonschema.Draft202012Validator(schema).validate(told)
    assert told["file"] == f"data/benchmarks/{FOUNDING}.yaml"
    assert len(told["steps"]) == 7
    assert tools("history", FOUNDING, *more, "--format", "markdown").stdout.startswith(f"### {FOUNDING}")


def test_a_wrong_place_is_told_what_there_is(tools) -> None:
    done = tools("history", FOUNDING, "/results/0/vaule")
    assert (done.returncode, done.stdout) == (2, "")
    assert "metric, value, unit" in done.stderr


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_a_log_that_does_not_replay_fails(tools, ledger: Path, form: str) -> None:
    path = ledger / "data" / "benchmarks" / "example-run.yaml"
    path.write_text(path.read_text().replace("measured_on: 2026-03-01", "measured_on: 2026-03-02"))
    done = tools("history", "example-run", "/measured_on", "--format", form, "--root", ledger)
    assert done.returncode == 1
    assert "2026-03-02" in done.stdout
