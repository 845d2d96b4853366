"""Rules in words: one taught with an example of either side, all of them as a list; each as text and as JSON.

The words are the rule's own and the examples are its tests; this module only sets them. The page of all rules is set by
`tools.checks.rules_page`.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import groupby
from typing import Any

from tools.checks.cases import Case, Cases
from tools.checks.reports.words import counted
from tools.checks.rule import Rule, Scope
from tools.checks.rules import FAMILIES

WIDTH = 88
"""Columns to which prose is wrapped."""

_LOOKS_AT = {
    Scope.DOCUMENT: "one file",
    Scope.RECORD: "one record, and what it refers to",
    Scope.LEDGER: "the whole ledger",
    Scope.BASE: "one record, and what it was at the revision named with `tools validate --base`",
    Scope.FINDINGS: "what the other rules find, and what the record's audit log says of it",
}


@cache
def _families() -> dict[str, str]:
    return {rule.name: name for name, package in FAMILIES.items() for rule in package.RULES}


def family(rule: Rule) -> str:
    """The name of the family that a rule is registered in."""
    return _families()[rule.name]


def levels(rule: Rule) -> str:
    """The level of a rule, and those that single findings of it may have."""
    others = " or ".join(level for level in rule.other_levels if level is not rule.level)
    return f"{rule.level}, in some cases {others}" if others else str(rule.level)


def looks_at(rule: Rule) -> str:
    """What a rule needs to see, and the kinds of record it is about."""
    seen = _LOOKS_AT[rule.scope]
    if rule.scope is Scope.RECORD and rule.survey is not None:
        seen = "one record, what it refers to, and the whole ledger"
    kinds = " and ".join(rule.kinds)
    return f"{seen} (kind {kinds})" if kinds else seen


def explain(rule: Rule, cases: Cases) -> str:
    """A page that teaches a rule: what, why, where to read on, an example that fails and a near-miss."""
    parts = [
        f"{rule.name}\n{levels(rule)}; looks at {looks_at(rule)}",
        _wrapped(rule.summary),
        _wrapped(rule.why),
    ]
    parts += [_wrapped(f"{head}: {text}") for head, text in computed(rule)]
    if rule.reference:
        parts.append(f"Read on: {rule.reference}")
    if rule.aliases:
        parts.append(f"Was called: {', '.join(rule.aliases)}")
    parts += ["\n".join(_example(case)) for case in (*cases.fails[:1], *cases.passes[:1])]
    return "\n\n".join(parts) + "\n"


def computed(rule: Rule) -> Iterator[tuple[str, str]]:
    """(heading, text) of what a rule needs, what it computes and how exact that has to be."""
    if rule.needs:
        yield "Needs", "; ".join(" or ".join(f"`{thing}`" for thing in group) for group in rule.needs)
    if rule.formula:
        yield "Formula", rule.formula
    if rule.tolerance:
        yield "Tolerance", rule.tolerance


def _wrapped(text: str) -> str:
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def _example(case: Case) -> Iterator[str]:
    expected = case.expected
    yield f"{'Fails' if expected else 'Passes'}: {case.name}"
    for line in case.shown().splitlines():
        marked = expected is not None and expected.at and expected.at in line
        yield f"  {'>' if marked else ' '} {line}".rstrip()
    if expected:
        yield f"  is told: … {expected.says} …"


def explain_json(rule: Rule, cases: Cases) -> str:
    """What `explain` tells, with every example."""
    examples = {
        "fails": [{**_shown(case), "told": case.expected.says} for case in cases.fails if case.expected],
        "passes": [_shown(case) for case in cases.passes],
    }
    return json.dumps({**_described(rule), **examples}, indent=2) + "\n"


def _shown(case: Case) -> dict[str, str]:
    return {"name": case.name, "text": case.shown()}


def list_rules(rules: Iterable[Rule]) -> str:
    """A table of rules in their families: name, level, summary."""
    listed = list(rules)
    name_width = max((len(rule.name) for rule in listed), default=0)
    level_width = max((len(rule.level) for rule in listed), default=0)
    lines = []
    for name, members in groupby(listed, key=family):
        lines.append(name)
        for rule in members:
            lines.append(f"  {rule.name:<{name_width}}  {rule.level:<{level_width}}  {rule.summary}")
        lines.append("")
    lines.append(f"{counted(len(listed), 'rule')}; `tools explain RULE` teaches one")
    return "\n".join(lines) + "\n"


def list_rules_json(rules: Iterable[Rule]) -> str:
    """A list with what each rule says of itself."""
    return json.dumps([_described(rule) for rule in rules], indent=2) + "\n"


def _described(rule: Rule) -> dict[str, Any]:
    return {
        "name": rule.name,
        "family": family(rule),
        "level": rule.level,
        "other_levels": rule.other_levels,
        "scope": rule.scope,
        "kinds": rule.kinds,
        "needs": rule.needs,
        "summary": rule.summary,
        "why": rule.why,
        "formula": rule.formula,
        "tolerance": rule.tolerance,
        "reference": rule.reference,
        "aliases": rule.aliases,
    }
