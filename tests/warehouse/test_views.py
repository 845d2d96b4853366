"""Views and macros: what a planner is told, on a ledger where the right answer is known."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import duckdb
import pytest

from tools.audit.replay import as_of
from tools.errors import ToolsError
from tools.records.catalog import Catalog
from tools.roofline import accelerator, model
from tools.roofline.bounds import decode_rate, ridge_point, token_rate

Warehouse = duckdb.DuckDBPyConnection


def rows(warehouse: Warehouse, query: str, *values: object) -> list[tuple[object, ...]]:
    return warehouse.execute(query, list(values)).fetchall()


def test_runs_has_the_columns_that_questions_rest_on(warehouse: Warehouse) -> None:
    columns = [name for name, *_ in rows(warehouse, "DESCRIBE runs")]
    assert columns == re.findall(
        r"\w+",
        """record_id, run_id, model_id, model_active_b, weights_dtype, kv_dtype, tokenizer_id, accelerator_id,
        accelerator_vendor, accelerator_count, nodes, engine, engine_version, engine_released, scenario, load_kind,
        concurrency, offered_rate, isl_mean, osl_mean, length_kind, dataset, ignore_eos, prefix_cache, cache_hit_rate,
        spec_method, spec_accept_len, disagg, prefill_count, decode_count, metric, statistic, value, unit, scope,
        token_kind, window, power_basis, quality_ref, provenance_kind, tolerance, measured_on, source_id, locator,
        lint_level, superseded_by, correction_reason, price_per_acc_hour, price_as_of""",
    )


def test_runs_joins_a_result_with_its_conditions(warehouse: Warehouse) -> None:
    assert rows(
        warehouse,
        "SELECT run_id, accelerator_id, engine, load_kind, concurrency, isl_mean, length_kind, scope, token_kind, "
        "locator FROM runs WHERE record_id = 'slow' AND metric = 'tps_aggregate'",
    ) == [
        (
            "slow",
            "example-card-80gb-pcie",
            "example-engine",
            "closed_loop",
            8.0,
            1024.0,
            "nominal",
            "system",
            "output",
            "line 12",
        )
    ]


DAYS = ("2026-03-01", "2026-03-02", "2026-03-05", "2026-03-10", "2026-03-11", "2026-03-12", "2030-01-01")


@pytest.mark.parametrize("day", DAYS)
def test_as_of_is_what_show_tells(warehouse: Warehouse, root: Path, day: str) -> None:
    catalog = Catalog(root)
    expected = []
    for entry in catalog.entries.values():
        record = catalog.record(entry.id)
        assert record is not None
        try:
            state = as_of(record, date.fromisoformat(day))
        except ToolsError:
            continue
        results = state.get("results", []) if entry.kind == "benchmark" else []
        assert isinstance(results, list)
        for index, result in enumerate(results):
            assert isinstance(result, dict)
            expected.append((entry.id, index, result["metric"], float(str(result["value"])), state["status"]))
    found = rows(
        warehouse,
        "SELECT record_id, result_index, metric, filed_value, status FROM as_of(?::DATE) ORDER BY ALL",
        day,
    )
    assert found == sorted(expected)
    assert bool(found) == (day > DAYS[0])


def test_value_history_and_corrections(warehouse: Warehouse) -> None:
    first, filed, mended = date(2026, 3, 2), date(2026, 3, 12), date(2026, 3, 10)
    assert rows(
        warehouse,
        "SELECT result_index, valid_from, valid_until, value FROM value_history WHERE record_id = 'corrected'",
    ) == [(0, first, mended, 150.0), (0, mended, None, 120.0), (1, filed, None, 20.0)]
    assert rows(
        warehouse,
        "SELECT day, action, path, factor, source_id FROM corrections WHERE record_id = 'corrected' AND factor < 1",
    ) == [(mended, "correction", "/results/0/value", 0.8, "example-log")]


@pytest.mark.parametrize(
    ("one", "other", "verdict", "differs", "varied"),
    [
        ("corrected", "slow", "cannot say", [], []),
        ("slow", "many", "not comparable", ["concurrency"], []),
        ("slow", "power", "not comparable", ["concurrency"], []),
        ("offline", "server", "not comparable", ["scenario"], []),
        ("slow", "per-accelerator", "cannot say", [], []),
    ],
)
def test_comparable(
    warehouse: Warehouse, one: str, other: str, verdict: str, differs: list[str], varied: list[str]
) -> None:
    found = rows(warehouse, "SELECT verdict, differs, varied FROM comparable(?, ?)", one, other)
    assert found == [(verdict, differs, varied)]


def test_what_is_absent_is_named(warehouse: Warehouse) -> None:
    assert rows(warehouse, "SELECT absent FROM comparable('corrected', 'slow')") == [(["warmup"],)]
    assert rows(warehouse, "SELECT count(*) FROM comparable('corrected', 'nobody')") == [(0,)]


def test_figures_in_common_are_converted(warehouse: Warehouse) -> None:
    query = "SELECT metric_a, metric_b, ratio, conversion FROM common_results('per-accelerator', 'slow')"
    assert rows(warehouse, query) == [
        (
            "output_tok_s_per_accelerator",
            "tps_aggregate",
            2.4,
            "per accelerator times the number of accelerators",
        )
    ]


def test_completeness(warehouse: Warehouse) -> None:
    query = "SELECT stated, absent, unrecoverable FROM completeness WHERE record_id = 'offline'"
    assert rows(warehouse, query) == [(6, ["load", "warmup"], ["warmup"])]


def test_the_frontier_leaves_out_what_is_beaten_in_both(warehouse: Warehouse) -> None:
    query = (
        "SELECT record_id, output_tok_s_per_accelerator, tok_s_per_user, is_frontier FROM frontier ORDER BY 1"
    )
    found = {name: (throughput, speed, flag) for name, throughput, speed, flag in rows(warehouse, query)}
    assert found == {
        "corrected": (120.0, 50.0, True),
        "many": (900.0, pytest.approx(1000 / 60), True),
        "slow": (100.0, 40.0, False),
    }


def test_server_beside_offline(warehouse: Warehouse) -> None:
    query = (
        "SELECT record_id, offline_record_id, share_of_offline, offline_minus_server FROM server_vs_offline"
    )
    assert rows(warehouse, query) == [("server", "offline", 0.8, 200.0)]


def test_break_even_is_a_bracket(warehouse: Warehouse) -> None:
    query = (
        "SELECT outcome, load_low, load_high, speedup_low_load, speedup_high_load, points, record_ids "
        "FROM break_even WHERE technique = 'eagle3'"
    )
    assert rows(warehouse, query) == [
        ("crosses", 8.0, 32.0, 1.4, 0.9, 3, ["draft-b1", "draft-b8", "draft-b32"])
    ]


def test_measured_beside_simulated(warehouse: Warehouse) -> None:
    figures = "record_id, cost_model, way, predicted, round(error, 9), assumed"
    query = f"SELECT {figures} FROM measured_vs_simulated ORDER BY 1"
    found = rows(warehouse, query)
    assert [row[:5] for row in found] == [
        ("draft-b32", "roofline", "twin", 1.1, 0.2),
        ("draft-b8", "constant", "nearest acceptance", 1.5, 0.1),
    ]
    assert found[0][5] == ["precision bf16", "context 1024"]
    assert {"model", "hardware", "precision"} <= set(found[1][5])  # type: ignore[call-overload]
    nearest = "SELECT simulated_acceptance_length FROM measured_vs_simulated WHERE record_id = 'draft-b8'"
    assert rows(warehouse, nearest) == [(2.99,)]


def test_roofline_is_that_of_the_rules(warehouse: Warehouse, root: Path) -> None:
    catalog = Catalog(root)
    card, shape = catalog.record("example-sxm-80gb"), catalog.record("example-8b")
    assert card is not None
    assert shape is not None
    part, facts = accelerator(card), model(shape)
    assert facts.read_per_token is not None
    assert facts.prompt_parameters is not None
    query = (
        "SELECT ridge_point, decode_bound_tok_s, prefill_bound_tok_s, weights_fit "
        "FROM roofline('example-sxm-80gb', 'example-8b', 'fp16')"
    )
    peak, bandwidth = part.required_peak("fp16"), part.required_bandwidth()
    assert rows(warehouse, query) == [
        (
            pytest.approx(ridge_point(peak, bandwidth)),
            pytest.approx(decode_rate(1, facts.read_per_token * 2, bandwidth)),
            pytest.approx(token_rate(facts.prompt_parameters, peak)),
            True,
        )
    ]
    assert rows(warehouse, "FROM roofline('nobody', 'example-8b', 'fp16')") == []
