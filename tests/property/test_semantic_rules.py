"""The rules about numbers against simulated runs: sound ones fire nothing, one fault fires its rule at its line."""

from __future__ import annotations

from datetime import date
from typing import Any

import faults_comparison
import faults_kind
import faults_latency
import faults_physics
import faults_scope
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from injection import Injection
from runs import consistent_runs

from tools.checks.cases import REPOSITORY
from tools.checks.inspect import Inspector, Target
from tools.checks.ledger import CatalogLedger
from tools.checks.rules import RULES
from tools.finding import Finding
from tools.records.catalog import Catalog, Entry
from tools.records.layout import render
from tools.records.parse import parse
from tools.schema.load import key_order

LEDGER = Catalog(REPOSITORY / "ledger")


class Beside(CatalogLedger):
    """The small ledger with the records of one case beside its own."""

    def __init__(self, records: list[dict[str, Any]]) -> None:
        super().__init__(LEDGER, date(2026, 6, 30))
        self.records = {record["id"]: record for record in records}

    def kinds(self, record_id: str) -> tuple[str, ...]:
        return ("benchmark",) if record_id in self.records else super().kinds(record_id)

    def value(self, record_id: str) -> dict[str, Any] | None:
        return self.records.get(record_id) or super().value(record_id)


INSPECTOR = Inspector(Beside([]), RULES)
TABLES: tuple[tuple[Injection, ...], ...] = (
    faults_kind.FAULTS,
    faults_scope.FAULTS,
    faults_latency.FAULTS,
    faults_comparison.FAULTS,
    faults_physics.FAULTS,
)
INJECTIONS = [injection for table in TABLES for injection in table]


def findings_of(records: list[dict[str, Any]]) -> tuple[list[Finding], list[Any]]:
    """What every rule says of records that lie beside one another, and their documents."""
    facts: dict[str, dict[str, Any]] = {rule.name: {} for rule in RULES if rule.survey}
    found: list[Finding] = []
    documents = []
    names = [f"data/benchmarks/{record['id']}.yaml" for record in records]
    INSPECTOR.ledger = Beside(records)
    for record, name in zip(records, names, strict=True):
        text = render(record, key_order("benchmark")).encode()
        target = Target(Entry(record["id"], "benchmark", str(LEDGER.root / name)), name)
        outcome = INSPECTOR.inspect(target, text)
        assert not outcome.crashes, outcome.crashes
        found += outcome.findings
        documents.append(text)
        for rule, fact in outcome.facts.items():
            facts[rule][name] = fact
    for rule in RULES:
        if rule.survey is not None and rule.gather is not None:
            for placed in rule.survey(facts[rule.name], LEDGER):
                fault = placed.fault
                place = (placed.line, placed.column)
                if not placed.line:
                    place = parse(documents[names.index(placed.file)]).locate(fault.pointer)
                found.append(
                    Finding(
                        rule.name,
                        fault.level or rule.level,
                        placed.file,
                        place,  # type: ignore[arg-type]
                        fault.message,
                        fault.hint,
                        fault.pointer,
                    )
                )
    return [finding for finding in found if finding.rule != "uncited-source"], documents


@given(consistent_runs())
@settings(max_examples=60, deadline=None)
def test_a_sound_run_fires_no_rule(record: dict[str, Any]) -> None:
    found, _ = findings_of([record])
    assert [(finding.rule, finding.message) for finding in found] == []


@pytest.mark.parametrize("injection", INJECTIONS, ids=lambda injection: injection.rule)
@given(data=st.data())
@settings(max_examples=4, deadline=None)
def test_a_fault_fires_its_rule_at_its_line(injection: Injection, data: st.DataObject) -> None:
    injected = injection.inject(data.draw(consistent_runs()), data.draw)
    found, documents = findings_of(injected.records)
    record = injected.records[injected.index]
    line = parse(documents[injected.index]).locate(injected.pointer).line
    told = [finding for finding in found if finding.rule == injection.rule]
    places = [(finding.record or finding.file, finding.location[0]) for finding in told]
    assert any(record["id"] in where and at == line for where, at in places), found
    if injection.alone:
        assert {finding.rule for finding in found} <= {injection.rule, *injected.also}, found


def test_every_rule_about_numbers_has_a_fault_that_fires_it() -> None:
    injected = {injection.rule for injection in INJECTIONS}
    about_numbers = {
        "kind",
        "scope",
        "latency",
        "load",
        "workload",
        "speculation",
        "comparison",
        "provenance",
        "physics",
    }
    rules = {
        rule.name
        for rule in RULES
        if (code := rule.check or rule.survey) and code.__module__.split(".")[-2] in about_numbers
    }
    assert rules - injected - {"duplicate-result"} == set()
