"""Twins of measured records: what is written, and what it says beside the measured value."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import duckdb
import pytest
from ledger_of_speedups import REPOSITORY, lawful, record, three_sources

from tools.cli.app import run
from tools.sweep.twins import COLUMNS

FOUNDING = ("sd-medusa-batch1-speedup", "sd-medusa-batch32-degradation")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A calibrated ledger with the founding records, and its twins."""
    place = tmp_path_factory.mktemp("ledger")
    records = [*three_sources(), record("four", "vllm", 2, 2, hardware={})]
    lawful(place, records)
    for name in FOUNDING:
        shutil.copy(REPOSITORY / "data" / "benchmarks" / f"{name}.yaml", place / "data" / "benchmarks")
    assert run(["sweep", "calibrate", "--root", str(place)]) == 0
    assert run(["sweep", "twin", "--root", str(place)]) == 0
    return place


def rows(root: Path, where: str) -> list[tuple[object, ...]]:
    table = root / "generated" / "twins" / "twins.parquet"
    return duckdb.sql(f"SELECT * FROM '{table}' WHERE {where} ORDER BY record_id, cost_model").fetchall()


def test_each_record_has_a_twin_under_each_cost_model(root: Path) -> None:
    found = duckdb.sql(f"SELECT * FROM '{root / 'generated' / 'twins' / 'twins.parquet'}'")
    assert found.columns == list(COLUMNS)
    assert len(found.fetchall()) == 3 * 27


def test_the_error_is_that_of_the_prediction_and_a_limit_has_none(root: Path) -> None:
    wrong = "abs(error_signed - (speedup / measured - 1)) > 1e-3 OR (error_signed IS NULL) <> is_limit"
    assert not rows(root, wrong)
    assert {row[0] for row in rows(root, "is_limit")} == set(FOUNDING)
    assert not rows(root, "interval_low > speedup OR interval_high < speedup")


def test_the_parts_of_a_step_give_its_speedup(root: Path) -> None:
    made = "tau * plain_ms / (verify_ms + draft_ms + overhead_ms)"
    assert not rows(root, f"cost_model <> 'constant' AND abs(speedup / ({made}) - 1) > 2e-3")
    assert not rows(root, "(cost_model = 'constant') <> (bound IS NULL)")


def test_assumptions_are_a_list_with_names_and_values(root: Path) -> None:
    table = root / "generated" / "twins" / "twins.parquet"
    listed = f"SELECT unnest(assumed) AS one FROM '{table}' WHERE source_id = 'four'"
    asked = f"SELECT DISTINCT one.name, one.value FROM ({listed})"
    assert ("accelerators", "1") in duckdb.sql(asked).fetchall()
    assert not rows(
        root, "source_id = 'one' AND list_contains(list_transform(assumed, x -> x.name), 'accelerators')"
    )


def test_the_founding_record_turns_round_where_the_paper_says(root: Path) -> None:
    speedup = {
        (row[0], row[3]): row[list(COLUMNS).index("speedup")]
        for row in rows(root, "source_id = 'sd-medusa-paper'")
    }
    first, last = FOUNDING
    assert speedup[first, "constant"] == speedup[last, "constant"]
    for model in ("roofline", "calibrated"):
        assert speedup[first, model] > 1.5 > 1 > speedup[last, model]  # type: ignore[operator]
    for end in (".png", ".svg"):
        assert (root / "docs" / "img" / "medusa-batch-dilution").with_suffix(end).stat().st_size > 10_000


def test_a_check_finds_what_was_changed(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["sweep", "twin", "--check", "--root", str(root)]
    assert run(call) == 0
    path = root / "generated" / "twins" / "twins.csv"
    kept = path.read_bytes()
    path.write_bytes(kept.replace(b"roofline", b"rooflyne", 1))
    try:
        assert run(call) == 1
    finally:
        path.write_bytes(kept)
    assert "out of date generated/twins/twins.csv" in capsys.readouterr().out
    manifest = json.loads((root / "generated" / "twins" / "manifest.json").read_text("utf-8"))
    assert set(manifest["files"]) == {"twins.csv", "twins.parquet"}


def test_a_twin_is_printed_with_its_reasons(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sweep", "twin", FOUNDING[1], "--root", str(root)]) == 0
    said = capsys.readouterr().out
    assert "batch 64, gamma 4, measured 0 (a limit)" in said
    assert "assumed batch size 64: the upper end of the stated range" in said


def test_an_unknown_record_is_refused(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sweep", "twin", "sd-medusa-batch1-speedups", "--root", str(root)]) == 2
    assert FOUNDING[0] in capsys.readouterr().err
