"""Every rule on its own examples: each failing one fires that rule alone, at its line; each near-miss is quiet."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from pathlib import Path

import pytest
from laying import LEDGER, cases_of, copied, laid_out, lay, place_of, take_back

from tools.checks.base import against_base
from tools.checks.cases import REPOSITORY, Case
from tools.checks.cases import cases_of as read_cases
from tools.checks.rule import Scope
from tools.checks.rules import RULES, find
from tools.checks.run import Report, Run
from tools.checks.select import Selection
from tools.finding import Finding
from tools.records.catalog import FOLDERS, Catalog
from tools.records.parse import parse

TODAY = date(2026, 6, 30)

ALL = [
    (rule.name, case) for rule in RULES for case in (*cases_of(rule.name).fails, *cases_of(rule.name).passes)
]


@pytest.fixture(scope="module", autouse=True)
def read_once() -> Iterator[None]:
    """What a case leaves as it is in the small ledger is not read anew for each of them; rules change no record."""
    once = lru_cache(maxsize=256)(parse)
    with pytest.MonkeyPatch.context() as patch:
        for reader in ("tools.checks.inspect", "tools.records.catalog"):
            patch.setattr(f"{reader}.parse", once)
        yield


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the small ledger that the cases are laid over in turn: making one costs more than checking it."""
    return copied(tmp_path_factory.mktemp("cases") / "ledger")


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


def by_name(cases: list[tuple[str, Case]]) -> pytest.MarkDecorator:
    """One test for each case, under the names of its rule and its own."""
    named = [pytest.param(rule, case, id=f"{rule}: {case.name}") for rule, case in cases]
    return pytest.mark.parametrize(("rule", "case"), named)


@by_name([(rule, case) for rule, case in ALL if find(rule).scope is not Scope.BASE])
def test_a_case_says_what_it_should(rule: str, case: Case, shared: Path) -> None:
    lay(case, shared)
    try:
        judged(rule, case, shared, checked(shared))
    finally:
        take_back(case, shared)


@by_name([(rule, case) for rule, case in ALL if find(rule).scope is Scope.BASE])
def test_a_case_against_a_base_says_what_it_should(rule: str, case: Case, tmp_path: Path) -> None:
    root = laid_out(case, tmp_path / "ledger", committed=True)
    judged(rule, case, root, checked(root, "main", case.most_changed))


def judged(rule: str, case: Case, root: Path, report: Report) -> None:
    """Compare what was told with what the case expects."""
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


def test_every_rule_has_a_failing_case_and_a_near_miss() -> None:
    for rule in RULES:
        cases = cases_of(rule.name)
        assert cases.fails, rule.name
        assert cases.passes, rule.name
        names = [case.name for case in (*cases.fails, *cases.passes)]
        assert len(set(names)) == len(names), rule.name


def test_every_case_file_is_of_a_rule() -> None:
    assert {path.stem for path in REPOSITORY.glob("*.yaml")} == {rule.name for rule in RULES}


def test_a_case_can_be_shown() -> None:
    for rule, case in ALL:
        shown = case.shown()
        told = f"{rule}: {case.name}"
        assert shown.strip() or case.text == "", told
        assert len(shown.splitlines()) <= 25, told
        assert all(character == "\n" or character.isprintable() for character in shown), told


def test_a_rule_without_cases_has_none() -> None:
    assert read_cases("no-such-rule").fails == ()
