"""Numbers and words that no run has: rules say nothing about them that they cannot reckon, and stay linear in them."""

from __future__ import annotations

import time
from datetime import date
from pathlib import Path

import pytest
from laying import copied, standing

from tools.checks.rules import RULES
from tools.checks.run import Report, Run
from tools.records.catalog import Catalog

RUN = standing()["data/benchmarks/example-run.yaml"].decode()
RATE = "{metric: tps_aggregate, value: 1998.05, unit: tok/s}"


def checked(root: Path, records: dict[str, str]) -> Report:
    copied(root)
    for name, text in records.items():
        text = text.replace("id: example-run\n", f"id: {name}\n", 1)
        (root / f"data/benchmarks/{name}.yaml").write_text(text, encoding="utf-8")
    catalog = Catalog(root)
    return Run(catalog, RULES, date(2026, 6, 30), cached=False, jobs=1).check(catalog.files())


@pytest.mark.parametrize("printed", ["sNaN", "Infinity", "1e400", "1e-999999999", "about 2,000", "²"])
def test_whatever_a_source_prints_no_rule_fails(tmp_path: Path, printed: str) -> None:
    text = RUN.replace(RATE, RATE.replace("1998.05", f'1998.05, printed: "{printed}"'))
    assert checked(tmp_path / "ledger", {"odd": text}).crashes == ()


@pytest.mark.parametrize("count", ["0", "-2", "1" + "0" * 308])
def test_no_number_of_accelerators_makes_a_rule_fail(tmp_path: Path, count: str) -> None:
    text = RUN.replace(
        "technique:", f"precision: {{weights: bf16}}\nhardware: {{accelerator_count: {count}}}\ntechnique:"
    )
    text = text.replace("model_id: example-7b", "model_id: example-8b")
    assert checked(tmp_path / "ledger", {"odd": text, "twin": text}).crashes == ()


def test_a_rate_without_end_is_no_lost_digit(tmp_path: Path) -> None:
    slow = RUN.replace("1998.05", "1.0e+308").replace("concurrency: 32", "concurrency: 64")
    fast = RUN.replace("1998.05", "1.7e+308")
    assert checked(tmp_path / "ledger", {"slow": slow, "fast": fast}).crashes == ()


def test_a_long_list_of_speedups_is_read_in_one_pass(tmp_path: Path) -> None:
    baseline = "baseline: {value: 10, unit: tok/s, varied: [technique]}"
    ratios = "\n  - ".join(
        f"{{metric: speedup_ratio, statistic: mean, value: {1.9 + i / 1000:.3f}, unit: ratio, {baseline}}}"
        for i in range(3000)
    )
    began = time.process_time()
    report = checked(tmp_path / "ledger", {"long": RUN.replace(RATE, ratios)})
    assert report.crashes == ()
    assert time.process_time() - began < 10
