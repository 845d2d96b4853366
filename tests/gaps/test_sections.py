"""What each section counts."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tools.errors import ToolsError
from tools.gaps.scope import Scope, check
from tools.gaps.sections import GROUPS, sections
from tools.gaps.survey import survey
from tools.records.catalog import Catalog

TODAY = date(2026, 12, 1)


def told(catalog: Catalog, key: str, today: date = TODAY, **asked: str) -> list[dict[str, Any]]:
    (section,) = (one for one in sections(survey(catalog, Scope(**asked)), today) if one.key == key)
    assert len(section.cells) == len(section.rows)
    assert all(len(cells) == len(section.columns) for cells in section.cells)
    return list(section.rows)


def by_id(rows: list[dict[str, Any]], name: str) -> dict[Any, dict[str, Any]]:
    return {row[name]: row for row in rows}


def test_conditions_by_reason(catalog: Catalog) -> None:
    rows = by_id(told(catalog, "conditions"), "condition")
    assert list(rows)[:3] == ["model", "hardware", "load"]
    assert all(row["stated"] + sum(row["absent"].values()) == 4 for row in rows.values())
    assert rows["hardware"]["absent"]["withheld"] == 1
    assert rows["engine_version"]["absent"] == {
        "not_stated": 1,
        "unrecoverable": 0,
        "not_applicable": 1,
        "withheld": 0,
        "undeclared": 0,
    }
    assert rows["warmup"]["absent"] == {
        "not_stated": 2,
        "unrecoverable": 1,
        "not_applicable": 0,
        "withheld": 0,
        "undeclared": 1,
    }


def test_a_stated_condition_is_no_gap_whatever_is_declared(catalog: Catalog) -> None:
    path = Path(catalog.require("fp8-run").path)
    path.write_text(path.read_text("utf-8").replace("{condition: warmup", "{condition: load"), "utf-8")
    rows = by_id(told(catalog, "conditions"), "condition")
    assert rows["load"]["stated"] == 4


def test_the_groups(catalog: Catalog) -> None:
    sources = by_id(told(catalog, "sources"), "source")
    assert (sources["example-log"]["benchmarks"], sources["example-log"]["complete"]) == (2, 0)
    # The hosted run cites the paper too, but what it lacks is told of the log.
    assert (sources["example-paper"]["benchmarks"], sources["example-paper"]["complete"]) == (3, 1)
    assert sources["example-paper"]["lacking"]["warmup"] == 2
    assert sources["example-log"]["lacking"] == dict.fromkeys(sources["example-log"]["lacking"], 0) | {
        "hardware": 1,
        "warmup": 2,
    }
    accelerators = by_id(told(catalog, "accelerators"), "accelerator")
    assert set(accelerators) == {None, "example-card-80gb-pcie", "example-card-24gb", "example-sxm-80gb"}
    assert accelerators[None]["lacking"]["engine_version"] == 0
    models = by_id(told(catalog, "models"), "model")
    assert {name: row["benchmarks"] for name, row in models.items()} == {"example-7b": 2, "example-8b": 2}


def test_the_look_up_that_completes_most_comes_first(catalog: Catalog) -> None:
    rows = told(catalog, "recoverable")
    assert [(row["source"], row["condition"], row["completes"]) for row in rows[:3]] == [
        ("example-paper", "warmup", 1),
        ("example-log", "warmup", 1),
        ("example-log", "warmup", 0),
    ]
    first = rows[0]
    assert (first["benchmarks"], first["reason"], first["example"]) == (2, "not_stated", "fp8-run")
    assert {"words": "the script", "benchmarks": 1} in first["would_need"]
    assert "withheld" not in {row["reason"] for row in rows}
    assert "not_applicable" not in {row["reason"] for row in rows}
    ranks = [(-row["completes"], -row["benchmarks"]) for row in rows]
    assert ranks == sorted(ranks)


def test_one_completed_record_outranks_many_that_stay_incomplete(root: Path) -> None:
    for name in ("first", "second", "third"):
        (root / f"data/benchmarks/{name}.yaml").write_text(
            f"id: {name}\nkind: benchmark\nsources: [{{source_id: undated}}]\n", "utf-8"
        )
    rows = told(Catalog(root), "recoverable")
    at = {(row["source"], row["condition"]): index for index, row in reversed(list(enumerate(rows)))}
    many = rows[at["undated", "load"]]
    assert (many["benchmarks"], many["completes"], many["reason"]) == (3, 0, "undeclared")
    assert at["example-log", "warmup"] < at["undated", "load"] < at["example-paper", "scenario"]


def test_a_benchmark_without_an_accelerator_says_why(catalog: Catalog) -> None:
    assert told(catalog, "without_accelerator") == [
        {
            "source": "example-log",
            "reason": "withheld",
            "benchmarks": 1,
            "explained": 1,
            "notes": [{"words": "hosted API; the provider names no part", "benchmarks": 1}],
            "systems": [{"name": "cloud", "benchmarks": 1}],
        }
    ]


def test_records_without_a_benchmark_that_stands(catalog: Catalog) -> None:
    rows = by_id(told(catalog, "unmeasured"), "kind")
    assert rows["accelerator"]["without"] == ["example-box-128gb", "example-sxm-141gb", "weak-card"]
    assert rows["accelerator"]["records"] == 6
    assert rows["model"]["without"] == ["example-70b", "example-moe-30b", "hybrid-7b"]
    assert "engine" not in rows


def test_facts_of_a_roofline(catalog: Catalog) -> None:
    rows = by_id(told(catalog, "accelerator_facts"), "accelerator")
    assert rows["weak-card"]["missing"] == ["dense peak", "TDP"]
    # It states BF16 and FP16; the run on it computed in FP8.
    assert rows["example-card-24gb"] == {
        "accelerator": "example-card-24gb",
        "benchmarks": 1,
        "missing": ["dense peak in fp8"],
    }
    assert "example-sxm-80gb" not in rows
    models = by_id(told(catalog, "model_shapes"), "model")
    assert models["hybrid-7b"]["missing"][0] == "attention.full_cache_layers"
    assert "attention.head_dim" in models["example-7b"]["missing"]
    assert set(models) == {"hybrid-7b", "example-7b"}


def test_figures_on_weak_ground(catalog: Catalog) -> None:
    rows = {(row["accelerator"], row["ground"]): row["figures"] for row in told(catalog, "doubtful_figures")}
    assert rows == {
        ("weak-card", "secondary"): ["capacity", "fp16 vector peak"],
        ("weak-card", "announced"): ["bandwidth"],
        ("weak-card", "disputed"): ["bandwidth"],
    }


def test_dates_and_drafts(catalog: Catalog) -> None:
    assert told(catalog, "undated_sources") == [
        {"source": "example-log", "cited_by": 2, "accessed": "2026-03-02", "has_commit": False},
        {"source": "undated", "cited_by": 0, "accessed": None, "has_commit": True},
    ]
    assert told(catalog, "drafts") == [
        {"source": "example-log", "drafts": 1, "benchmarks": 2},
        {"source": "example-paper", "drafts": 1, "benchmarks": 3},
    ]


def test_what_needs_another_look(catalog: Catalog) -> None:
    always = {
        ("weak-card", "on sale since 2025, and still as announced: bandwidth"),
        ("hybrid-7b", "names gone-7b, which is superseded"),
    }
    assert {(row["record"], row["why"]) for row in told(catalog, "stale")} == always
    # 2026-03-02 and 365 days are 2027-03-02.
    assert len(told(catalog, "stale", date(2027, 3, 2))) == 2
    late = {(row["record"], row["why"]) for row in told(catalog, "stale", date(2027, 3, 3))}
    assert late - always == {
        ("hosted-run", "draft, and nobody has touched it since 2026-03-02"),
        ("fp8-run", "contested, and nobody has touched it since 2026-03-02"),
    }
    assert {row["record"] for row in told(catalog, "stale", date(2025, 12, 31))} == {"hybrid-7b"}


@pytest.mark.parametrize(
    ("asked", "counted"),
    [
        ({}, {"example-run", "example-speedup", "hosted-run", "fp8-run"}),
        ({"accelerator": "example-sxm-80gb"}, {"fp8-run"}),
        ({"model": "example-8b"}, {"hosted-run", "fp8-run"}),
        ({"model": "example-8b", "source": "example-log"}, {"hosted-run"}),
        ({"model": "example-70b"}, set()),
    ],
)
def test_the_scope(catalog: Catalog, asked: dict[str, str], counted: set[str]) -> None:
    found = survey(catalog, Scope(**asked))
    assert {benchmark.id for benchmark in found.benchmarks} == counted


def test_the_scope_holds_for_every_section(catalog: Catalog) -> None:
    asked = {"source": "example-log"}
    assert [row["source"] for row in told(catalog, "sources", **asked)] == ["example-log"]
    assert {row["source"] for row in told(catalog, "recoverable", **asked)} == {"example-log"}
    assert [row["source"] for row in told(catalog, "drafts", **asked)] == ["example-log"]
    assert told(catalog, "accelerator_facts", **asked) == []
    facts = told(catalog, "accelerator_facts", accelerator="example-card-24gb")
    assert [row["accelerator"] for row in facts] == ["example-card-24gb"]


def test_what_is_withdrawn_or_unreadable_is_told_apart(catalog: Catalog) -> None:
    found = survey(catalog, Scope())
    assert (found.set_aside["benchmark"], found.unreadable) == (1, 1)


def test_one_group_alone(catalog: Catalog) -> None:
    for by, key in GROUPS.items():
        assert [section.key for section in sections(survey(catalog, Scope()), TODAY, by)] == [key]


def test_a_scope_that_holds_nothing(catalog: Catalog) -> None:
    with pytest.raises(ToolsError, match="no model `example-7c`") as caught:
        check(catalog, Scope(model="example-7c"))
    assert "example-7b" in caught.value.hint
    with pytest.raises(ToolsError, match="no source `example-7b`"):
        check(catalog, Scope(source="example-7b"))
