"""Records of the ledger's own kinds, judged: what is said, where, and that no value makes it fail."""

import copy
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.errors import ToolsError
from tools.records import pointer
from tools.schema.load import bundle, kinds
from tools.schema.validate import FIRST_ITEMS, MOST_FAULTS, MOST_ITEMS, CompiledSchema, compiled, faults

CASES = yaml.safe_load((Path(__file__).parent / "cases" / "records.yaml").read_text(encoding="utf-8"))


def example(kind: str) -> Any:
    return copy.deepcopy(bundle(kind)["examples"][0])


def put(record: Any, place: str, value: Any) -> None:
    try:
        pointer.replace(record, place, value)
    except LookupError:
        pointer.put(record, place, value)


def changed(case: dict[str, Any]) -> Any:
    """The record that a case is about."""
    record = example(case["kind"])
    for place in case.get("remove", ()):
        pointer.remove(record, place)
    for place, value in case.get("set", {}).items():
        put(record, place, value)
    return record


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_what_is_said_about_a_record(case: dict[str, Any]) -> None:
    found = sorted(faults(case["kind"], changed(case)), key=lambda fault: fault.pointer)
    expected = [(fault["at"], fault.get("key", False), fault["says"]) for fault in case["faults"]]
    assert [(fault.pointer, fault.at_key, fault.message) for fault in found] == expected
    for fault, wanted in zip(found, case["faults"], strict=True):
        assert fault.hint == wanted.get("do", fault.hint)


def test_another_kind_is_an_error_of_the_call() -> None:
    with pytest.raises(ToolsError):
        faults("bench", {})


def test_a_compiled_schema_is_kept() -> None:
    assert compiled("engine") is compiled("engine")


@pytest.mark.parametrize(
    "count", [10**30, 10**308, 10**4299], ids=["31 digits", "309 digits", "4,300 digits"]
)
def test_long_integers_are_counts_like_others(count: int) -> None:
    record = example("benchmark")
    record["counts"]["output_tokens"] = count
    assert faults("benchmark", record) == []
    record["counts"]["output_tokens"] = -count
    (fault,) = faults("benchmark", record)
    assert fault.pointer == "/counts/output_tokens"
    assert fault.message.endswith("it must be 0 or more")
    assert len(fault.message) < 100


def test_a_number_no_program_reads_is_no_crash() -> None:
    schema = CompiledSchema({"properties": {"a": {"type": "number", "description": "A number."}}})
    (fault,) = schema.faults({"a": 10**6000})
    assert fault.message == "`a` is a number of about 6,001 digits, more than can be read"


def test_what_the_parser_keeps_away_is_no_crash() -> None:
    deep: Any = 1
    for _ in range(2_000):
        deep = [deep]
    (fault,) = faults("engine", {"x": deep})
    assert fault.message == "the record is nested too deep"
    (fault,) = faults("engine", {"x": "\ud800"})
    assert fault.message == "the record has text that is not Unicode"


def test_many_faults_are_cut_and_it_says_so() -> None:
    record = example("engine") | {f"key{number}": 1 for number in range(MOST_FAULTS + 1)}
    found = faults("engine", record)
    assert len(found) == MOST_FAULTS + 1
    assert found[-1].keyword == "cut"
    assert found[-1].message == f"there are more than {MOST_FAULTS} faults; only the first are listed"
    del record["key0"]
    assert [fault.keyword for fault in faults("engine", record)] == ["additionalProperties"] * MOST_FAULTS


def test_of_very_many_items_the_first_are_judged_and_it_says_so() -> None:
    record = example("benchmark")
    record["results"] = [{"metric": "x"}] * (MOST_ITEMS + 1)
    found = faults("benchmark", record)
    assert {fault.pointer for fault in found[:-1]} == {
        f"/results/{place}{key}" for place in range(FIRST_ITEMS) for key in ("", "/metric")
    }
    assert found[-1].keyword == "cut"
    assert "not all of them were judged" in found[-1].message


def test_very_many_items_whose_last_is_wrong() -> None:
    record = example("benchmark")
    record["results"] = [record["results"][0]] * MOST_ITEMS
    assert faults("benchmark", record) == []
    record["results"].append({**record["results"][0], "value": "x"})
    found = faults("benchmark", record)
    assert [fault.pointer for fault in found] == [f"/results/{MOST_ITEMS}/value", ""]


WORDS = st.sampled_from(["id", "metric", "unit", "results", "ms", "ttft_ms", "a/b", "~", "", "x" * 300])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=5) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=12,
)  # fmt: skip
PLACES = {
    kind: [
        place
        for place in ["", *(f"/{key}" for key in bundle(kind)["properties"])]
        if place not in ("/schema_version",)
    ]
    for kind in kinds()
}


@given(st.sampled_from(kinds()), st.data(), VALUES)
@settings(max_examples=80, deadline=None)
def test_any_value_anywhere_is_judged(kind: str, data: st.DataObject, value: Any) -> None:
    place = data.draw(st.sampled_from(PLACES[kind]))
    record = example(kind)
    if place:
        put(record, place, value)
    else:
        record = value
    schema = compiled(kind)
    found = schema.faults(record)
    assert (found == []) is schema._validator.is_valid(record)
    for fault in found:
        assert fault.message
        assert len(fault.message) < 400
        assert len(fault.hint) < 1_000
        assert (fault.message + fault.hint).isprintable()
        assert "$ref" not in fault.message
        assert pointer.get(record, fault.pointer) is not Ellipsis
    assert len({(fault.pointer, fault.message) for fault in found}) == len(found)
