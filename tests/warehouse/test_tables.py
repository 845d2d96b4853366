"""What stands in the tables: keys, comments, types, values in their own unit, and the same hashes again."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from tests.warehouse.conftest import built
from tools.schema.vocabulary import vocabulary

Warehouse = duckdb.DuckDBPyConnection


def rows(warehouse: Warehouse, query: str) -> list[tuple[object, ...]]:
    return warehouse.execute(query).fetchall()


def test_every_table_and_column_has_its_comment(warehouse: Warehouse) -> None:
    columns = rows(
        warehouse, "SELECT table_name, column_name, comment FROM duckdb_columns() WHERE NOT internal"
    )
    relations = rows(
        warehouse,
        "SELECT table_name, comment FROM duckdb_tables() UNION ALL "
        "SELECT view_name, comment FROM duckdb_views() WHERE NOT internal UNION ALL "
        "SELECT function_name, comment FROM duckdb_functions() WHERE NOT internal",
    )
    assert len(columns) > 600
    assert [item for item in [*columns, *relations] if not item[-1]] == []


def test_a_column_that_holds_a_field_has_the_words_of_its_schema(warehouse: Warehouse) -> None:
    said = rows(
        warehouse,
        "SELECT comment FROM duckdb_columns() WHERE table_name = 'benchmarks' AND column_name = 'concurrency_cap'",
    )
    assert said == [("Upper limit set in the client; may never be reached.",)]


def test_every_foreign_key_leads_to_a_row(warehouse: Warehouse) -> None:
    keys = rows(
        warehouse,
        "SELECT table_name, constraint_column_names, referenced_table, referenced_column_names "
        "FROM duckdb_constraints() WHERE constraint_type = 'FOREIGN KEY'",
    )
    assert len(keys) > 30
    for table, own, other, names in keys:
        assert isinstance(own, list)
        assert isinstance(names, list)
        on = " AND ".join(f't."{a}" = o."{b}"' for a, b in zip(own, names, strict=True))
        stated = " AND ".join(f't."{a}" IS NOT NULL' for a in own)
        lost = rows(warehouse, f"SELECT count(*) FROM {table} t ANTI JOIN {other} o ON {on} WHERE {stated}")
        assert lost == [(0,)], f"{table} {own}"


def test_the_rows_are_those_of_the_ledger(warehouse: Warehouse, root: Path) -> None:
    files = len(list((root / "data").glob("*/*.yaml")))
    assert rows(warehouse, "SELECT count(*) FROM records") == [(files,)]
    assert rows(warehouse, "SELECT count(*) FROM metrics") == [(len(vocabulary().metrics),)]
    assert rows(
        warehouse,
        "SELECT pointer, metric, value, unit FROM results WHERE record_id = 'example-run' ORDER BY ALL",
    ) == [("/results/0", "tps_aggregate", 1998.05, "tok/s"), ("/results/1", "ttft_ms", 210.5, "ms")]


def test_a_value_is_in_the_unit_of_its_metric(warehouse: Warehouse) -> None:
    assert rows(
        warehouse,
        "SELECT value, unit, filed_value, filed_unit, power_basis FROM results WHERE record_id = 'power'",
    ) == [(500.0, "W", 0.5, "kW", "measured_accelerator")]


def test_a_condition_is_present_or_absent_with_its_reason(warehouse: Warehouse) -> None:
    found = rows(
        warehouse,
        "SELECT condition, state, value_text, value_number, reason, would_need FROM conditions "
        "WHERE record_id = 'example-run' AND condition IN ('load', 'warmup', 'input_length') ORDER BY condition",
    )
    assert found == [
        ("input_length", "present", "nominal: 1024", 1024.0, None, None),
        ("load", "present", "32", 32.0, None, None),
        ("warmup", "absent", None, None, "unrecoverable", "the command line of the run"),
    ]


def test_the_audit_log_is_there_with_typed_values(warehouse: Warehouse) -> None:
    assert rows(
        warehouse,
        "SELECT entry, path, result_index, before_number, after_number, had_value, has_value FROM audit_changes "
        "WHERE record_id = 'corrected' ORDER BY entry",
    ) == [(1, "/results/0/value", 0, 150.0, 120.0, True, True), (2, "/results/1", 1, None, None, False, True)]
    reason = "SELECT correction_reason FROM results WHERE record_id = 'corrected' ORDER BY result_index"
    assert rows(warehouse, reason) == [("The log was misread.",), (None,)]


def test_simulated_points_of_every_folder(warehouse: Warehouse) -> None:
    assert rows(
        warehouse, "SELECT sweep_id, title, cost_model, seed, points FROM sweeps ORDER BY sweep_id"
    ) == [
        ("example-study", "A study", "constant", 7, 3),
        ("twins", "Measured speculative records, each simulated at its own conditions", "several", None, 1),
    ]
    found = "SELECT sweep_id, point, quality, acceptance, cost_model, twin_of FROM simulated ORDER BY ALL"
    assert rows(warehouse, found) == [
        ("example-study", 0, "bimodal", None, "constant", None),
        ("example-study", 1, "bimodal", None, "constant", None),
        ("example-study", 2, "bimodal", None, "constant", None),
        ("twins", 0, None, None, "roofline", "draft-b32"),
    ]


def test_the_same_input_gives_the_same_hashes(root: Path, database: Path, tmp_path: Path) -> None:
    def hashes(path: Path) -> list[tuple[object, ...]]:
        with duckdb.connect(str(path), read_only=True) as connection:
            return rows(connection, "FROM table_hashes ORDER BY table_name")

    built(root, tmp_path / "again.duckdb")
    first = hashes(database)
    assert hashes(tmp_path / "again.duckdb") == first
    named = {name for name, *_ in first}
    tables = "SELECT table_name FROM duckdb_tables()"
    with duckdb.connect(str(database), read_only=True) as connection:
        assert {name for (name,) in rows(connection, tables)} - named == {"warehouse", "table_hashes"}


@pytest.mark.parametrize("table", ["results", "records", "audit"])
def test_a_hash_is_of_the_rows(warehouse: Warehouse, table: str) -> None:
    from tools.warehouse.load import content_of

    stored = rows(warehouse, f"SELECT row_count, content_hash FROM table_hashes WHERE table_name = '{table}'")
    assert [content_of(warehouse, table)] == stored
    cut = f"(SELECT * FROM {table} LIMIT (SELECT count(*) - 1 FROM {table}))"
    assert content_of(warehouse, cut) != stored[0]
