"""What a value does not say yet, as questions."""

from __future__ import annotations

import pytest

from tools.records.catalog import FOLDERS
from tools.records.parse import Json
from tools.schema.load import bundle
from tools.schema.questions import open_questions, ways_to_state
from tools.schema.validate import faults
from tools.schema.vocabulary import vocabulary


def asked(kind: str, value: dict[str, Json]) -> list[str]:
    return [" ".join(question.pointer for question in one) for one in open_questions(kind, value)]


@pytest.mark.parametrize("kind", FOLDERS)
def test_a_whole_record_leaves_no_question(kind: str) -> None:
    for example in bundle(kind)["examples"]:
        assert faults(kind, example) == []
        assert asked(kind, example) == []


@pytest.mark.parametrize("kind", FOLDERS)
def test_a_required_field_that_is_left_out_is_asked_for(kind: str) -> None:
    example = bundle(kind)["examples"][0]
    for key in bundle(kind)["required"]:
        if key in ("id", "kind", "status", "audit"):
            continue
        less = {name: value for name, value in example.items() if name != key}
        assert [one for one in asked(kind, less) if one.startswith(f"/{key}")]


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        ("source", {"title": "a", "type": "blog"}, ["/url /arxiv /doi /repository"]),
        ("source", {"title": "a", "type": "blog", "doi": "10.1/2"}, []),
        ("source", {"title": "a", "type": "private_run"}, []),
        ("model", {"name": "a", "publisher": "b", "sources": [{}]}, ["/sources/0/source_id"]),
    ],
)
def test_what_is_there_decides_what_is_asked(kind: str, value: dict[str, Json], expected: list[str]) -> None:
    assert asked(kind, value) == expected


def test_a_metric_asks_for_its_statistic_and_offers_its_units() -> None:
    value: dict[str, Json] = {
        "results": [{"metric": "ttft_ms"}, {"metric": "tps_aggregate"}],
        "engine": {"version": "1"},
    }
    questions = {one[0].pointer: one[0] for one in open_questions("benchmark", value)}
    assert "/results/0/statistic" in questions
    assert "/results/1/statistic" not in questions
    assert questions["/results/0/unit"].words == vocabulary().metrics["ttft_ms"].units
    assert questions["/results/1/unit"].words == vocabulary().metrics["tps_aggregate"].units
    assert questions["/engine/id"].refers_to == "engine"
    first = {one[0].pointer: one[0] for one in open_questions("benchmark", {})}
    assert first["/results/0/metric"].words == tuple(vocabulary().metrics)


@pytest.mark.parametrize("name", vocabulary().conditions)
def test_every_condition_can_be_stated_by_an_answer(name: str) -> None:
    condition = vocabulary().conditions[name]
    ways = ways_to_state("benchmark", {}, condition.stated_by)
    assert ways
    for question in ways:
        assert any(
            question.pointer == at or question.pointer.startswith(f"{at}/") for at in condition.stated_by
        )
        assert question.title
        assert question.description
