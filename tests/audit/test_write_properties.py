"""Any sequence of amendments, taken back step by step, gives the first record byte for byte."""

from __future__ import annotations

import copy
import shutil
import tempfile
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tools.audit import actions
from tools.audit.actions import Plan
from tools.audit.amend import amend
from tools.audit.amendment import Amendment, Signature, Step, Verb
from tools.audit.replay import as_of, replay
from tools.audit.values import same
from tools.audit.write import write
from tools.checks.proposal import judging
from tools.errors import ToolsError
from tools.records.catalog import Catalog
from tools.records.layout import KeyOrder, render
from tools.records.parse import Json, parse
from tools.records.pointer import join
from tools.records.revise import node_of
from tools.schema.load import key_order

CASE_LEDGER = Path(__file__).resolve().parents[1] / "cases" / "ledger"
FIRST = date(2026, 3, 10)

KEYS = ("a", "b/c", "d~e", "x")
SCALARS = st.booleans() | st.integers(-3, 3) | st.floats(-2, 2) | st.text("xé1 :#", max_size=4)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=3),
    max_leaves=5,
)
RECORDS = st.dictionaries(st.sampled_from(KEYS), VALUES, min_size=1)


def every_key_in_order(depth: int) -> KeyOrder:
    """An order that knows every key, so that text depends on content alone."""
    inside = every_key_in_order(depth - 1) if depth else None
    keys = dict.fromkeys(KEYS, inside)
    return KeyOrder({**keys, "audit": None} if depth == 6 else keys, inside)


ORDER = every_key_in_order(6)


def places(value: Json, way: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Json]]:
    """Every place in a value and below it, with what stands there."""
    if way:
        yield way, value
    if isinstance(value, (dict, list)):
        for token, below in value.items() if isinstance(value, dict) else enumerate(value):
            if way or token != "audit":
                yield from places(below, (*way, token))


@st.composite
def steps_for(draw: st.DrawFn, record: dict[str, Json]) -> Step:
    """One step that a record allows, or does not."""
    there = list(places(record))
    way, standing = draw(st.sampled_from(there))
    verb = draw(st.sampled_from(Verb))
    if verb is Verb.REMOVE:
        return Step(verb, join(way))
    if verb is Verb.PUT and isinstance(standing, (dict, list)) and draw(st.booleans()):
        way = (*way, "-" if isinstance(standing, list) else draw(st.sampled_from(KEYS)))
    return Step(verb, join(way), node_of(draw(VALUES)))


@settings(max_examples=25, deadline=None)
@given(st.data(), RECORDS)
def test_back_to_the_first_text(data: st.DataObject, first: dict[str, Json]) -> None:
    texts = [render(first, ORDER)]
    days = [FIRST]
    for _ in range(data.draw(st.integers(1, 4))):
        document = parse(texts[-1].encode())
        assert isinstance(document.value, dict)
        if not any(True for _ in places(document.value)):
            break
        steps = data.draw(st.lists(steps_for(document.value), min_size=1, max_size=3))
        day = days[-1] + timedelta(data.draw(st.integers(0, 1)))
        amendment = Amendment("correction", Signature("me", day, "Because."), tuple(steps))
        try:
            done = amend(document, amendment, ORDER)
        except ToolsError:
            continue
        texts.append(done.text)
        days.append(day)

    last = parse(texts[-1].encode()).value
    story = replay(last)
    assert story.faults == ()
    for steps_made, text in enumerate(texts):
        state = story.state(steps_made)
        if not state["audit"]:
            del state["audit"]
        assert render(state, ORDER) == render(copy.deepcopy(parse(text.encode()).value), ORDER)
    assert render(story.contents[0], ORDER) == texts[0]
    for day in set(days[1:]):
        newest = max(number for number, known in enumerate(days) if known == day)
        assert same(as_of(last, day), parse(texts[newest].encode()).value)


NUMBERS = st.integers(1, 10**6) | st.floats(0.001, 10**6)
PLACES = st.sampled_from(["/results/0/value", "/results/1/value", "/conditions/concurrency"])


@st.composite
def plans(draw: st.DrawFn) -> tuple[str, object]:
    """One command as a reviewer may give it; not every record allows it."""
    kind = draw(
        st.sampled_from(["correct", "reclassify", "backfill", "confirm", "retract", "absent", "swap"])
    )
    return kind, (draw(PLACES), draw(NUMBERS), draw(st.text("ab", min_size=1, max_size=3)))


def plan_of(command: tuple[str, object], signed: Signature) -> Plan:
    kind, (place, number, word) = command  # type: ignore[misc]
    if kind == "correct":
        return actions.correction(signed, [Step(Verb.PUT, place, node_of(number))])
    if kind == "reclassify":
        return actions.reclassification(signed, [Step(Verb.PUT, "/results/1/statistic", node_of("p90"))])
    if kind == "backfill":
        steps = [
            Step(Verb.PUT, "/conditions/warmup", node_of({"handling": "excluded", "note": word})),
            Step(Verb.PUT, "/counts", node_of({"requests": 5})),
        ]
        return actions.backfill(signed, steps)
    if kind == "confirm":
        return actions.confirmation(signed, [place])
    if kind == "retract":
        return actions.retraction(signed)
    if kind == "absent":
        return actions.absence(signed, "warmup", "withheld", word, "example-log")
    steps = [
        Step(Verb.REMOVE, "/results/0"),
        Step(
            Verb.PUT,
            "/results/-",
            node_of({"metric": "itl_ms", "statistic": "mean", "value": number, "unit": "ms"}),
        ),
    ]
    return actions.correction(signed, steps)


@settings(max_examples=12, deadline=None)
@given(st.lists(st.tuples(plans(), st.integers(0, 2)), min_size=1, max_size=5))
def test_commands_on_a_record_of_the_ledger(commands: list[tuple[tuple[str, object], int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "ledger"
        shutil.copytree(CASE_LEDGER, root)
        catalog = Catalog(root)
        entry = catalog.require("example-run")
        path, order, day = Path(entry.path), key_order("benchmark"), FIRST
        judge = judging(catalog, date(2026, 12, 31))
        original = path.read_text()
        kept = {day - timedelta(1): original}
        for command, days in commands:
            day += timedelta(days)
            before = path.read_text()
            try:
                written = write(root, entry, plan_of(command, Signature("me", day, f"{command}")), judge)
            except ToolsError:
                assert path.read_text() == before
                continue
            assert path.read_text() == (before if written.is_refused else written.after)
            kept[day] = path.read_text()

        last = parse(path.read_bytes()).value
        for known, text in kept.items():
            assert render(as_of(last, known), order) == text
        assert not [finding for finding in judge(entry, path.read_bytes()) if finding.level == "error"]
