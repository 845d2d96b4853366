"""What each action of the audit log may do to a record, as amendments.

An action is judged against the record at the moment it is carried out, which another writer may have changed since
it was asked for: so each function here gives a *plan*, which makes the amendment from the record as it then stands.
What every record must satisfy is left to schema and rules.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from tools.audit.amendment import Amendment, Signature, Step, Verb
from tools.audit.places import tokens_of
from tools.audit.values import shown
from tools.errors import ToolsError
from tools.records import pointer as pointers
from tools.records.parse import Json
from tools.records.pointer import PointerError
from tools.records.revise import node_of, value_of
from tools.records.tree import Scalar
from tools.schema.conditions import absences, require_condition, stated_at
from tools.schema.vocabulary import vocabulary

Record: TypeAlias = dict[str, Json]
Plan: TypeAlias = Callable[[Record], Amendment]

_VALUE = "value"
"""The key of a number that was measured; a reclassification leaves it alone."""


def correction(signed: Signature, steps: Sequence[Step]) -> Plan:
    """Replaces what is wrong; at least one of the steps changes or removes something that stands."""

    def plan(record: Record) -> Amendment:
        if all(_adds(record, step) for step in steps):
            told = " and ".join(step.pointer for step in steps) or "nothing"
            raise ToolsError(
                f"there is nothing to correct: nothing stands at {told}",
                "check the path; `tools backfill` adds what is missing",
            )
        return Amendment("correction", signed, tuple(steps))

    return plan


def reclassification(signed: Signature, steps: Sequence[Step]) -> Plan:
    """Changes what kind of number something is, never a number."""

    def plan(record: Record) -> Amendment:
        for step in steps:
            before = list(_numbers(pointers.find(record, step.pointer), tokens_of(step.pointer)[-1]))
            after = list(_numbers(_new_value(step), tokens_of(step.pointer)[-1]))
            if before != after:
                raise ToolsError(
                    f"a reclassification leaves every value as it is, and {step.pointer} would change one",
                    "`tools correct` replaces a wrong value",
                )
        return Amendment("reclassification", signed, tuple(steps))

    return plan


def backfill(signed: Signature, steps: Sequence[Step]) -> Plan:
    """Adds what is missing; a condition that becomes stated is no longer declared absent."""

    def plan(record: Record) -> Amendment:
        for step in steps:
            if not _adds(record, step):
                raise ToolsError(
                    f"{step.pointer} is there already: {shown(pointers.find(record, step.pointer), 60)}",
                    "`tools correct` replaces what is wrong; a back-fill only adds",
                )
        return Amendment("backfill", signed, (*steps, *_no_longer_absent(record, steps)))

    return plan


def confirmation(signed: Signature, places: Sequence[str]) -> Plan:
    """Says that values were checked and are right; which, stands beside the evidence."""

    def plan(record: Record) -> Amendment:
        told = "; ".join(f"confirms {place}: {shown(_required(record, place), 60)}" for place in places)
        evidence = tuple(replace(item, note=told) for item in signed.evidence) if told else signed.evidence
        return Amendment("confirmation", replace(signed, evidence=evidence))

    return plan


def absence(
    signed: Signature, condition: str, reason: str, would_need: str | None, source_id: str | None
) -> Plan:
    """Declares that a condition is not stated, and what would recover it."""
    described = require_condition(condition)
    if reason == "unrecoverable" and not would_need:
        raise ToolsError(
            "what cannot be recovered from the source needs something else: say what, with --would-need",
            f"for `{condition}` that may be {described.would_need}",
        )
    parts = {"condition": condition, "reason": reason, "source_id": source_id, "would_need": would_need}
    declared: Json = {key: text for key, text in parts.items() if text is not None}

    def plan(record: Record) -> Amendment:
        if record.get("kind") != "benchmark":
            raise ToolsError(
                "only a benchmark has conditions", f"this is a record of kind {record.get('kind')}"
            )
        declared_at = next((item.index for item in absences(record) if item.condition == condition), None)
        if declared_at is not None:
            place = f"/absent/{declared_at}"
            raise ToolsError(
                f"`{condition}` is declared absent at {place} already",
                f"`tools correct {record.get('id')} {place}/reason {reason}` gives another reason",
            )
        place = stated_at(record, described) or ""
        if place:
            raise ToolsError(
                f"`{condition}` is stated at {place}: {shown(pointers.find(record, place), 60)}",
                f"if that is wrong: `tools correct {record.get('id')} --remove {place} --change "
                f"{shlex.quote(f'/absent/-={shown(declared)}')}`",
            )
        step = (
            Step(Verb.PUT, "/absent/-", node_of(declared))
            if "absent" in record
            else Step(Verb.PUT, "/absent", node_of([declared]))
        )
        return Amendment("condition_audit", signed, (step,))

    return plan


def told_absence(condition: str, reason: str, would_need: str | None, source_id: str | None) -> str:
    """What a declaration of absence says, as a sentence, for where nobody says more."""
    where = f" in {source_id}" if source_id else ""
    needed = f" It would need {would_need}." if would_need else ""
    return f"The condition {condition} is declared absent{where}: {reason.replace('_', ' ')}.{needed}"


def acknowledgement(signed: Signature, rule: str) -> Plan:
    """Says that a warning was seen and is accepted."""
    return lambda _: Amendment("acknowledgement", signed, rule=rule)


def retraction(signed: Signature) -> Plan:
    """Takes a record out of use; it stays, with its status."""

    def plan(record: Record) -> Amendment:
        if record.get("status") == "retracted":
            raise ToolsError(
                "the record is retracted already", f"`tools history {record.get('id')}` tells why"
            )
        steps = [Step(Verb.PUT, "/status", Scalar("retracted"))]
        if "superseded_by" in record:
            steps.append(Step(Verb.REMOVE, "/superseded_by"))
        return Amendment("retraction", signed, tuple(steps))

    return plan


def supersession(signed: Signature, successor: str) -> Plan:
    """Puts another record in the place of this one, which stays, with its status."""

    def plan(record: Record) -> Amendment:
        if record.get("id") == successor:
            raise ToolsError("a record cannot take its own place", "name the other record with --with ID")
        if record.get("status") == "superseded":
            raise ToolsError(
                f"`{record.get('superseded_by')}` takes the place of this record already",
                f"if that is wrong: `tools correct {record.get('id')} /superseded_by {successor}`",
            )
        steps = (
            Step(Verb.PUT, "/status", Scalar("superseded")),
            Step(Verb.PUT, "/superseded_by", Scalar(successor)),
        )
        return Amendment("supersession", signed, steps)

    return plan


def _adds(record: Record, step: Step) -> bool:
    """Whether a step puts something where nothing stands, or between what does."""
    if step.verb is not Verb.PUT:
        return step.verb is Verb.INSERT
    try:
        pointers.get(record, pointers.join(tokens_of(step.pointer)))
    except PointerError:
        return True
    return False


def _new_value(step: Step) -> Json:
    return None if step.node is None else value_of(step.node)


def _required(record: Record, place: str) -> Json:
    try:
        return pointers.get(record, pointers.join(tokens_of(place)))
    except PointerError as error:
        raise ToolsError(
            f"nothing stands at {place}", f"`tools show {record.get('id')}` prints the record"
        ) from error


def _numbers(value: Json, key: str) -> Iterator[Json]:
    """Every value in or below a place, in order; `key` is the last token that leads there."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _numbers(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from _numbers(inner, "")
    elif key == _VALUE:
        yield value


def _no_longer_absent(record: Record, steps: Sequence[Step]) -> list[Step]:
    """The steps that take out the absences of conditions that the other steps state."""
    known = {absence.condition: absence.index for absence in absences(record)}
    gone = [
        known[name]
        for name, condition in vocabulary().conditions.items()
        if name in known and any(_states(step, place) for step in steps for place in condition.stated_by)
    ]
    listed = record.get("absent")
    if gone and isinstance(listed, list) and len(gone) == len(listed):
        return [Step(Verb.REMOVE, "/absent")]
    return [Step(Verb.REMOVE, f"/absent/{index}") for index in sorted(gone)]


def _states(step: Step, place: str) -> bool:
    """Whether a step gives a place, or what holds it, a value there."""
    inside = place.removeprefix(step.pointer)
    if inside == place or (inside and not inside.startswith("/")):
        return False
    return pointers.find(_new_value(step), inside) is not None
