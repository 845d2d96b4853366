"""No rule raises, whatever a record holds: values of any shape under the keys that rules read, and damaged
copies of real records.
"""

from __future__ import annotations

import copy
import json
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tools.checks.cases import REPOSITORY
from tools.checks.inspect import Inspector, Target
from tools.checks.ledger import CatalogLedger
from tools.checks.rules import RULES
from tools.records.catalog import FOLDERS, Catalog, Entry
from tools.schema.load import bundle

LEDGER = Catalog(REPOSITORY / "ledger")
FOUNDING = Catalog(REPOSITORY.parents[1])
INSPECTOR = Inspector(CatalogLedger(LEDGER, date(2026, 6, 30)), RULES)
NAMES = {rule.name for rule in RULES}


def keys_of(schema: Any) -> set[str]:
    """Every key that a schema names, at any depth."""
    if isinstance(schema, list):
        return set().union(*map(keys_of, schema)) if schema else set()
    if not isinstance(schema, dict):
        return set()
    named = schema.get("properties")
    return set(named if isinstance(named, dict) else ()).union(*map(keys_of, schema.values()))


KEYS = sorted(set().union(*(keys_of(bundle(kind)) for kind in FOLDERS)))


@cache
def records() -> list[dict[str, Any]]:
    """Those of the small ledger, the founding record, and one in fifty of the imported runs."""
    runs = [entry.id for entry in FOUNDING.files() if entry.kind == "benchmark"]
    found = [LEDGER.record(entry.id) for entry in LEDGER.files()]
    found += [FOUNDING.record(record_id) for record_id in ("sd-medusa-batch32-degradation", *runs[::50])]
    return [value for value in found if value is not None]


WORDS = [
    *[
        "",
        "/status",
        "/results/0/value",
        "/audit/0",
        "//",
        "~2",
        "/-",
        "2026-02-30",
        "2026-03-02",
        "0000-00-00",
    ],
    *["example-7b", "example-paper", "example-run", "speedup_ratio", "p50", "warmup", "load", "source"],
    *[
        "created",
        "retraction",
        "supersession",
        "confirmation",
        "backfill",
        "retracted",
        "superseded",
        "draft",
    ],
]
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(WORDS)
    | st.text(max_size=4)
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6),
    max_leaves=10,
)
RULED = [
    "audit",
    "results",
    "absent",
    "sources",
    "conditions",
    "status",
    "superseded_by",
    "engine",
    "id",
    "kind",
    "comparisons",
]


def crashes(kind: str, value: Any) -> list[str]:
    """Tracebacks of rules that raised on a record of a kind; JSON text is a document of the subset."""
    target = Target(Entry("example-run", kind, "nowhere.yaml"), "nowhere.yaml")
    outcome = INSPECTOR.inspect(target, json.dumps(value).encode())
    assert {finding.rule for finding in outcome.findings} <= NAMES
    return outcome.crashes


@settings(max_examples=60, deadline=None)
@given(
    kind=st.sampled_from([*FOLDERS]),
    value=st.dictionaries(st.sampled_from(RULED) | st.sampled_from(KEYS), VALUES, max_size=8),
)
def test_no_rule_raises_on_any_record(kind: str, value: dict[str, Any]) -> None:
    assert crashes(kind, value) == []


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_no_rule_raises_on_a_damaged_record(data: st.DataObject) -> None:
    value = copy.deepcopy(data.draw(st.sampled_from(records())))
    for _ in range(data.draw(st.integers(1, 4))):
        _damage(value, data)
    assert crashes(data.draw(st.sampled_from([*FOLDERS])), value) == []


def _damage(value: Any, data: st.DataObject) -> None:
    """Replaces, removes or doubles one value at any depth."""
    while True:
        places = list(value) if isinstance(value, dict) else list(range(len(value)))
        if not places:
            return
        place = data.draw(st.sampled_from(places))
        below = value[place]
        if not isinstance(below, (dict, list)) or not below or data.draw(st.booleans()):
            break
        value = below
    how = data.draw(st.sampled_from(["replace", "remove", "double"]))
    if how == "replace":
        value[place] = data.draw(VALUES)
    elif how == "remove":
        del value[place]
    elif isinstance(value, list):
        value.insert(place, copy.deepcopy(below))
    else:
        value[data.draw(st.sampled_from(KEYS))] = copy.deepcopy(below)


def test_there_are_records_to_damage() -> None:
    assert {Path(entry.path).parent.name for entry in LEDGER.files()} == set(FOLDERS.values())
    assert any(record.get("id") == "sd-medusa-batch32-degradation" for record in records())
