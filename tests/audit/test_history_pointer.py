"""The life of one value, and the life of a record in other forms than text."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.audit.difference import difference
from tools.audit.entry import ABSENT
from tools.audit.history import timeline
from tools.audit.history_forms import history_json, history_markdown, stays_markdown
from tools.audit.replay import replay
from tools.audit.stays import Stay, render_stays, stays
from tools.audit.step import Place
from tools.audit.values import same
from tools.errors import ToolsError
from tools.records.parse import Json

REPOSITORY = Path(__file__).parents[2]
SCHEMA = json.loads((REPOSITORY / "schemas" / "output" / "history.schema.json").read_text(encoding="utf-8"))
PLACE = Place("run-1", "benchmark", "data/benchmarks/run-1.yaml")


def entry(day: int, action: str, *changes: dict[str, Json]) -> Json:
    told: dict[str, Json] = {
        "date": f"2026-01-{day:02}",
        "by": f"author-{day}",
        "action": action,
        "reason": f"reason {day}",
    }
    return {**told, "changes": list(changes)} if changes else told


def record_of(*entries: Json, **now: Json) -> dict[str, Json]:
    return {"title": "One run", "kind": "benchmark", "status": "draft", **now, "audit": list(entries)}


CORRECTED = record_of(
    entry(1, "created"),
    entry(2, "confirmation"),
    entry(3, "correction", {"path": "/results/0/value", "from": 1, "to": 2}),
    entry(4, "backfill", {"path": "/results/0", "to": {"value": 7}}),
    entry(5, "confirmation"),
    entry(6, "correction", {"path": "/results/1/value", "from": 2, "to": 1}),
    results=[{"value": 7}, {"value": 1}],
)


def told(record: Json, pointer: str) -> list[tuple[object, int | None, str, list[int]]]:
    return [
        (
            stay.value,
            stay.since.index if stay.since else None,
            stay.pointer,
            [confirming.index for confirming in stay.confirmed],
        )
        for stay in stays(replay(record), pointer)
    ]


def test_each_value_with_its_time_and_those_who_found_it_right() -> None:
    assert told(CORRECTED, "/results/1/value") == [
        (1, 0, "/results/0/value", [1]),
        (2, 2, "/results/0/value", [4]),
        (1, 5, "/results/1/value", []),
    ]


def test_an_inserted_item_has_no_life_before() -> None:
    assert told(CORRECTED, "/results/0/value") == [(7, 3, "/results/0/value", [4])]


def test_what_stands_below_changes_what_stands_above() -> None:
    assert [stay[1] for stay in told(CORRECTED, "/results")] == [0, 2, 3, 5]


def test_what_was_taken_away_and_came_again() -> None:
    record = record_of(
        entry(1, "created"),
        entry(2, "correction", {"path": "/notes", "from": "a"}),
        entry(3, "backfill", {"path": "/notes", "to": "b"}),
        entry(4, "correction", {"path": "/notes", "from": "b"}),
    )
    assert [stay[:2] for stay in told(record, "/notes")] == [("a", 0), (ABSENT, 1), ("b", 2), (ABSENT, 3)]
    assert {stay[2] for stay in told(record, "/notes")} == {"/notes"}


def test_items_that_were_removed() -> None:
    record = record_of(
        entry(1, "created"),
        entry(2, "correction", {"path": "/sources/0", "from": "x"}, {"path": "/sources/1", "from": "z"}),
        sources=["y"],
    )
    assert told(record, "/sources/0") == [("y", 0, "/sources/1", [])]
    assert [stay[:2] for stay in told(record, "/sources/1")] == [("z", 0), (ABSENT, 1)]


def test_before_the_log_begins() -> None:
    record = record_of(entry(2, "correction", {"path": "/a", "from": 1, "to": 2}), a=2)
    assert told(record, "/a") == [(1, None, "/a", []), (2, 0, "/a", [])]
    assert "● before the log begins\n│  filed      1\n" in text_of(record, "/a")


def test_keys_with_slashes_and_numbers_as_keys() -> None:
    record = record_of(
        entry(1, "created"),
        entry(2, "backfill", {"path": "/a~1b/0", "to": 5}, {"path": "/a~1b/~0", "to": 6}),
        **{"a/b": {"0": 5, "1": 1, "~0": 6, "~": 6}},
    )
    assert told(record, "/a~1b/0") == [(5, 1, "/a~1b/0", [])]
    assert told(record, "/a~1b/1") == [(1, 0, "/a~1b/1", [])]


def test_spelling_is_no_change() -> None:
    record = record_of(entry(1, "created"), entry(2, "correction", {"path": "/a", "from": 1.0, "to": 1}), a=1)
    assert [stay[1] for stay in told(record, "/a")] == [0]


@pytest.mark.parametrize(
    ("pointer", "says"),
    [
        ("results/0", "JSON Pointer"),
        ("/a~b", "JSON Pointer"),
        ("", "leave it out"),
        ("/audit/0/by", "only added to"),
        ("/results/0/vaule", "/results/0 has value"),
        ("/results/2", "/results has 2 items"),
        ("/title/x", "/title is a single value"),
        ("/tittle", "the record has title, kind"),
    ],
)
def test_a_place_where_nothing_ever_stood(pointer: str, says: str) -> None:
    with pytest.raises(ToolsError) as caught:
        stays(replay(CORRECTED), pointer)
    assert says in f"{caught.value.message} {caught.value.hint}"


def test_a_log_that_does_not_fit_is_told_as_far_as_it_goes() -> None:
    changes: list[dict[str, Json]] = [
        {"path": "/x~y", "to": 1},
        {"path": "/b/c/d", "to": 1},
        {"path": "/a", "to": 3},
    ]
    record = record_of(entry(1, "created"), entry(2, "correction", *changes), a=2)
    assert [stay[0] for stay in told(record, "/a")][-1] == 2
    text = text_of(record, "/a")
    assert "does not replay" in text
    assert json.loads(json_of(record, "/a"))["faults"]


VALUES = st.recursive(
    st.integers(0, 3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)
CONTENTS = st.lists(st.dictionaries(st.sampled_from("ab"), VALUES, max_size=2), min_size=2, max_size=5)


@settings(max_examples=60, deadline=None)
@given(CONTENTS)
def test_a_life_ends_with_what_stands_now(contents: list[dict[str, Json]]) -> None:
    entries: list[Json] = [entry(1, "created")]
    for before, after in pairwise(contents):
        changes: list[Json] = []
        for change in difference(before, after):
            one: dict[str, Json] = {"path": change.path}
            if change.from_value is not ABSENT:
                one["from"] = change.from_value
            if change.to_value is not ABSENT:
                one["to"] = change.to_value
            changes.append(one)
        entries.append({"action": "correction", "changes": changes})
    record: dict[str, Json] = {**contents[-1], "audit": entries}
    story = replay(record)
    assert not story.faults
    for place, value in list(leaves(contents[-1], "")):
        life = stays(story, place)
        assert same(life[-1].value, value)
        assert life[-1].pointer or len(life) == 1
        assert all(not same(one.value, other.value) for one, other in pairwise(life))


def leaves(value: Json, place: str) -> list[tuple[str, Json]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = [(place, value)] if place else []
    return found + [leaf for key, inner in items for leaf in leaves(inner, f"{place}/{key}")]


def lives(record: Json, pointer: str) -> tuple[Stay, ...]:
    return stays(replay(record), pointer)


def text_of(record: Json, pointer: str, width: int = 100) -> str:
    return render_stays(timeline("run-1", record), pointer, lives(record, pointer), width)


def json_of(record: Json, pointer: str | None = None) -> str:
    found = () if pointer is None else lives(record, pointer)
    return history_json(PLACE, timeline("run-1", record), replay(record), pointer, found)


def test_the_text() -> None:
    assert text_of(CORRECTED, "/results/1/value") == (
        "run-1\n"
        "One run\n"
        "benchmark, draft\n"
        "/results/1/value\n"
        "\n"
        "● 2026-01-01  created  by: author-1\n"
        "│  reason 1\n"
        "│  filed      1\n"
        "│  then at    /results/0/value\n"
        "│  confirmed  2026-01-02 by author-2\n"
        "│\n"
        "● 2026-01-03  correction  by: author-3\n"
        "│  reason 3\n"
        "│  changed    1 → 2\n"
        "│  then at    /results/0/value\n"
        "│  confirmed  2026-01-05 by author-5\n"
        "│\n"
        "● 2026-01-06  correction  by: author-6\n"
        "│  reason 6\n"
        "│  changed    2 → 1\n"
        "│\n"
        "○ as it stands\n"
        "  1\n"
        "  6 entries, 3 changes: replays backwards and forwards without a gap\n"
    )


def test_the_json_is_what_its_schema_says() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    follows = jsonschema.Draft202012Validator(SCHEMA)
    bare: Json = {"audit": [{}, {"action": "correction", "changes": [{"path": "/a", "from": 1}]}]}
    for text in (json_of(CORRECTED), json_of(CORRECTED, "/results/1"), json_of(bare), json_of(bare, "/a")):
        follows.validate(json.loads(text))
    whole = json.loads(json_of(CORRECTED))
    assert (whole["pointer"], whole["values"], len(whole["steps"])) == (None, [], 6)
    one = json.loads(json_of(CORRECTED, "/results/1/value"))
    assert [(value["value"], value["since"]["index"], value["until"]) for value in one["values"]] == [
        (1, 0, 2),
        (2, 2, 5),
        (1, 5, None),
    ]


def test_markdown_for_a_pull_request() -> None:
    story, life = replay(CORRECTED), timeline("run-1", CORRECTED)
    page = history_markdown(PLACE, life, story)
    assert page.startswith("### run-1: One run\n\n| date | action | change |")
    assert "| 2026-01-03 | correction | /results/0/value: 1 → 2 (×2) | reason 3 | author-3 |  |" in page
    page = stays_markdown(life, story, "/results/1/value", lives(CORRECTED, "/results/1/value"))
    assert "| 2026-01-01 | created | 1<br>confirmed 2026-01-02 by author-2 | reason 1 | author-1 |  |" in page


HOSTILE = "a | b\n# head <img src=x> @all #1 [x](y) `c` \x1b[2J \u202e https://x.example"


def test_hostile_text_stays_text() -> None:
    acts: list[Json] = [
        {
            "action": HOSTILE,
            "by": HOSTILE,
            "reason": HOSTILE,
            "evidence": [{"source_id": HOSTILE, "locator": HOSTILE}],
        },
        {"action": "correction", "by": HOSTILE, "reason": "r", "changes": [{"path": "/x|y", "to": HOSTILE}]},
        {"action": "confirmation", "by": HOSTILE, "reason": "r"},
    ]
    record: Json = {"title": HOSTILE, "kind": HOSTILE, "status": "draft", "x|y": HOSTILE, "audit": acts}
    life, story = timeline("run-1", record), replay(record)
    for page in (
        history_markdown(PLACE, life, story),
        stays_markdown(life, story, "/x|y", lives(record, "/x|y")),
    ):
        heading, _, columns, *rows = page.splitlines()
        assert heading.startswith("### run-1")
        assert (
            len({len(re.findall(r"(?<!\\)\|", row)) for row in [columns, *rows] if row.startswith("|")}) == 1
        )
        assert not re.search(r"<(?!br>|!-- -->)|(?<!\\)[`\[\]]|@(?!<!)|[\x00-\x09\x0b-\x1f\u202e]", page)
        assert sum(line.startswith("#") for line in page.splitlines()) == 1
    for width in (1, 500):
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", text_of(record, "/x|y", width))
