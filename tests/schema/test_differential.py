"""Two validators, one verdict: `jsonschema` on the files as they are, ours on the joined bundle.

This checks the bundles, the way we compile them, and that a contributor's editor agrees with CI. The two may
part in one point: Python's `$` also matches before a final newline, so a pattern lets text that ends in one
pass there; ours refuses it.
"""

from collections import Counter
from functools import cache
from random import Random
from typing import Any

import jsonschema
import pytest
from mutations import SCALARS, mutated, places
from referencing import Registry, Resource
from test_faults import CASES, changed

from tools.schema.load import bundle, documents, kinds
from tools.schema.validate import compiled
from tools.schema.vocabulary import vocabulary

MUTANTS_PER_KIND = 200


@cache
def reference(kind: str) -> jsonschema.Draft202012Validator:
    files = documents().values()
    registry: Registry[Any] = Registry().with_resources(
        (document["$id"], Resource.from_contents(document)) for document in files
    )
    return jsonschema.Draft202012Validator(documents()[kind], registry=registry)


@cache
def words(kind: str) -> list[str]:
    """Keys and words of the kind, so that changes hit what the schema knows."""
    keys = {step for example in bundle(kind)["examples"] for way in places(example) for step in way}
    terms = [word for group in vocabulary().enumerations.values() for word in group]
    known = {step for step in keys if isinstance(step, str)} | set(bundle(kind)["properties"])
    return sorted({*known, *terms, *vocabulary().metrics})


def may_part(value: Any) -> bool:
    """Whether some text ends in a newline, where Python's patterns are laxer."""
    if isinstance(value, str):
        return value.endswith("\n")
    if isinstance(value, dict):
        return any(map(may_part, value.values()))
    return isinstance(value, list) and any(map(may_part, value))


def agree(kind: str, value: Any) -> bool:
    """The common verdict; fails when the two differ for no reason in the list above."""
    theirs, ours = reference(kind).is_valid(value), compiled(kind).faults(value) == []
    assert theirs == ours or (theirs and not ours and may_part(value)), value
    return ours


def varied(kind: str) -> list[Any]:
    """Valid records with more in them than the examples have, so that changes reach every corner."""
    records = list(bundle(kind)["examples"])
    if kind == "benchmark":
        records.append(
            records[0]
            | {
                "technique": {"kind": "medusa", "gamma": 4, "topology": "tree", "acceptance_rate": 0.5},
                "conditions": {
                    "batch_size": {"min": 33, "max": 64},
                    "request_rate": "inf",
                    "input_length": {"nominal": 128, "kind": "cap"},
                    "warmup": {"handling": "excluded", "requests": 10},
                    "slo": {"ttft_ms": 200, "statistic": "p99"},
                },
                "results": [
                    {
                        "metric": "speedup_ratio",
                        "unit": "ratio",
                        "value": 0,
                        "bound": "lower",
                        "baseline": {"technique": "autoregressive", "varied": ["technique"]},
                        "interval": {"low": 0, "high": 1.5, "level": 0.95},
                        "repeats": [0, 0.5],
                        "derived_from": {"formula": "a / b", "original": {"key": "x", "value": "1.0"}},
                    },
                    {"metric": "itl_ms", "statistic": "p99.9", "value": 10**25, "unit": "ms"},
                ],
                "comparisons": [{"claim": "twice as fast", "a": {"value": 2}, "b": {"label": "base"}}],
                "absent": [{"condition": "load", "reason": "unrecoverable", "would_need": "the log"}],
                "status": "superseded",
                "superseded_by": "other-run",
            }
        )
    entries = [
        {"action": "created", "reason": "filed"},
        {
            "date": "2026-12-01",
            "by": "somebody",
            "action": "correction",
            "reason": "misread",
            "changes": [{"path": "/title", "from": "a", "to": "b"}, {"path": "/x~0y/0", "to": {"a": [1]}}],
            "evidence": [{"record_id": "other-run", "locator": "/results/0"}],
        },
        {
            "date": "2026-12-02",
            "by": "somebody",
            "action": "acknowledgement",
            "rule": "some-rule",
            "reason": "known",
        },
    ]
    return [*records, *(record | {"audit": entries} for record in records)]


@pytest.mark.parametrize("kind", kinds())
def test_valid_records(kind: str) -> None:
    for record in varied(kind):
        assert agree(kind, record)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_records_with_one_fault(case: dict[str, Any]) -> None:
    assert not agree(case["kind"], changed(case))


@pytest.mark.parametrize("kind", kinds())
def test_mutated_records(kind: str) -> None:
    random = Random(f"{kind} records, changed")
    records = varied(kind)
    verdicts = Counter(
        agree(kind, mutated(random, random.choice(records), words(kind))) for _ in range(MUTANTS_PER_KIND)
    )
    assert min(verdicts[True], verdicts[False]) > MUTANTS_PER_KIND // 20


@pytest.mark.parametrize("kind", kinds())
def test_every_value_replaced_by_every_scalar(kind: str) -> None:
    """Each place of the first example, each hostile value: nothing random."""
    record = bundle(kind)["examples"][0]
    ways = [way for way in places(record) if len(way) < 3] + [()]
    for way in ways[:: max(1, len(ways) // 5)]:
        for scalar in SCALARS:
            agree(kind, _with(record, way, scalar))


def _with(value: Any, way: tuple[Any, ...], new: Any) -> Any:
    """A copy of the value with another at one place."""
    if not way:
        return new
    first, *rest = way
    if isinstance(value, dict):
        return {
            key: _with(inner, tuple(rest), new) if key == first else inner for key, inner in value.items()
        }
    return [_with(inner, tuple(rest), new) if place == first else inner for place, inner in enumerate(value)]


def test_where_the_two_part() -> None:
    record = bundle("engine")["examples"][0] | {"name": "Example\n"}
    assert reference("engine").is_valid(record)
    assert [fault.pointer for fault in compiled("engine").faults(record)] == ["/name"]
