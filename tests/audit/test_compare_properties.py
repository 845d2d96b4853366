"""Random records, changed at random: what was logged is accounted for, and one change beyond it never is."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from test_replay_properties import ANYTHING, RECORDS, change_once

from tools.audit.compare import FREE, compare
from tools.audit.divergence import Names
from tools.audit.values import same

NAMES = Names("x", "main", "0" * 40, "data/models/x.yaml")


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_what_was_logged_is_accounted_for_and_nothing_else(data: st.DataObject) -> None:
    base: dict[str, Any] = data.draw(RECORDS)
    record = copy.deepcopy(base)
    log: list[Any] = [{"action": "created"}]
    before = {**base, "audit": copy.deepcopy(log)}
    for number in range(data.draw(st.integers(0, 3))):
        logged = change_once(data, record)
        assume("from" not in logged or "to" not in logged or not same(logged["from"], logged["to"]))
        log.append({"action": "correction", "by": str(number), "changes": [logged]})
    after = {**copy.deepcopy(record), "audit": log}
    assert compare(before, after, NAMES) == []

    change_once(data, record)
    if not same(record, {key: item for key, item in after.items() if key != "audit"}):
        assert compare(before, {**record, "audit": log}, NAMES)


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_a_log_that_lost_or_changed_an_entry_is_rewritten(data: st.DataObject) -> None:
    log = [{"action": "confirmation", "by": str(n), "reason": "r", "date": "2026-01-01"} for n in range(4)]
    damaged = copy.deepcopy(log)
    if data.draw(st.booleans()):
        damaged.pop(data.draw(st.integers(0, 3)))
    else:
        damaged[data.draw(st.integers(0, 3))]["reason"] = "another"
    kinds = {found.kind for found in compare({"audit": log}, {"audit": damaged}, NAMES)}
    assert kinds == {"entry-rewritten"}


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(st.sampled_from(["audit", "a", *(place[1:] for place in FREE)]), ANYTHING, max_size=3),
    st.data(),
)
def test_no_two_records_make_it_raise(before: dict[str, Any], data: st.DataObject) -> None:
    after = {**before, "audit": data.draw(ANYTHING)}
    compare(before, after, NAMES)
    compare(after, before, NAMES)
