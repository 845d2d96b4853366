"""Rules in words: the page of a rule, the list of rules, and that every real rule has both."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace

from laying import cases_of

from tools.checks.cases import Case, Cases, Expected
from tools.checks.explain import WIDTH, explain, explain_json, family, list_rules, list_rules_json
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules import RULES
from tools.finding import Level


def check(_: Record, __: Ledger) -> Iterator[Fault]:
    yield Fault("", "wrong")


RULE = Rule(
    "speedup-without-baseline",
    Level.WARNING,
    "A speedup does not say over what.",
    "A ratio has two sides. " * 8
    + "See https://example.org/a-very-long-address-that-is-not-to-be-broken-anywhere-at-all.",
    "Leviathan et al. 2023",
    ("speedup-of-nothing",),
    check=check,
    formula="speedup_ratio = new rate / rate of the baseline",
    tolerance="none: a baseline is there or it is not",
    kinds=("benchmark",),
    other_levels=(Level.INFO,),
)
PASSES = Case(
    name="the source's words are a baseline",
    record="example-run",
    changed={},
    removed=(),
    edits=(),
    text="metric: speedup_ratio\nbaseline: {stated: 模型}\n",
    content=None,
    size=0,
    files={},
    links={},
    also=frozenset(),
    expected=None,
)
FAILS = replace(
    PASSES,
    name="a ratio with one side",
    text="metric: speedup_ratio\nunit: ratio\n",
    expected=Expected("metric: speedup_ratio", "does not say over what", "", 1),
)
CASES = Cases((FAILS, replace(FAILS, name="another")), (PASSES,))


def test_the_page_of_a_rule(golden: Callable[[str, str], None]) -> None:
    golden("explain-rule.txt", explain(RULE, CASES))


def test_a_rule_without_examples_at_hand_is_explained_all_the_same() -> None:
    page = explain(
        replace(RULE, reference="", aliases=(), formula="", tolerance="", kinds=(), other_levels=()), Cases()
    )
    assert page.startswith("speedup-without-baseline\nwarning; looks at one record, and what it refers to\n")
    words = ("Fails", "Passes", "Read on", "Was called", "Formula", "Tolerance")
    assert not any(word in page for word in words)


def test_the_page_as_json_has_every_example() -> None:
    page = json.loads(explain_json(RULE, CASES))
    assert [example["name"] for example in page["fails"]] == ["a ratio with one side", "another"]
    assert page["passes"] == [{"name": PASSES.name, "text": PASSES.shown()}]
    assert (page["level"], page["scope"], page["family"]) == ("warning", "record", "kind")
    assert (page["other_levels"], page["kinds"]) == (["info"], ["benchmark"])
    assert page["formula"].startswith("speedup_ratio = ")
    assert page["tolerance"].startswith("none: ")


def test_the_list_of_rules(golden: Callable[[str, str], None]) -> None:
    not_utf8 = Rule("not-utf8", Level.ERROR, "The file is not UTF-8.", "Bytes have no certain meaning.")
    golden(
        "list-rules.txt",
        list_rules([not_utf8, RULE, replace(RULE, name="duplicate-result", level=Level.INFO)]),
    )


def test_the_list_as_json_names_every_rule_once() -> None:
    listed = json.loads(list_rules_json(RULES))
    assert [rule["name"] for rule in listed] == [rule.name for rule in RULES]
    assert all(rule["why"] and rule["summary"] for rule in listed)


def test_families_stand_together() -> None:
    families = [family(rule) for rule in RULES]
    assert sorted(set(families), key=families.index) == [
        name for name, before in zip(families, ["", *families], strict=False) if name != before
    ]


def test_every_rule_has_its_page() -> None:
    for rule in RULES:
        page = explain(rule, cases_of(rule.name))
        assert page.splitlines()[0] == rule.name
        prose = page.split("\n\n")[2]
        assert " ".join(prose.split()) == " ".join(rule.why.split()), rule.name
        assert all(len(line) <= WIDTH or " " not in line for line in prose.splitlines()), rule.name
