"""`tools gaps` from the outside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest


def test_the_report(tools: Any, ledger: Path) -> None:
    done = tools("gaps", "--root", ledger)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("2 benchmarks: 0 (0%) lack no condition; on average 3.0 of 8 are lacking\n")
    assert "\nRecords without any benchmark\n" in done.stdout
    assert "tools backfill example-run /conditions/warmup VALUE" in done.stdout


def test_the_example_of_its_help(tools: Any, ledger: Path) -> None:
    done = tools("gaps", "--by", "source", "--top", "1", "--root", ledger)
    assert done.returncode == 0
    assert "example-paper" in done.stdout
    assert "example-log" not in done.stdout
    assert "tools gaps --by source --top 5" in tools("gaps", "--help").stdout


def test_the_filters_and_the_forms(tools: Any, ledger: Path) -> None:
    asked = ("--accelerator", "example-card-80gb-pcie", "--model", "example-7b", "--source", "example-log")
    told = json.loads(tools("gaps", *asked, "--format", "json", "--root", ledger).stdout)
    assert told["asked"] == {
        "accelerator": "example-card-80gb-pcie",
        "model": "example-7b",
        "source": "example-log",
    }
    assert told["benchmarks"]["counted"] == 1
    page = tools("gaps", "--by", "condition", "--format", "markdown", "--root", ledger).stdout
    assert page.startswith("## What the ledger lacks\n")
    assert "| warmup | 0 | 0% | 1 | 1 |" in page


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--model", "example-7c"), "example-7b"),
        (("--accelerator", "example-7b"), "no accelerator"),
        (("--source", "nothing"), "data/sources/"),
        (("--by", "colour"), "condition"),
        (("--top", "0"), "--top"),
    ],
)
def test_a_wrong_call(tools: Any, ledger: Path, arguments: tuple[str, ...], says: str) -> None:
    done = tools("gaps", *arguments, "--root", ledger)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
