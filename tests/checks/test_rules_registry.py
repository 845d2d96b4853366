"""What every rule has in common: a name that lasts, words that teach it, a file that can be read in one go."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tools.checks import rules
from tools.checks.rule import Scope
from tools.checks.rules import RULES, find
from tools.errors import ToolsError

FILES = sorted(Path(rules.__file__).parent.rglob("*.py"))
SENTENCE = re.compile(r"[A-Z].*[.]", re.DOTALL)


def test_a_rule_says_what_and_why() -> None:
    for rule in RULES:
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.name)
        assert SENTENCE.fullmatch(rule.summary), rule.name
        assert len(rule.summary) <= 100, rule.name
        assert re.fullmatch(r"[A-Z0-9`].*[.]", rule.why), rule.name
        assert len(rule.why) >= 100, rule.name


def test_names_are_unique() -> None:
    names = [name for rule in RULES for name in (rule.name, *rule.aliases)]
    assert len(set(names)) == len(names)


def test_a_rule_file_is_short() -> None:
    assert [path for path in FILES if len(path.read_text(encoding="utf-8").splitlines()) > 120] == []


def test_a_rule_has_a_file_of_its_own() -> None:
    files = Counter(path.stem for path in FILES)
    named = [rule.name for rule in RULES if rule.scope is not Scope.DOCUMENT]
    assert [name for name in named if files[name.replace("-", "_")] != 1] == []


def test_a_rule_is_found_by_its_name() -> None:
    assert [find(rule.name) for rule in RULES] == list(RULES)


def test_an_unknown_name_is_told_the_nearest() -> None:
    with pytest.raises(ToolsError, match="no rule `speedup-without-base`") as caught:
        find("Speedup-Without-Base".lower())
    assert "`speedup-without-baseline`" in caught.value.hint
    with pytest.raises(ToolsError) as caught:
        find("qqqq")
    assert "tools rules" in caught.value.hint
