"""The logs of all records as one: in order, and what a filter takes."""

from __future__ import annotations

import json
import shutil
from datetime import date
from pathlib import Path

import jsonschema
import pytest

from tools.audit.ledger_log import Filter, check, ledger_log, log_json, log_markdown, log_text
from tools.errors import ToolsError
from tools.records.catalog import Catalog

REPOSITORY = Path(__file__).parents[2]
LEDGER = REPOSITORY / "tests" / "cases" / "ledger"


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    """The small ledger, with a model of its own and files that hold no log."""
    root = tmp_path / "ledger"
    shutil.copytree(LEDGER, root)
    models = root / "data" / "models"
    (models / "lone-7b.yaml").write_text(
        "id: lone-7b\nkind: model\naudit:\n"
        "  - {action: created, reason: filed}\n"
        "  - {date: 2026-03-05, by: Eve, action: correction, reason: r, changes: [{path: /layers, from: 1, to: 2}]}\n"
        "layers: 2\n"
    )
    (models / "broken.yaml").write_text("a: [")
    (models / "empty.yaml").write_text("id: empty\n")
    (models / "odd.yaml").write_text("id: odd\naudit: [1, {changes: 3}, {date: soon}]\n")
    return Catalog(root)


def found(catalog: Catalog, **asked: object) -> list[tuple[str, str]]:
    return [
        (step.place.record, step.entry.action)
        for step in ledger_log(catalog, Filter(**asked))  # type: ignore[arg-type]
    ]


def test_the_newest_come_first_and_those_without_a_day_last(catalog: Catalog) -> None:
    days = [step.entry.day for step in ledger_log(catalog, Filter())]
    dated = [day for day in days if day is not None]
    assert dated == sorted(dated, reverse=True)
    assert days[len(dated) :] == [None] * 3
    assert found(catalog)[:2] == [("example-run", "backfill"), ("lone-7b", "correction")]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"since": date(2026, 3, 5)}, {"example-run", "lone-7b"}),
        ({"since": date(2026, 3, 6)}, set()),
        ({"by": "eve"}, {"lone-7b"}),
        ({"by": "Second-Curator"}, {"example-run"}),
        ({"by": "curator"}, set()),
        ({"action": "correction"}, {"lone-7b"}),
        (
            {"accelerator": "example-card-80gb-pcie"},
            {"example-run", "example-speedup", "example-card-80gb-pcie"},
        ),
        ({"model": "lone-7b"}, {"lone-7b"}),
        ({"model": "example-7b", "since": date(2026, 3, 5)}, {"example-run"}),
        ({"model": "lone-7b", "accelerator": "example-card-80gb-pcie"}, set()),
    ],
)
def test_a_filter_takes(catalog: Catalog, asked: dict[str, object], expected: set[str]) -> None:
    assert {record for record, _ in found(catalog, **asked)} == expected


@pytest.mark.parametrize(
    ("asked", "hint"),
    [
        (Filter(action="corection"), "correction"),
        (Filter(accelerator="example-card-80gb-pci"), "example-card-80gb-pcie"),
        (Filter(model="qqqq"), "data/models/"),
    ],
)
def test_a_filter_that_can_find_nothing(catalog: Catalog, asked: Filter, hint: str) -> None:
    with pytest.raises(ToolsError) as caught:
        check(catalog, asked)
    assert hint in caught.value.hint
    with pytest.raises(ToolsError, match="no model `example-card-80gb-pcie`"):
        check(catalog, Filter(model="example-card-80gb-pcie"))
    check(catalog, Filter(action="moved", accelerator="example-card-80gb-pcie", model="example-7b"))


def test_every_form_tells_it(catalog: Catalog) -> None:
    steps = ledger_log(catalog, Filter(by="eve"))
    assert log_text(steps).startswith(
        "2026-03-05\n  lone-7b\n    action: correction\n    change: /layers: 1 → 2 (×2)\n"
    )
    assert "| lone-7b | correction | /layers: 1 → 2 (×2) | r | Eve |  |" in log_markdown(steps)
    (told,) = json.loads(log_json(steps))
    assert (told["record"], told["date"], told["index"]) == ("lone-7b", "2026-03-05", 1)
    assert log_text([]) == "no step is recorded\n"
    assert log_markdown([]) == "No step is recorded.\n"
    assert json.loads(log_json([])) == []


def test_the_json_is_what_its_schema_says(catalog: Catalog) -> None:
    schema = json.loads((REPOSITORY / "schemas" / "output" / "log.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(json.loads(log_json(ledger_log(catalog, Filter()))))
    jsonschema.Draft202012Validator.check_schema(schema)
