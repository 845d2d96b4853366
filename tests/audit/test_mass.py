"""What a broken script looks like, and what does not."""

from __future__ import annotations

from typing import Any

import pytest

from tools.audit.mass import FEWEST, Shift, shifts, touched
from tools.audit.versions import Pair, Version
from tools.records.layout import KeyOrder, render


def version(record: Any) -> Version:
    return Version("data/benchmarks/a.yaml", render(record, KeyOrder({}, None)).encode())


def run(value: Any, metric: str = "ttft_ms", unit: str = "ms", **more: Any) -> dict[str, Any]:
    return {
        "id": "a",
        "results": [{"metric": metric, "statistic": "p50", "value": value, "unit": unit}],
        **more,
    }


def pairs(before: Any, after: Any, number: int = FEWEST) -> list[Pair]:
    return [Pair(version(before), version(after)) for _ in range(number)]


def test_what_counts_as_touched() -> None:
    as_it_was = version(run(1))
    reformatted = Version(
        as_it_was.file, b"# a comment\n" + (as_it_was.content or b"").replace(b"value: 1", b"value: 1.0")
    )
    retitled = Pair(as_it_was, version(run(1, title="new")))
    gone = Pair(as_it_was, None)
    broken = Pair(as_it_was, Version(as_it_was.file, b"a: ["))
    new = Pair(None, as_it_was)
    assert touched([Pair(as_it_was, reformatted), retitled, gone, broken, new]) == [retitled, gone, broken]


@pytest.mark.parametrize("factor", [1000, 0.001, 1.3, -1, 0])
def test_a_shift_in_many_records(factor: float) -> None:
    assert shifts(pairs(run(30.0), run(30.0 * factor))) == [Shift("ttft_ms", FEWEST, pytest.approx(factor))]
    assert shifts(pairs(run(30.0), run(30.0 * factor), FEWEST - 1)) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (run(30), run(33)),
        (run(30), run(0.03, unit="s")),
        (run(30), run(30, unit="tok/s")),
        (run(30), run(3000, metric="itl_ms")),
        (run(0), run(7)),
        (run(30), run("3000")),
        (run(True), run(30)),
        (run(10**400), run(1)),
        (run(30), {"results": [7, {}, {"metric": 1}]}),
        (run(30), {"results": {}}),
    ],
)
def test_no_shift(before: Any, after: Any) -> None:
    assert shifts(pairs(before, after)) == []


def test_the_median_is_what_counts() -> None:
    moved = pairs(run(30), run(30_000), FEWEST // 2 - 1)
    steady = pairs(run(30), run(31), FEWEST // 2 + 1)
    assert shifts([*moved, *steady]) == []
