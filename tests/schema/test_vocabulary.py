"""The words of the ledger as the schema annotates them, and conversion between units."""

import ast
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tools.schema
from tools.errors import InternalError
from tools.records.pointer import split
from tools.schema.fields import fields_at
from tools.schema.load import bundle
from tools.schema.vocabulary import (
    Condition,
    Metric,
    Statistic,
    Term,
    Unit,
    UnitError,
    convert,
    read_vocabulary,
    vocabulary,
)

WORDS = vocabulary()


def term(name: str, **annotations: Any) -> dict[str, Any]:
    return {"const": name, "title": name.title(), "description": f"About {name}.", **annotations}


SMALL: dict[str, Any] = {
    "$defs": {
        "unit": {
            "title": "Unit",
            "oneOf": [
                term("min", **{"x-dimension": "time", "x-factor": 60}),
                term("s", **{"x-dimension": "time", "x-factor": 1}),
                term("tok", **{"x-dimension": "tokens", "x-factor": 1}),
            ],
        },
        "metric": {
            "title": "Metric",
            "oneOf": [
                {
                    "properties": {
                        "metric": term(
                            "wait",
                            **{"x-scope": "user", "x-token-kind": "none", "x-direction": "lower"},
                        ),
                        "unit": {"enum": ["s", "min"]},
                    },
                    "required": ["statistic"],
                }
            ],
        },
        "statistic": {"title": "Statistic", "oneOf": [term("mean"), term("p99.9", **{"x-percentile": 99.9})]},
        "condition": {
            "title": "Condition",
            "oneOf": [term("load", **{"x-stated-by": ["/a", "/b"], "x-would-need": "the load"})],
        },
        "scenario": {"title": "Scenario", "oneOf": [term("burst")]},
        "number": {"title": "Number", "type": "number"},
    }
}


def test_words_are_read_from_the_annotations() -> None:
    words = read_vocabulary(SMALL)
    assert words.metrics == {
        "wait": Metric("wait", "Wait", "About wait.", ("s", "min"), "user", "none", "lower", True, False)
    }
    assert words.metrics["wait"].definition == "About wait."
    assert words.units["min"] == Unit("min", "Min", "About min.", "time", 60.0)
    assert words.statistics["p99.9"] == Statistic("p99.9", "P99.9", "About p99.9.", 99.9)
    assert words.statistics["mean"].percentile is None
    assert words.conditions["load"] == Condition("load", "Load", "About load.", ("/a", "/b"), "the load")
    assert words.scenarios == {"burst": Term("burst", "Burst", "About burst.")}
    assert set(words.enumerations) == {"unit", "statistic", "condition", "scenario"}


def test_a_missing_annotation_is_a_fault_of_ours() -> None:
    broken = {"$defs": {**SMALL["$defs"], "unit": {"title": "Unit", "oneOf": [term("s")]}}}
    with pytest.raises(InternalError, match="x-dimension"):
        read_vocabulary(broken)


def test_units_and_metrics_find_each_other() -> None:
    words = read_vocabulary(SMALL)
    assert words.units_like("s") == ("min", "s")
    assert words.units_like("hour") == ()
    assert words.metrics_in("min") == ("wait",)
    assert words.metrics_in("tok") == ()


def test_the_ledger_knows_its_first_metrics() -> None:
    assert {"decode_tok_s", "prefill_tok_s", "ttft_ms", "speedup_ratio"} <= set(WORDS.metrics)
    assert WORDS.metrics["speedup_ratio"].units == ("ratio",)
    assert len(WORDS.conditions) == 8
    assert "closed_loop" in WORDS.scenarios
    assert "medusa" in WORDS.techniques
    assert "reclassification" in WORDS.audit_actions


def test_every_metric_is_measured_in_units_that_exist() -> None:
    for metric in WORDS.metrics.values():
        assert metric.units
        assert set(metric.units) <= set(WORDS.units)


def test_every_condition_is_stated_by_fields_that_exist() -> None:
    for condition in WORDS.conditions.values():
        assert condition.stated_by
        for pointer in condition.stated_by:
            *above, key = split(pointer)
            assert key in fields_at(bundle("benchmark"), above), pointer


def test_no_metric_or_unit_is_named_in_the_code() -> None:
    # A unit of one letter is also the end of a plural.
    names = {*WORDS.metrics, *(unit for unit in WORDS.units if len(unit) > 1)}
    for source in Path(tools.schema.__file__).parent.glob("*.py"):
        found = {
            node.value for node in ast.walk(ast.parse(source.read_text())) if isinstance(node, ast.Constant)
        }
        assert not {text for text in found if isinstance(text, str)} & names, source


@pytest.mark.parametrize(
    ("value", "from_unit", "to_unit", "expected"),
    [
        (0.21, "s", "ms", 210.0),
        (210, "ms", "s", 0.21),
        (1, "GiB", "GB", 1.073741824),
        (80, "GB", "GiB", 74.50580596923828),
        (0.7, "kW", "W", 700.0),
        (35, "percent", "fraction", 0.35),
        (3.35, "TB/s", "GB/s", 3350.0),
        (5, "ms", "ms", 5.0),
        (10**30, "s", "ms", 1e33),
        (-1.5, "s", "us", -1500000.0),
    ],
)
def test_conversion_rounds_once(value: float, from_unit: str, to_unit: str, expected: float) -> None:
    assert convert(value, from_unit, to_unit) == expected


@pytest.mark.parametrize(
    ("value", "from_unit", "to_unit", "says"),
    [
        (1, "ms", "tok/s", "`ms` is time, `tok/s` is token rate"),
        (1, "fortnight", "s", "`fortnight` is no unit"),
        (1, "s", "fortnight", "`fortnight` is no unit"),
        pytest.param(10**400, "s", "ms", "too large", id="too large"),
    ],
)
def test_conversion_without_meaning(value: float, from_unit: str, to_unit: str, says: str) -> None:
    with pytest.raises(UnitError, match=says):
        convert(value, from_unit, to_unit)


def test_what_is_not_finite_stays_so() -> None:
    assert convert(math.inf, "s", "ms") == math.inf
    assert math.isnan(convert(math.nan, "s", "ms"))


@given(st.floats(-1e200, 1e200), st.sampled_from(sorted(WORDS.units)), st.data())
@settings(max_examples=100, deadline=None)
def test_conversion_there_and_back(value: float, unit: str, data: st.DataObject) -> None:
    other = data.draw(st.sampled_from(WORDS.units_like(unit)))
    there_and_back = convert(convert(value, unit, other), other, unit)
    assert math.isclose(there_and_back, value, rel_tol=1e-12, abs_tol=1e-300)
