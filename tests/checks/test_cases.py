"""Every rule on its own examples: each failing one fires that rule alone, at its line; each near-miss is quiet."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from laying import LEDGER, laid_out, place_of

from tools.checks.base import against_base
from tools.checks.cases import REPOSITORY, Case, cases_of
from tools.checks.rule import Scope
from tools.checks.rules import RULES, find
from tools.checks.run import Report, Run
from tools.checks.select import Selection
from tools.finding import Finding
from tools.records.catalog import FOLDERS, Catalog

TODAY = date(2026, 6, 30)

ALL = [
    (rule.name, case) for rule in RULES for case in (*cases_of(rule.name).fails, *cases_of(rule.name).passes)
]


def checked(root: Path, ref: str | None = None, most_changed: int | None = None) -> Report:
    catalog = Catalog(root)
    besides = against_base(Selection(catalog, catalog.files(), whole=True), ref, most_changed)
    report = Run(catalog, RULES, TODAY, cached=False, jobs=1, besides=besides).check(catalog.files())
    assert report.crashes == ()
    return report


def line_of(root: Path, finding: Finding) -> str:
    path = root / finding.file
    if not path.is_file() or path.is_symlink():
        return ""
    return path.read_bytes().decode("utf-8", "replace").split("\n")[finding.location.line - 1]


@pytest.mark.parametrize(
    ("rule", "case"), [pytest.param(rule, case, id=f"{rule}: {case.name}") for rule, case in ALL]
)
def test_a_case_says_what_it_should(rule: str, case: Case, tmp_path: Path) -> None:
    compared = find(rule).scope is Scope.BASE
    root = laid_out(case, tmp_path / "ledger", committed=compared)
    report = checked(root, "main" if compared else None, case.most_changed)
    findings = tuple(finding for finding in report.findings if not finding.acknowledged)
    expected = case.expected
    if expected is None:
        assert findings == ()
        return
    mine = [finding for finding in findings if finding.rule == rule]
    assert {finding.rule for finding in findings} == {rule, *case.also}
    assert len(mine) == expected.count
    file = expected.file or place_of(case.record).as_posix()
    told = [(f.file, line_of(root, f), f"{f.message}; {f.hint}") for f in mine]
    assert any(f == file and expected.at in line and expected.says in words for f, line, words in told), told


def test_the_small_ledger_is_clean() -> None:
    assert checked(LEDGER).findings == ()


def test_the_small_ledger_has_every_kind() -> None:
    assert {entry.kind for entry in Catalog(LEDGER).files()} == set(FOLDERS)


@pytest.mark.parametrize("rule", [rule.name for rule in RULES])
def test_every_rule_has_a_failing_case_and_a_near_miss(rule: str) -> None:
    cases = cases_of(rule)
    assert cases.fails
    assert cases.passes
    names = [case.name for case in (*cases.fails, *cases.passes)]
    assert len(set(names)) == len(names)


def test_every_case_file_is_of_a_rule() -> None:
    assert {path.stem for path in REPOSITORY.glob("*.yaml")} == {rule.name for rule in RULES}


@pytest.mark.parametrize(
    ("rule", "case"), [pytest.param(rule, case, id=f"{rule}: {case.name}") for rule, case in ALL]
)
def test_a_case_can_be_shown(rule: str, case: Case) -> None:
    shown = case.shown()
    assert shown.strip() or case.text == ""
    assert len(shown.splitlines()) <= 25, rule
    assert all(character == "\n" or character.isprintable() for character in shown)


def test_a_rule_without_cases_has_none() -> None:
    assert cases_of("no-such-rule").fails == ()
