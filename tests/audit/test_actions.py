"""What each action may do to a record."""

from __future__ import annotations

from datetime import date

import pytest

from tools.audit import actions
from tools.audit.amendment import Amendment, Signature, Step, Verb
from tools.audit.entry import Evidence
from tools.errors import ToolsError
from tools.records.parse import Json
from tools.records.revise import node_of, value_of

SIGNED = Signature("me", date(2026, 3, 1), "Because.", (Evidence("paper", None, "Table 3", None),))
RECORD: dict[str, Json] = {
    "id": "run",
    "kind": "benchmark",
    "status": "verified",
    "engine": {"id": "vllm"},
    "conditions": {"batch_size": 1},
    "results": [{"metric": "ttft_ms", "value": 5, "unit": "ms"}],
    "absent": [
        {"condition": "scenario", "reason": "not_stated"},
        {"condition": "engine_version", "reason": "not_stated"},
        {"condition": "input_length", "reason": "withheld"},
    ],
}


def put(place: str, value: Json) -> Step:
    return Step(Verb.PUT, place, node_of(value))


def removed(amendment: Amendment) -> list[str]:
    return [step.pointer for step in amendment.steps if step.verb is Verb.REMOVE]


def values(amendment: Amendment) -> dict[str, Json]:
    return {step.pointer: value_of(step.node) for step in amendment.steps if step.node is not None}


def test_a_correction_changes_something_that_stands() -> None:
    steps = [put("/results/0/value", 6), put("/results/0/statistic", "p50")]
    assert actions.correction(SIGNED, steps)(RECORD).steps == tuple(steps)
    with pytest.raises(ToolsError, match="nothing to correct") as caught:
        actions.correction(SIGNED, steps[1:])(RECORD)
    assert "backfill" in caught.value.hint


@pytest.mark.parametrize(
    "step",
    [
        put("/results/0/value", 6),
        put("/results/0", {"metric": "itl_ms", "value": 6, "unit": "ms"}),
        put("/results/-", {"metric": "itl_ms", "value": 6, "unit": "ms"}),
        Step(Verb.REMOVE, "/results/0"),
        Step(Verb.REMOVE, "/results/0/value"),
    ],
)
def test_a_reclassification_touches_no_value(step: Step) -> None:
    with pytest.raises(ToolsError, match="leaves every value") as caught:
        actions.reclassification(SIGNED, [step])(RECORD)
    assert "tools correct" in caught.value.hint


def test_a_reclassification_changes_the_kind() -> None:
    steps = (put("/results/0", {"metric": "itl_ms", "value": 5, "unit": "ms"}), put("/evidence", "claimed"))
    assert actions.reclassification(SIGNED, steps)(RECORD).steps == steps


@pytest.mark.parametrize(
    ("steps", "dropped"),
    [
        ([put("/conditions/scenario", "offline")], ["/absent/0"]),
        ([put("/engine/commit", "abc")], ["/absent/1"]),
        ([put("/engine/x", 1), put("/counts", {"requests": 1})], []),
        (
            [put("/conditions/input_length", {"nominal": 1}), put("/engine/version", "1")],
            ["/absent/1", "/absent/2"],
        ),
        (
            [
                put("/conditions/input_length", {"nominal": 1}),
                put("/engine/version", "1"),
                put("/conditions/scenario", "offline"),
            ],
            ["/absent"],
        ),
    ],
)
def test_a_backfill_drops_the_absences_it_ends(steps: list[Step], dropped: list[str]) -> None:
    assert removed(actions.backfill(SIGNED, steps)(RECORD)) == dropped


def test_a_backfill_of_a_whole_object_drops_all_that_it_states() -> None:
    record = {key: value for key, value in RECORD.items() if key not in ("engine", "conditions")}
    steps = [put("/engine", {"id": "vllm", "version": "0.1"}), put("/conditions", {"scenario": "offline"})]
    assert removed(actions.backfill(SIGNED, steps)(record)) == ["/absent/0", "/absent/1"]


@pytest.mark.parametrize("step", [put("/engine", {}), put("/results/0", 1), Step(Verb.REMOVE, "/engine")])
def test_a_backfill_only_adds(step: Step) -> None:
    with pytest.raises(ToolsError, match="there already"):
        actions.backfill(SIGNED, [step])(RECORD)


def test_a_confirmation_says_what_was_confirmed() -> None:
    amendment = actions.confirmation(SIGNED, ["/results/0/value", "/engine/id"])(RECORD)
    assert [item.note for item in amendment.signed.evidence] == [
        "confirms /results/0/value: 5; confirms /engine/id: vllm"
    ]
    assert actions.confirmation(SIGNED, [])(RECORD).signed == SIGNED
    with pytest.raises(ToolsError, match="nothing stands at /results/1"):
        actions.confirmation(SIGNED, ["/results/1"])(RECORD)


def test_an_absence_is_added_to_the_others() -> None:
    declared = {"condition": "warmup", "reason": "unrecoverable", "would_need": "the log"}
    plan = actions.absence(SIGNED, "warmup", "unrecoverable", "the log", None)
    assert values(plan(RECORD)) == {"/absent/-": declared}
    bare = {key: value for key, value in RECORD.items() if key != "absent"}
    assert values(plan(bare)) == {"/absent": [declared]}


@pytest.mark.parametrize(
    ("condition", "reason", "record", "message"),
    [
        ("warmup", "unrecoverable", RECORD, "--would-need"),
        ("weather", "not_stated", RECORD, "no condition"),
        ("scenario", "withheld", RECORD, "/absent/0 already"),
        ("load", "not_stated", RECORD, "/conditions/batch_size: 1"),
        ("warmup", "not_stated", {"id": "x", "kind": "model"}, "only a benchmark"),
    ],
)
def test_an_absence_that_cannot_be(
    condition: str, reason: str, record: dict[str, Json], message: str
) -> None:
    with pytest.raises(ToolsError) as caught:
        actions.absence(SIGNED, condition, reason, None, None)(record)
    assert message in caught.value.message + caught.value.hint


def test_what_a_declaration_says_of_itself() -> None:
    told = actions.told_absence("warmup", "not_stated", "the log", "paper")
    assert told == "The condition warmup is declared absent in paper: not stated. It would need the log."


def test_retraction_and_supersession() -> None:
    assert values(actions.retraction(SIGNED)(RECORD)) == {"/status": "retracted"}
    superseded: dict[str, Json] = {**RECORD, "status": "superseded", "superseded_by": "other"}
    assert removed(actions.retraction(SIGNED)(superseded)) == ["/superseded_by"]
    with pytest.raises(ToolsError, match="already"):
        actions.retraction(SIGNED)({**RECORD, "status": "retracted"})
    assert values(actions.supersession(SIGNED, "other")(RECORD)) == {
        "/status": "superseded",
        "/superseded_by": "other",
    }
    with pytest.raises(ToolsError, match="`other` takes the place"):
        actions.supersession(SIGNED, "third")(superseded)
    with pytest.raises(ToolsError, match="own place"):
        actions.supersession(SIGNED, "run")(RECORD)
