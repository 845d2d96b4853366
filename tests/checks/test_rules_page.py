"""The page of all rules: every rule once, in order, with what its family demands; and Markdown that stays text."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from laying import cases_of

from tools.checks.cases import Case, Cases, Expected
from tools.checks.explain import family
from tools.checks.rule import Rule
from tools.checks.rules import FAMILIES, RULES, find
from tools.checks.rules_page import rules_page

ABOUT_FILES_AND_LOGS = {"document", "identity", "conditions", "audit", "base"}
ABOUT_NUMBERS = [rule for rule in RULES if family(rule) not in ABOUT_FILES_AND_LOGS]
NOTHING_COMPUTED = {
    "duplicate-result": "two results with the same name are counted, not reckoned with",
}
NOBODY_TO_CITE = {
    "duplicate-result": "follows from what a record is: one operating point",
    "gain-filed-as-ratio": "follows from the definition of a ratio; the ledger's founding record is the case",
    "ratio-not-positive": "follows from the definition of a ratio; the ledger's founding record is the case",
    "varied-field-unknown": "about the words of this ledger's own schema",
}


@pytest.fixture(scope="module")
def page() -> str:
    return rules_page(RULES, cases_of)


def headings(page: str, level: int) -> list[str]:
    return re.findall(rf"^{'#' * level} (.+)$", page, re.MULTILINE)


def test_every_rule_has_its_entry_in_the_order_of_the_rules(page: str) -> None:
    assert headings(page, 3) == [rule.name for rule in RULES]
    assert headings(page, 2) == [name for name in FAMILIES if FAMILIES[name].RULES]


def test_the_contents_lead_to_what_is_there(page: str) -> None:
    targets = re.findall(r"\]\(#([a-z0-9-]+)\)", page)
    assert set(targets) == {*headings(page, 2), *headings(page, 3)}
    assert len(targets) == len(set(targets))


def test_fences_close(page: str) -> None:
    fences = re.findall(r"^(`{3,})(yaml)?$", page, re.MULTILINE)
    assert len(fences) % 2 == 0
    opened, closed = fences[::2], fences[1::2]
    assert all(a == b and word and not none for (a, word), (b, none) in zip(opened, closed, strict=True))


def test_a_rule_about_numbers_says_what_it_computes_and_who_met_it(page: str) -> None:
    """An exception is stated with its reason above, and goes when it is none any more."""
    for rule in ABOUT_NUMBERS:
        assert bool(rule.formula) != (rule.name in NOTHING_COMPUTED), rule.name
        assert bool(rule.reference) != (rule.name in NOBODY_TO_CITE), rule.name
        entry = page.partition(f"\n### {rule.name}\n")[2].partition("\n### ")[0]
        marks = ["\nFails: ", "\nIs told", "\nPasses: "]
        marks += ["\n* Formula: "] if rule.formula else []
        marks += ["\n* Read on: "] if rule.reference else []
        assert [mark for mark in marks if mark not in entry] == [], rule.name


CASE = Case(
    name="a *name* with | and <b>",
    record="",
    changed={},
    removed=(),
    edits=(),
    text="title: '```'\n",
    content=None,
    size=0,
    files={},
    links={},
    also=frozenset(),
    expected=Expected("a `b` c", "x < y, [z](w)", "", 1),
)


def entry_of(rule: Rule, cases: Cases = Cases()) -> str:  # noqa: B008
    return rules_page([rule], lambda _: cases)


def test_words_are_not_markup() -> None:
    page = entry_of(find("duplicate-key"), Cases((CASE,), ()))
    assert "Fails: a \\*name\\* with \\| and &lt;b&gt;\n" in page
    assert "\n````yaml\ntitle: '```'\n````\n" in page
    assert "Is told at ``a `b` c``: … x &lt; y, \\[z\\](w) …" in page


def test_references_are_links_and_formulas_are_kept() -> None:
    rule = replace(
        find("duplicate-result"),
        formula="ttft_ms * 2 < e2e_ms",
        reference="owner/some.repo#12; https://example.org/a_b, a book",
    )
    page = entry_of(rule)
    assert "* Formula: ttft_ms \\* 2 &lt; e2e_ms\n" in page
    linked = "[owner/some.repo#12](https://github.com/owner/some.repo/issues/12); <https://example.org/a_b>, a book"
    assert f"* Read on: {linked}\n" in page
