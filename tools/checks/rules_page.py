"""The page of all rules (`docs/rules.md`): family by family, each with its words, its arithmetic and its examples.

All of it is derived: the words are the rules' own, the examples are their tests. The order is that of `RULES`; the same
rules give the same text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from tools.checks.cases import Case, Cases
from tools.checks.explain import computed, family, levels, looks_at
from tools.checks.reports.words import counted
from tools.checks.rule import Rule
from tools.checks.rules import FAMILIES

_HEAD = """\
# The rules

Written by `tools generate` from `tools/checks/rules/` and `tests/cases/`; change those, not this page.

An **error** refuses a record, a **warning** asks for an answer, an **info** only tells. A warning is answered by
mending the record, or by an acknowledgement in its audit log (`tools acknowledge ID RULE --reason TEXT`), and is then
told as acknowledged and counts no more. Where a rule lacks a fact, `tools validate --explain-skips` says so.
Metrics, units and conditions are defined in [schema.md](schema.md). `tools explain RULE` prints one entry."""

_CODE = re.compile(r"(`[^`\n]*`)")
_ACTIVE = re.compile(r"[\\*\[\]<>|~]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
_ISSUE = re.compile(r"(?<![\w/.-])([A-Za-z0-9][\w.-]*/[\w.-]+)#([0-9]+)")
_ADDRESS = re.compile(r"https?://[!-~]*[^\s,;.)]")


def rules_page(rules: Iterable[Rule], cases_of: Callable[[str], Cases]) -> str:
    """The whole page as Markdown text, with one newline at its end; `cases_of` gives the examples of a rule."""
    members: dict[str, list[Rule]] = {}
    for rule in rules:
        members.setdefault(family(rule), []).append(rule)
    blocks = [_HEAD, "\n".join(_contents(members))]
    for name, listed in members.items():
        blocks += [f"## {name}", _prose(_about(name)), "\n".join(_table(listed))]
        for rule in listed:
            blocks += _entry(rule, cases_of(rule.name))
    return "\n\n".join(blocks) + "\n"


def _contents(members: dict[str, list[Rule]]) -> Iterator[str]:
    for name, listed in members.items():
        yield f"* [{name}](#{name}) ({counted(len(listed), 'rule')}): {_prose(_about(name))}"


def _about(name: str) -> str:
    """The first sentence of a family's docstring."""
    return (FAMILIES[name].__doc__ or "").partition("\n\n")[0].replace("\n", " ")


def _table(rules: Iterable[Rule]) -> Iterator[str]:
    yield "| rule | level | fault |"
    yield "| --- | --- | --- |"
    for rule in rules:
        yield f"| [{rule.name}](#{rule.name}) | {levels(rule)} | {_prose(rule.summary)} |"


def _entry(rule: Rule, cases: Cases) -> Iterator[str]:
    yield f"### {rule.name}"
    yield f"**{_prose(rule.summary)}** {_sentence(levels(rule))} Looks at {looks_at(rule)}."
    yield _prose(rule.why)
    facts = [f"* {head}: {_prose(text)}" for head, text in computed(rule)]
    if rule.reference:
        facts.append(f"* Read on: {_linked(rule.reference)}")
    if rule.aliases:
        facts.append(f"* Was called: {', '.join(rule.aliases)}")
    if facts:
        yield "\n".join(facts)
    for case in (*cases.fails[:1], *cases.passes[:1]):
        yield from _example(case)


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _example(case: Case) -> Iterator[str]:
    expected = case.expected
    yield f"{'Fails' if expected else 'Passes'}: {_prose(case.name)}"
    shown = case.shown().rstrip("\n")
    if shown:
        fence = max(re.findall("`{3,}", shown), key=len, default="``")
        yield f"{fence}`yaml\n{shown}\n{fence}`"
    if expected:
        place = f" at {_code(expected.at)}" if expected.at else ""
        yield f"Is told{place}: … {_prose(expected.says)} …"


def _code(text: str) -> str:
    """Text as a code span, whatever backticks it has."""
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    pad = " " if text[:1] == "`" or text[-1:] == "`" else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _prose(text: str) -> str:
    """Words with their code spans; whatever else Markdown would take for its own is escaped."""
    parts = _CODE.split(" ".join(text.split()))
    return "".join(
        part.replace("|", "\\|") if part.startswith("`") else _ACTIVE.sub(_escape, part) for part in parts
    )


def _escape(match: re.Match[str]) -> str:
    return {"<": "&lt;", ">": "&gt;"}.get(match[0], f"\\{match[0]}")


def _linked(reference: str) -> str:
    """References with links: `owner/repository#12` leads to the thread, an address to its page."""
    done = ""
    end = 0
    for match in re.finditer(f"{_ISSUE.pattern}|{_ADDRESS.pattern}", reference):
        repository, number = match[1], match[2]
        done += _prose_part(reference[end : match.start()])
        if repository:
            name, address = match[0], f"https://github.com/{repository}/issues/{number}"
            done += f"[{_prose_part(name)}]({address})"
        else:
            done += f"<{match[0]}>"
        end = match.end()
    return done + _prose_part(reference[end:])


def _prose_part(text: str) -> str:
    """As `_prose`, with the blanks at both ends."""
    blank = re.match(r"\s*", text)
    assert blank is not None
    inner = text.strip()
    after = text[len(blank[0]) + len(inner) :]
    return f"{blank[0]}{_prose(inner)}{after}" if inner else text
