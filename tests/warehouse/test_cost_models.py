"""How far cost models are off, summed up from predictions made for the very records, and what does not count."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.warehouse.conftest import built, write_twins
from tools.cli.app import run

Rows = list[dict[str, Any]]
Ask = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def warehouse_of_twins(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Speedups at five loads, each with a prediction; at 64 one is larger than its acceptance allows."""
    place = tmp_path_factory.mktemp("cost-models")
    ledger = place / "ledger"
    shutil.copytree(root, ledger)
    folder = ledger / "data" / "benchmarks"
    pattern = (folder / "draft-b32.yaml").read_text(encoding="utf-8")
    for name, speedup in (("draft-slowed", 3.5), ("draft-beside", 1.2)):
        text = pattern.replace("draft-b32", name).replace("batch_size: 32", "batch_size: 64")
        (folder / f"{name}.yaml").write_text(
            text.replace("value: 0.9", f"value: {speedup}"), encoding="utf-8"
        )
    shutil.rmtree(ledger / "generated" / "twins")
    # 10 % too high, right, and 10 % too low; the interval reaches 0.1 to either side.
    predicted = (("draft-b1", 1, 2.2), ("draft-b8", 8, 1.4), ("draft-b32", 32, 0.81))
    write_twins(ledger, *predicted, ("draft-slowed", 64, 1.5), ("draft-beside", 64, 1.0))
    built(ledger, place / "ledger.duckdb", allow_errors=True)
    return place / "ledger.duckdb"


@pytest.fixture
def ask(warehouse_of_twins: Path, capsys: pytest.CaptureFixture[str]) -> Ask:
    def call(*options: str) -> dict[str, Any]:
        capsys.readouterr()
        words = ["query", "measured-vs-simulated", *options, "--format", "json"]
        assert run([*words, "--warehouse", str(warehouse_of_twins)]) == 0
        answer: dict[str, Any] = json.loads(capsys.readouterr().out)
        return answer

    return call


def at(answer: dict[str, Any], level: str, about: str | None = None) -> Rows:
    return [row for row in answer["rows"] if row["level"] == level and about in (None, row["about"])]


def test_the_summary(ask: Ask) -> None:
    (whole,) = at(ask(), "all")
    assert (whole["cost_model"], whole["predictions"]) == ("roofline", 3)
    assert whole["error_percent"] == pytest.approx(10)
    assert whole["bias_percent"] == pytest.approx(0)
    assert whole["too_high_percent"] == pytest.approx(100 / 3)
    # 2.0 lies below 2.1; the two others lie inside.
    assert whole["inside_percent"] == pytest.approx(200 / 3)
    (source,) = at(ask(), "source")
    assert (source["about"], source["predictions"]) == ("example-log", 3)


def test_what_does_not_judge_a_cost_model(ask: Ask) -> None:
    aside = {(row["about"], row["cost_model"]): row["predictions"] for row in at(ask(), "set aside")}
    # Both runs over the baseline that was slowed, not only the one that shows it.
    assert aside["the baseline was slowed by something else", "roofline"] == 2
    assert aside["a point that was simulated for no record", "constant"] == 1
    (beside,) = at(ask("--record", "draft-beside"), "set aside")
    assert beside["about"] == "the baseline was slowed by something else"


def test_the_predictions_themselves(ask: Ask) -> None:
    assert at(ask(), "record") == []
    every = at(ask("--detail", "records"), "record")
    assert len([row for row in every if row["way"] == "twin"]) == 5
    (one,) = [row for row in at(ask("--record", "draft-b32"), "record") if row["way"] == "twin"]
    assert (one["about"], one["speedup"], one["predicted"]) == ("draft-b32", 0.9, 0.81)
    assert (one["predicted_low"], one["predicted_high"]) == (pytest.approx(0.71), pytest.approx(0.91))
    assert one["bias_percent"] == pytest.approx(-10)
    assert one["assumed"] == ["precision bf16", "context 1024"]


def test_a_model_is_never_judged_alone_where_conditions_were_assumed(ask: Ask) -> None:
    (because,) = ask()["cannot_say"]
    assert because.startswith("how good a cost model is by itself: 6 of 6 predictions had to assume")
