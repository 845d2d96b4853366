"""Random records, changed at random and logged: the log leads back to the first state and forwards again."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from tools.audit.entry import read_entries
from tools.audit.replay import apply, replay, replay_faults
from tools.records.parse import Json
from tools.records.pointer import join

KEYS = st.text("ab/~0-", max_size=3)
SCALARS = st.none() | st.booleans() | st.integers(-3, 3) | st.floats(-2, 2) | st.text("xy1", max_size=3)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)
RECORDS = st.dictionaries(KEYS, VALUES, max_size=4)
ANYTHING = st.recursive(
    SCALARS | st.sampled_from(["/a", "/a/0", "/audit/0", "", "~", "2026-01-01", "created"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["audit", "changes", "path", "from", "to", "a", "date"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)


def collections(value: Json, way: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Json]]:
    """Every mapping and list in a value, with the tokens that lead there."""
    if isinstance(value, dict):
        yield way, value
        for key, below in value.items():
            yield from collections(below, (*way, key))
    elif isinstance(value, list):
        yield way, value
        for index, below in enumerate(value):
            yield from collections(below, (*way, str(index)))


def change_once(data: st.DataObject, record: dict[str, Json]) -> dict[str, Json]:
    """Change one place of a record, in place, and give the change as a log has it."""
    way, holder = data.draw(st.sampled_from(list(collections(record))))
    new = data.draw(VALUES)
    if isinstance(holder, dict):
        key = data.draw(st.sampled_from(sorted(holder)) | KEYS if holder else KEYS)
        logged: dict[str, Json] = {"path": join((*way, key))}
        if key in holder:
            logged["from"] = copy.deepcopy(holder.pop(key))
        if "from" not in logged or data.draw(st.booleans()):
            holder[key] = new
            logged["to"] = copy.deepcopy(new)
        return logged
    assert isinstance(holder, list)
    kind = data.draw(st.sampled_from(["insert", "remove", "replace"] if holder else ["insert"]))
    index = data.draw(st.integers(0, len(holder) - (kind != "insert")))
    logged = {"path": join((*way, str(index)))}
    if kind != "insert":
        logged["from"] = copy.deepcopy(holder.pop(index))
    if kind != "remove":
        holder.insert(index, new)
        logged["to"] = copy.deepcopy(new)
    return logged


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_back_to_the_first_state_and_forwards_again(data: st.DataObject) -> None:
    record = data.draw(RECORDS)
    states = [copy.deepcopy(record)]
    log: list[Json] = []
    for length in data.draw(st.lists(st.integers(0, 3), max_size=4)):
        changes: list[Json] = [change_once(data, record) for _ in range(length)]
        log.append({"action": "correction", "changes": changes})
        states.append(copy.deepcopy(record))
    whole: dict[str, Json] = {**record, "audit": log}
    untouched = copy.deepcopy(whole)

    story = replay(whole)

    assert story.faults == ()
    assert list(story.contents) == states
    assert apply(states[0], read_entries(whole)) == (record, [])
    assert whole == untouched


@settings(max_examples=80, deadline=None)
@given(ANYTHING)
def test_no_record_makes_it_raise(record: Json) -> None:
    untouched = copy.deepcopy(record)

    story = replay(record)

    assert len(story.contents) == len(story.entries) + 1
    assert record == untouched


@settings(max_examples=60)
@given(st.integers(1, 40), st.randoms(use_true_random=False))
def test_a_log_of_many_changes_to_one_list_is_walked_without_touching_the_record(
    steps: int, random: Random
) -> None:
    items: list[Json] = [{"n": number} for number in range(5)]
    first = copy.deepcopy(items)
    changes: list[Json] = []
    for step in range(steps):
        index = random.randrange(len(items))
        item = items[index]
        assert isinstance(item, dict)
        changes.append({"path": f"/items/{index}/n", "from": item["n"], "to": 100 + step})
        item["n"] = 100 + step
    log: list[Json] = [{"action": "created", "reason": "filed"}, {"action": "correction", "changes": changes}]
    record: dict[str, Json] = {"items": items, "audit": log}
    before = copy.deepcopy(record)
    assert replay_faults(record) == () == replay(record).faults
    assert replay(record).contents[1] == {"items": first}
    assert record == before
