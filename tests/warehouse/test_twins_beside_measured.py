"""Twins that stand below generated/: beside the measured speedup of their record, and told apart from a sweep."""

from __future__ import annotations

import shutil
from pathlib import Path

import duckdb
import pytest

from tests.warehouse.conftest import built, write_sweep
from tools.errors import ToolsError

Warehouse = duckdb.DuckDBPyConnection


def test_a_twin_stands_beside_what_was_measured(warehouse: Warehouse) -> None:
    query = (
        "SELECT record_id, result_index, speedup, sweep_id, simulated_batch_size, simulated_acceptance_length, "
        "predicted, predicted_low, predicted_high, relative_error, assumed "
        "FROM measured_vs_simulated WHERE way = 'twin'"
    )
    found = warehouse.execute(query).fetchall()
    # 1.1 predicted where 0.9 was measured.
    assert [row[:9] for row in found] == [
        ("draft-b32", 0, 0.9, "twins", 32.0, 3.0, 1.1, pytest.approx(1.0), pytest.approx(1.2))
    ]
    assert found[0][9:] == (pytest.approx(1.1 / 0.9 - 1), ["precision bf16", "context 1024"])


def test_a_twin_is_no_point_of_a_sweep(warehouse: Warehouse) -> None:
    # Neither is that of a record that is gone, though its batch and acceptance are those of draft-b1.
    query = "SELECT DISTINCT sweep_id FROM measured_vs_simulated WHERE way = 'nearest acceptance'"
    assert warehouse.execute(query).fetchall() == [("example-study",)]


def test_files_that_are_no_twins(root: Path, tmp_path: Path) -> None:
    place = tmp_path / "ledger"
    shutil.copytree(root, place)
    twins = place / "generated" / "twins" / "twins.parquet"
    duckdb.sql("SELECT 'draft-b8' AS benchmark").write_parquet(str(twins))
    with pytest.raises(ToolsError, match=r"cannot read .*twins\.parquet") as raised:
        built(place, tmp_path / "ledger.duckdb")
    assert "tools sweep twin" in raised.value.hint
    write_sweep(place, "twins", "SELECT 1.0 AS speedup", {})
    with pytest.raises(ToolsError, match="a sweep has the name of the twins"):
        built(place, tmp_path / "ledger.duckdb")
