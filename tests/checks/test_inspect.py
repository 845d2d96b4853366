"""How much is looked at in a file with very many faults, and what is said of the rest."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from datetime import date

import pytest

from tools.checks import inspect
from tools.checks.cases import REPOSITORY
from tools.checks.inspect import CUT_RULE, FINDINGS_PER_FILE, Inspector, Target
from tools.checks.ledger import CatalogLedger
from tools.checks.outcome import Outcome
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules import RULES
from tools.checks.rules.identity import unresolved_reference
from tools.finding import Finding, Level
from tools.records.catalog import Catalog, Entry
from tools.records.parse import MAX_BYTES, Document

LEDGER = Catalog(REPOSITORY / "ledger")
TODAY = date(2026, 6, 30)
RUN = (REPOSITORY / "ledger/data/benchmarks/example-run.yaml").read_text(encoding="utf-8")
SOURCES = "sources:\n  - {source_id: example-log, locator: line 12, read_from: log}\n"
TARGET = Target(Entry("example-run", "benchmark", "example-run.yaml"), "example-run.yaml")


def inspected(text: str, *rules: Rule) -> Outcome:
    return Inspector(CatalogLedger(LEDGER, TODAY), rules or RULES).inspect(TARGET, text.encode())


def with_sources(lines: Iterator[str] | list[str]) -> str:
    """The example run with other citations."""
    assert SOURCES in RUN
    return RUN.replace(SOURCES, "sources:\n" + "".join(f"  - {{{line}}}\n" for line in lines))


def with_rest_counted(findings: list[Finding]) -> str:
    """What the last finding says of those that are not listed."""
    assert len(findings) == FINDINGS_PER_FILE + 1
    assert [finding.rule for finding in findings].count(CUT_RULE) == 1
    assert findings[-1].rule == CUT_RULE
    assert findings[-1].location == findings[-2].location
    return findings[-1].message


def yielding(many: int, asked: list[int] | None = None) -> Rule:
    """A rule that finds `many` faults in every record, and notes each one it was asked for."""

    def check(_: Record, __: Ledger) -> Iterator[Fault]:
        for number in range(many):
            if asked is not None:
                asked.append(number)
            yield Fault("/id", f"fault {number}")

    return Rule("a-rule", Level.ERROR, "It finds faults.", "To be counted.", check=check)


def test_a_megabyte_of_faulty_citations() -> None:
    text = with_sources(["source_id: example-log"] * 17_000)
    text += "#" * (MAX_BYTES - len(text) - 1) + "\n"
    outcome = inspected(text)
    assert outcome.crashes == []
    told = with_rest_counted(outcome.findings)
    assert told.startswith("at least ")
    assert {finding.rule for finding in outcome.findings} == {"source-without-locator", CUT_RULE}
    assert {finding.excerpt.strip() for finding in outcome.findings} == {"- {source_id: example-log}", ""}


def test_near_names_are_looked_up_for_few(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def nearest(name: str, _: str | None) -> list[str]:
        asked.append(name)
        return []

    ledger = CatalogLedger(LEDGER, TODAY)
    monkeypatch.setattr(ledger, "nearest", nearest)
    text = with_sources([f"source_id: nothing-{number}, locator: line 1" for number in range(1_000)])
    with_rest_counted(Inspector(ledger, RULES).inspect(TARGET, text.encode()).findings)
    assert len(asked) == FINDINGS_PER_FILE + 1


def test_a_log_is_searched_once_for_former_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    def counted(record: Record) -> set[str]:
        calls.append(record.id)
        return {"a-former-name"}

    monkeypatch.setattr(unresolved_reference, "_former_ids", counted)
    evidence = "      - {record_id: a-former-name, locator: /title}\n" * 50
    text = RUN.replace("    evidence:\n", f"    evidence:\n{evidence}", 1)
    assert inspected(text, unresolved_reference.RULE).findings == []
    assert calls == ["example-run"]


def test_excerpts_are_made_for_what_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[int] = []
    line = Document.line

    def counted(document: Document, number: int) -> str:
        lines.append(number)
        return line(document, number)

    monkeypatch.setattr(inspect.Document, "line", counted)
    with_rest_counted(inspected(RUN, *[yielding(90)] * 5).findings)
    assert len(lines) == FINDINGS_PER_FILE


@pytest.mark.parametrize(
    ("many", "told"),
    [
        ([100], ""),
        ([60, 41], "1 more finding in this file is not listed"),
        ([100, 100, 100], "200 more findings in this file are not listed"),
        ([101], "at least 1 more finding in this file is not listed"),
        ([5_000, 30], "at least 31 more findings in this file are not listed"),
    ],
)
def test_the_rest_is_counted_as_far_as_it_is_known(many: list[int], told: str) -> None:
    findings = inspected(RUN, *map(yielding, many)).findings
    assert (with_rest_counted(findings) if told else "") == told
    assert [finding.rule for finding in findings].count("a-rule") == FINDINGS_PER_FILE


def test_a_rule_is_asked_for_one_fault_more_than_is_listed() -> None:
    asked: list[int] = []
    inspected(RUN, yielding(5_000, asked))
    assert len(asked) == FINDINGS_PER_FILE + 1


def test_what_the_parser_only_counted_is_in_the_count() -> None:
    findings = inspected(f"{RUN}x: [{'010, ' * 1_000}]\n", yielding(1)).findings
    assert with_rest_counted(findings) == "at least 903 more findings in this file are not listed"
    same_keys = inspected(RUN + "title: x\n" * 1_000, yielding(1)).findings
    assert with_rest_counted(same_keys) == "901 more findings in this file are not listed"


def test_collecting_goes_on_afterwards() -> None:
    inspected("id: [")
    inspected(RUN)
    assert gc.isenabled()
