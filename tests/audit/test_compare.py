"""A record against its base: every difference has its entry, every new entry its difference."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from tools.audit.compare import MOST, added_entries, compare
from tools.audit.divergence import Names

NAMES = Names("a-run", "origin/main", "0123456789abcdef", "data/benchmarks/a-run.yaml")

CREATED = {"date": "2026-01-01", "by": "ann", "action": "created", "reason": "filed"}
CHECKED = {"date": "2026-02-01", "by": "ben", "action": "confirmation", "reason": "read again"}
BASE: dict[str, Any] = {
    "id": "a-run",
    "title": "a run",
    "status": "verified",
    "results": [
        {"metric": "decode_tok_s", "value": 24525, "unit": "tok/s"},
        {"metric": "ttft_ms", "value": 30, "unit": "ms"},
    ],
    "engine": {"version": "1.10"},
    "absent": [{"condition": "warmup", "reason": "not_stated"}],
    "notes": "none",
    "audit": [CREATED, CHECKED],
}


def change(path: str, **ends: Any) -> dict[str, Any]:
    """A change as the log has it; `old` and `new` stand for from and to."""
    return {"path": path, **{{"old": "from", "new": "to"}[end]: value for end, value in ends.items()}}


def entry(
    *changes: dict[str, Any], date: str = "2026-03-01", by: str = "eve", **members: Any
) -> dict[str, Any]:
    return {
        "date": date,
        "by": by,
        "action": "correction",
        "reason": "why",
        **members,
        "changes": list(changes),
    }


VALUE = "/results/0/value"
CORRECTED = entry(change(VALUE, old=24525, new=25000))


def candidate(*edits: Callable[[dict[str, Any]], object], log: list[Any] | None = None) -> dict[str, Any]:
    record = copy.deepcopy(BASE)
    for edit in edits:
        edit(record)
    return {**record, "audit": BASE["audit"] if log is None else log}


def value(new: Any) -> Callable[[dict[str, Any]], object]:
    return lambda record: record["results"][0].update(value=new)


def found(record: dict[str, Any], base: dict[str, Any] = BASE) -> list[tuple[str, str]]:
    untouched = copy.deepcopy((base, record))
    divergences = compare(base, record, NAMES)
    assert (base, record) == untouched
    assert all(d.message and d.hint for d in divergences)
    return [(d.kind, d.pointer) for d in divergences]


QUIET: dict[str, dict[str, Any]] = {
    "nothing changed": candidate(),
    "another spelling of a number": candidate(value(24525.0)),
    "another order of keys": dict(reversed(candidate().items())),
    "the title": candidate(lambda r: r.update(title="A run")),
    "notes taken out": candidate(lambda r: r.pop("notes")),
    "a confirmation": candidate(log=[CREATED, CHECKED, {**CHECKED, "date": "2026-03-01"}]),
    "a correction with its entry": candidate(value(25000), log=[CREATED, CHECKED, CORRECTED]),
    "the same number in the entry, spelled otherwise": candidate(
        value(25000.0), log=[CREATED, CHECKED, entry(change(VALUE, old=24525.0, new=25000))]
    ),
    "an old entry in another order of keys": candidate(log=[dict(reversed(CREATED.items())), CHECKED]),
    "a correction of a correction": candidate(
        value(26000), log=[CREATED, CHECKED, CORRECTED, entry(change(VALUE, old=25000, new=26000))]
    ),
    "a correction that takes back an earlier one": candidate(
        log=[CREATED, CHECKED, CORRECTED, entry(change(VALUE, old=25000, new=24525))]
    ),
    "an entry of the day of the last one": candidate(
        value(25000), log=[CREATED, CHECKED, {**CORRECTED, "date": "2026-02-01"}]
    ),
    "an insertion, and a value that moved down": candidate(
        lambda r: r["results"].insert(0, {"metric": "itl_ms"}),
        lambda r: r["results"][1].update(value=25000),
        log=[
            CREATED,
            CHECKED,
            entry(
                change("/results/0", new={"metric": "itl_ms"}),
                change("/results/1/value", old=24525, new=25000),
            ),
        ],
    ),
    "a whole object back-filled": candidate(
        lambda r: r.update(technique={"kind": "medusa"}),
        log=[CREATED, CHECKED, entry(change("/technique", new={"kind": "medusa"}), action="backfill")],
    ),
    "a removal": candidate(
        lambda r: r["absent"].pop(),
        log=[
            CREATED,
            CHECKED,
            entry(change("/absent/0", old={"condition": "warmup", "reason": "not_stated"})),
        ],
    ),
    "a title changed with an entry": candidate(
        lambda r: r.update(title="A run"),
        log=[CREATED, CHECKED, entry(change("/title", old="a run", new="A run"))],
    ),
    "a new entry before an old one of the day": candidate(
        value(25000), log=[CREATED, {**CORRECTED, "date": "2026-02-01"}, CHECKED]
    ),
}


@pytest.mark.parametrize("name", QUIET)
def test_accounted_for(name: str) -> None:
    assert found(QUIET[name]) == []


LOUD: dict[str, tuple[dict[str, Any], list[tuple[str, str]]]] = {
    "a value": (candidate(value(25000)), [("change-without-entry", VALUE)]),
    "a number that became text": (candidate(value("24525")), [("change-without-entry", VALUE)]),
    "text that became a number": (
        candidate(lambda r: r["engine"].update(version=1.1)),
        [("change-without-entry", "/engine/version")],
    ),
    "a letter composed otherwise": (
        candidate(lambda r: r.update(engine={"version": "1.10", "e\u0301": 1})),
        [("change-without-entry", "/engine/e\u0301")],
    ),
    "a field taken out": (candidate(lambda r: r.pop("engine")), [("change-without-entry", "/engine")]),
    "one result more, at the front": (
        candidate(lambda r: r["results"].insert(0, {"metric": "itl_ms"})),
        [("change-without-entry", "/results/0")],
    ),
    "a title deeper down": (
        candidate(lambda r: r["engine"].update(title="x")),
        [("change-without-entry", "/engine/title")],
    ),
    "a second value beside the one of the entry": (
        candidate(
            value(25000), lambda r: r["results"][1].update(value=31), log=[CREATED, CHECKED, CORRECTED]
        ),
        [("change-without-entry", "/results/1/value")],
    ),
    "an entry whose change was not made": (
        candidate(log=[CREATED, CHECKED, CORRECTED]),
        [("entry-without-change", "/audit/2/changes/0/to")],
    ),
    "an entry that tells of another number": (
        candidate(value(25001), log=[CREATED, CHECKED, CORRECTED]),
        [("entry-without-change", "/audit/2/changes/0/to")],
    ),
    "an entry that sets out from another number": (
        candidate(value(25000), log=[CREATED, CHECKED, entry(change(VALUE, old=1, new=25000))]),
        [("entry-without-change", "/audit/2/changes/0/from")],
    ),
    "an entry about a place that is not there": (
        candidate(log=[CREATED, CHECKED, entry(change("/results/7/value", old=1, new=2))]),
        [("entry-without-change", "/audit/2/changes/0/path")],
    ),
    "a removal that was not made": (
        candidate(log=[CREATED, CHECKED, entry(change("/engine", old={"version": "1.10"}))]),
        [("entry-without-change", "/audit/2/changes/0/path")],
    ),
    "a change from a value to the same": (
        candidate(log=[CREATED, CHECKED, entry(change(VALUE, old=24525, new=24525.0))]),
        [("entry-without-change", "/audit/2/changes/0")],
    ),
    "an old entry with another reason": (
        candidate(log=[CREATED, {**CHECKED, "reason": "read twice"}]),
        [("entry-rewritten", "/audit/1/reason")],
    ),
    "an old entry without its author": (
        candidate(log=[CREATED, {key: CHECKED[key] for key in ("date", "action", "reason")}]),
        [("entry-rewritten", "/audit/1")],
    ),
    "an old entry gone": (candidate(log=[CREATED]), [("entry-rewritten", "/audit")]),
    "the whole log gone": (candidate(log=[]), [("entry-rewritten", "/audit"), ("entry-rewritten", "/audit")]),
    "old entries in another order": (
        candidate(log=[CHECKED, CREATED]),
        [("entry-rewritten", "/audit/0")],
    ),
    "an old entry edited and a new one below": (
        candidate(value(25000), log=[CREATED, {**CHECKED, "by": "bob"}, CORRECTED]),
        [("entry-rewritten", "/audit/1/by")],
    ),
    "an old entry taken out for a new one": (
        candidate(value(25000), log=[CREATED, CORRECTED]),
        [("entry-rewritten", "/audit")],
    ),
    "a new entry of an earlier day": (
        candidate(value(25000), log=[CREATED, CHECKED, {**CORRECTED, "date": "2026-01-31"}]),
        [("entry-backdated", "/audit/2/date")],
    ),
    "a new entry slipped in where its day belongs": (
        candidate(value(25000), log=[CREATED, {**CORRECTED, "date": "2026-01-31"}, CHECKED]),
        [("entry-backdated", "/audit/1/date")],
    ),
}


@pytest.mark.parametrize("name", LOUD)
def test_not_accounted_for(name: str) -> None:
    record, expected = LOUD[name]
    assert found(record) == expected


def test_the_sentence_has_the_values_and_the_hint_the_commands() -> None:
    (divergence,) = compare(BASE, candidate(value(25000)), NAMES)
    assert divergence.message == f"{VALUE} was 24525 and is 25000, and no entry of the audit log says so"
    assert "`tools audit explain --base origin/main`" in divergence.hint
    assert f"`tools correct a-run {VALUE} 25000 --reason TEXT" in divergence.hint


def test_a_hint_can_be_pasted_into_a_shell() -> None:
    names = Names("a-run", "$(rm x)", "0123456789abcdef", "data/benchmarks/it's.yaml")
    (divergence,) = compare(BASE, candidate(value("a'; rm x")), names)
    assert "--base '$(rm x)'" in divergence.hint
    assert """'"a'"'"'; rm x"'""" in divergence.hint


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_entries_of_two_branches_in_either_order(order: tuple[int, int]) -> None:
    both = [CORRECTED, entry(change("/results/1/value", old=30, new=31), by="joe")]
    record = candidate(
        value(25000),
        lambda r: r["results"][1].update(value=31),
        log=[CREATED, CHECKED, *(both[place] for place in order)],
    )
    assert found(record) == []
    theirs = candidate(value(25000), log=[CREATED, CHECKED, CORRECTED])
    assert found(record, theirs) == []


def test_two_branches_that_changed_one_value_are_named() -> None:
    theirs = entry(change(VALUE, old=24525, new=26000), by="joe")
    record = candidate(value(26000), log=[CREATED, CHECKED, CORRECTED, theirs])
    (divergence,) = compare(BASE, record, NAMES)
    assert (divergence.kind, divergence.pointer) == ("entry-without-change", "/audit/3/changes/0/from")
    assert f"/audit/2 (eve, 2026-03-01) are in conflict over {VALUE}" in divergence.message
    (again,) = compare(candidate(value(25000), log=[CREATED, CHECKED, CORRECTED]), record, NAMES)
    assert "does not set out from the base" in again.message


def test_a_new_entry_before_an_old_one_is_replayed_from_before_it() -> None:
    """The old entry took an item out at the front; the new one still counts with it."""
    first, second = BASE["results"]
    base = {**BASE, "results": [second], "audit": [CREATED, entry(change("/results/0", old=first))]}
    mine = entry(change("/results/1/value", old=30, new=31), by="joe")
    record = {**base, "results": [{**second, "value": 31}], "audit": [CREATED, mine, base["audit"][1]]}
    assert found(record, base) == []
    below = {**record, "audit": [*base["audit"], mine]}
    assert ("entry-without-change", "/audit/2/changes/0/path") in found(below, base)


def test_lists_that_shifted_under_an_entry_are_a_conflict() -> None:
    first = BASE["results"][0]
    shift = entry(change("/results/0", old=first))
    mine = entry(change("/results/1/value", old=30, new=31), by="joe")
    record = candidate(
        lambda r: r["results"].pop(0),
        lambda r: r["results"][0].update(value=31),
        log=[CREATED, CHECKED, shift, mine],
    )
    messages = [divergence.message for divergence in compare(BASE, record, NAMES)]
    assert any("/audit/2 (eve, 2026-03-01) are in conflict over /results/1/value" in m for m in messages)


def test_a_base_without_a_log_is_given_one() -> None:
    base = {key: item for key, item in BASE.items() if key != "audit"}
    assert found(candidate(log=[CREATED, CHECKED]), base) == []
    assert found(candidate(value(25000), log=[CREATED, CORRECTED]), base) == []
    filed = {**base, "audit": [CHECKED]}
    assert found(candidate(log=[CREATED, CHECKED]), filed) == []


@pytest.mark.parametrize("log", [None, 7, {}, [None], ["x", 3], [{"changes": 1}], [[{}]]])
def test_a_log_of_another_shape_stops_nothing(log: Any) -> None:
    odd = {**BASE, "audit": log}
    assert found(odd, odd) == []
    compare(BASE, odd, NAMES)
    compare(odd, BASE, NAMES)


def test_a_long_list_of_divergences_is_cut_and_says_so() -> None:
    base = {**BASE, "counts": {f"n{n}": n for n in range(200)}}
    record = {**BASE, "counts": {f"n{n}": n + 1 for n in range(200)}}
    divergences = compare(base, record, NAMES)
    assert len(divergences) == MOST + 1
    assert "150 more" in divergences[-1].message


def test_the_entries_that_were_added() -> None:
    record = candidate(value(25000), log=[CREATED, CORRECTED, CHECKED])
    assert [added.index for added in added_entries(BASE, record)] == [1]
