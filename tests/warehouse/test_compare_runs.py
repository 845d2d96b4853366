"""Two benchmarks side by side, and that rules and warehouse mean the same by a difference."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from itertools import combinations
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tools.checks.ledger import CatalogLedger
from tools.checks.point import OperatingPoint
from tools.checks.rule import Record
from tools.checks.sides import Comparison, Side, differences
from tools.cli.app import run
from tools.records.catalog import Catalog
from tools.records.parse import parse
from tools.warehouse.compare import compare

_NAMES = {
    "engine.id": "engine",
    "engine.version": "engine_version",
    "accelerator_ids": "accelerators",
    "technique.kind": "technique",
    "conditions.input_length": "isl_mean",
    "conditions.output_length": "osl_mean",
}
"""Fields of a record that the warehouse calls otherwise."""


@pytest.fixture(scope="module")
def own(database: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy that no other connection of this process has open with other settings."""
    place = tmp_path_factory.mktemp("own") / "ledger.duckdb"
    place.write_bytes(database.read_bytes())
    return place


@pytest.fixture
def tools(own: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def call(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        return run(["compare", *arguments, "--warehouse", str(own)]), *capsys.readouterr()

    return call


@pytest.mark.parametrize(
    ("a", "b", "says", "has_ratio"),
    [
        ("offline", "server", "not comparable: scenario differs", False),
        ("slow", "many", "not comparable: concurrency differs", False),
        ("slow", "power", "not comparable: concurrency differs", False),
        ("corrected", "slow", "the ledger cannot say, because not both state", False),
    ],
)
def test_the_verdict(tools: Any, a: str, b: str, says: str, has_ratio: bool) -> None:
    code, out, _ = tools(a, b)
    assert code == 0
    assert says in out
    assert ("a / b" in out) == has_ratio


def test_a_ratio_only_where_it_means_something(own: Path, tmp_path: Path) -> None:
    stated = tmp_path / "stated.duckdb"
    stated.write_bytes(own.read_bytes())
    with duckdb.connect(str(stated)) as connection:
        # The warm-up is all that the two do not state.
        connection.execute("UPDATE benchmarks SET warmup = 'excluded'")
        same = compare(connection, "corrected", "slow")
        assert (same.verdict, same.has_ratio) == ("comparable", True)
        assert {figure.metric: figure.ratio for figure in same.figures}["tps_aggregate"] == pytest.approx(1.2)
        converted = compare(connection, "slow", "per-accelerator")
        assert converted.verdict == "comparable after conversion"
        assert converted.figures[0].conversion == "per accelerator times the number of accelerators"
        assert converted.figures[0].ratio == pytest.approx(100 / 240)


def test_as_json(tools: Any) -> None:
    told = json.loads(tools("offline", "server", "--format", "json")[1])
    assert told["verdict"] == "not comparable"
    assert [found["ratio"] for found in told["figures"]] == [None]
    assert {found["field"] for found in told["differences"] if found["must_agree"]} >= {"scenario"}


@pytest.mark.parametrize(
    ("b", "says"), [("sloww", "slow"), ("slow", "with itself"), ("example-7b", "no benchmark")]
)
def test_a_wrong_call(tools: Any, b: str, says: str) -> None:
    code, out, err = tools("slow", b)
    assert (code, out) == (2, "")
    assert says in err


def test_rules_and_warehouse_agree(root: Path, warehouse: duckdb.DuckDBPyConnection) -> None:
    catalog = Catalog(root)
    ledger = CatalogLedger(catalog, date(2026, 11, 30))
    sides = {}
    for entry in catalog.entries.values():
        if entry.kind == "benchmark":
            value = ledger.value(entry.id)
            assert value is not None
            point = OperatingPoint(Record(entry.id, "benchmark", "", value, parse(b"")))
            sides[entry.id] = Side(entry.id, "", {}, point)
    compared = 0
    for a, b in combinations(sides, 2):
        found = differences(Comparison("", None, sides[a], sides[b], (), {}))
        # A concurrency beside a batch is a difference to the rules; to the warehouse two absences, which is no verdict.
        apart = warehouse.execute(
            "SELECT field FROM differences(?, ?) WHERE relation <> 'same'", [a, b]
        ).fetchall()
        fields = {field for (field,) in apart}
        for item in found:
            name = _NAMES.get(item.field, item.field.rpartition("/")[2].rpartition(".")[2])
            assert name in fields, (a, b, item)
            compared += 1
    assert compared > 20
