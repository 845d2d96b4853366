"""A map that is wrong: every fault with its line and the nearest name, and nothing is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.importers.conftest import MAP, Imported, read
from tools.records.layout import render

TEXT = """\
name: small
title: A small table
id: "{run}"
cite:
  - {source: example-log, locator: "row {row}"}
fields:
  - {field: /title, template: "run {run}"}
  - {field: /evidence, value: measured}
  - {field: /measured_by, value: self}
results:
  - {metric: tps_aggregate, column: rate, unit: tok/s}
"""


def judged(tmp_path: Path, ledger: Path, text: str) -> Imported:
    (tmp_path / "table.csv").write_text("run,rate,note\na,1,x\n", encoding="utf-8")
    (tmp_path / "map.yaml").write_text(text, encoding="utf-8")
    return read(tmp_path / "table.csv", tmp_path / "map.yaml", ledger)


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("column: rate", "column: rates", 11, ["no column `rates`", "did you mean `rate`?"]),
        ("run {run}", "run {runn}", 7, ["no column `runn`", "did you mean `run`?"]),
        ('id: "{run}"', 'id: "{rum}"', 3, ["no column `rum`"]),
        ("/measured_by", "/measured_bye", 9, ["no field `measured_bye`", "did you mean `measured_by`?"]),
        ("/measured_by", "measured_by", 9, ["is no JSON Pointer"]),
        ("unit: tok/s", "unit: toks/s", 11, ["no unit `toks/s`", "did you mean `tok/s`?"]),
        ("unit: tok/s", "unit: ms", 11, ["`tps_aggregate` is not measured in `ms`"]),
        ("metric: tps_aggregate", "metric: tps_aggregat", 11, ["no metric", "did you mean `tps_aggregate`?"]),
        ("unit: tok/s}", "unit: tok/s, statistic: p51}", 11, ["no statistic `p51`"]),
        ("column: rate", "columns: rate", 11, ["`columns` is no key", "`column`"]),
        ("value: self", "value: self, column: note", 9, ["comes from column and value"]),
        ("value: self", "column: note, default: self", 9, ["a default needs a table of values"]),
        ("value: self", "column: note, pattern: '(x'", 9, ["is no regular expression"]),
        ("value: self", "column: note, pattern: x", 9, ["has no group"]),
        ("value: self", "value: self, when: {nota: x}", 9, ["no column `nota`", "did you mean `note`?"]),
        ("column: rate", "quotient: [rate, not]", 11, ["no column `not`"]),
        (
            "unit: tok/s}",
            "unit: tok/s, fields: [{field: /note2, value: x}]}",
            11,
            ["a result has no field `note2`", "did you mean `note`?"],
        ),
        ("name: small\n", "", 1, ["`name`"]),
        ("name: small\n", "name: small\nname: smaller\n", 2, ["name"]),
    ],
)
def test_a_fault_has_its_line(
    tmp_path: Path, ledger: Path, old: str, new: str, line: int, words: list[str]
) -> None:
    assert TEXT.count(old) == 1
    imported = judged(tmp_path, ledger, TEXT.replace(old, new))
    found = [fault for fault in imported.reading.faults if fault.location.line == line]
    assert found, imported.reading.faults
    told = " ".join(f"{fault.message} {fault.hint}" for fault in found)
    assert all(word in told for word in words), told
    assert not imported.batch.texts


def test_the_map_as_it_is_has_no_fault(tmp_path: Path, ledger: Path) -> None:
    imported = judged(tmp_path, ledger, TEXT)
    assert not imported.reading.faults
    assert list(imported.records) == ["a"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"absent": [{"condition": "warm", "reason": "not_stated"}]}, "there is no condition `warm`"),
        ({"absent": [{"condition": "warmup", "reason": "lost"}]}, "there is no reason of an absence `lost`"),
        ({"group": ["nota"]}, "no column `nota`"),
        ({"refuse": [{"when": {"nota": "x"}, "reason": "y"}]}, "no column `nota`"),
        ({"cite": [{"source": "example-log", "locator": "{nota}"}]}, "no column `nota`"),
        (
            {"audit": [{"action": "fix", "reason": "x", "before": [{"field": "/title", "value": "x"}]}]},
            "there is no audit action `fix`",
        ),
        (
            {"fields": [{"field": "/conditions/slo/ttft_ms", "column": "rate", "unit": "s", "as": "tok/s"}]},
            "`s` cannot be converted into `tok/s`",
        ),
        (
            {"fields": [{"field": "/title", "column": "rate", "unit": "s"}]},
            "a conversion names `unit` and `as`",
        ),
    ],
)
def test_a_fault_anywhere_in_the_map(tmp_path: Path, ledger: Path, change: dict, words: str) -> None:
    imported = judged(tmp_path, ledger, render({**MAP, **change}))
    assert any(words in fault.message for fault in imported.reading.faults), imported.reading.faults


def test_a_map_that_is_no_yaml_has_its_place(tmp_path: Path, ledger: Path) -> None:
    imported = judged(tmp_path, ledger, "name: [small\ntitle: x\n")
    assert imported.reading.faults
    assert not imported.batch.texts


def test_a_map_that_is_no_mapping(tmp_path: Path, ledger: Path) -> None:
    assert judged(tmp_path, ledger, "- name\n").reading.faults
