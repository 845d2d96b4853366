"""Which rules a record concerns: what a rule needs is known, is found in a record, and hides nothing it would say."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from functools import cache

import pytest
from laying import LEDGER, cases_of, laid_over, place_of

from tools.checks.inspect import Inspector, Target
from tools.checks.ledger import CatalogLedger
from tools.checks.needs import OF_RESULTS, Concerned
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules import RULES
from tools.finding import Level
from tools.records.catalog import Catalog
from tools.records.garbage import uncollected
from tools.records.parse import parse
from tools.schema.load import bundle, in_place
from tools.schema.vocabulary import vocabulary

TODAY = date(2026, 6, 30)


def speaks(_: Record, __: Ledger) -> Iterator[Fault]:
    yield Fault("", "spoke")


def rule_that_needs(*needs: tuple[str, ...], kinds: tuple[str, ...] = ()) -> Rule:
    return Rule(
        "needy",
        Level.INFO,
        "Speaks.",
        "Of everything it is asked about.",
        check=speaks,
        needs=needs,
        kinds=kinds,
    )


def record_of(text: str, kind: str = "benchmark") -> Record:
    document = parse(text.encode())
    assert isinstance(document.value, dict)
    return Record("x", kind, "x.yaml", document.value, document)


RUN = """\
counts: {completed: 10}
conditions: {concurrency: 4, scenario: null}
hardware: [not, a, mapping]
results:
  - {metric: tps_aggregate, value: 1, unit: tok/s}
  - {metric: ttft_ms, statistic: p99, value: 1, unit: ms, repeats: [1, 2]}
  - a word
  - {metric: [a, list]}
"""


@pytest.mark.parametrize(
    "needs",
    [
        (),
        (("/counts",),),
        (("tps_aggregate",),),
        (("itl_ms", "ttft_ms"),),
        (("ttft_ms",), ("/conditions/concurrency", "/conditions/batch_size")),
        (("/conditions/scenario",),),
        (("/results/*/repeats",),),
    ],
)
def test_a_rule_is_asked_about_what_it_needs(needs: tuple[tuple[str, ...], ...]) -> None:
    rule = rule_that_needs(*needs)
    assert Concerned([rule]).by(record_of(RUN)).checks == (rule,)


@pytest.mark.parametrize(
    "needs",
    [
        (("/absent",),),
        (("itl_ms",),),
        (("ttft_ms",), ("itl_ms",)),
        (("/conditions/completed",),),
        (("/hardware/not",),),
        (("/results/*/position",),),
        (("counts",),),
        (("/ttft_ms",),),
    ],
)
def test_a_rule_is_not_asked_about_what_lacks_a_need(needs: tuple[tuple[str, ...], ...]) -> None:
    assert Concerned([rule_that_needs(*needs)]).by(record_of(RUN)).checks == ()


def test_a_rule_is_asked_about_its_kinds() -> None:
    rule = rule_that_needs(("/counts",), kinds=("model",))
    assert Concerned([rule]).by(record_of(RUN)).checks == ()
    assert Concerned([rule]).by(record_of(RUN, "model")).checks == (rule,)


def test_rules_are_asked_in_their_order() -> None:
    rules = [replace(rule_that_needs(("/counts",)), name=f"r{number}") for number in (3, 1, 2)]
    assert Concerned(rules).by(record_of(RUN)).checks == tuple(rules)


def test_records_that_hold_other_things_are_told_apart() -> None:
    rule = rule_that_needs(("tps_aggregate",))
    concerned = Concerned([rule])
    texts = (RUN, RUN.replace("tps_aggregate", "total_tok_s"), "results: none\n", "a: 1\n", RUN)
    assert [len(concerned.by(record_of(text)).checks) for text in texts] == [1, 0, 0, 0, 1]


def knows(pointer: str) -> bool:
    """Whether the schema of a benchmark has a field."""
    document = bundle("benchmark")
    reached = [document]
    for step in pointer[1:].split("/"):
        schemas = [schema for above in reached for schema in in_place(document, above)]
        inner = [
            schema.get("items") if step == "*" else schema.get("properties", {}).get(step)
            for schema in schemas
        ]
        reached = [schema for schema in inner if isinstance(schema, dict)]
    return bool(reached)


def test_what_is_needed_is_known() -> None:
    needed = {thing for rule in RULES for group in rule.needs for thing in group}
    pointers = {thing for thing in needed if thing.startswith("/")}
    assert needed - pointers <= vocabulary().metrics.keys()
    assert [pointer for pointer in pointers if not knows(pointer)] == []
    steps = {pointer: len(pointer.removeprefix(OF_RESULTS).strip("/").split("/")) for pointer in pointers}
    assert {pointer for pointer, count in steps.items() if count > 2} == set()


def test_a_need_has_alternatives() -> None:
    assert [rule.name for rule in RULES if not all(rule.needs) or (rule.needs and not rule.kinds)] == []


@cache
def records() -> list[Record]:
    """The record of every case of every rule, as it is laid over the small ledger."""
    found = []
    catalog = Catalog(LEDGER)
    for rule in RULES:
        cases = cases_of(rule.name)
        for case in (*cases.fails, *cases.passes):
            if case.record and not case.size:
                entry = catalog.require(case.record)
                document = parse(laid_over(case, (LEDGER / place_of(case.record)).read_bytes()))
                if isinstance(document.value, dict):
                    found.append(Record(entry.id, entry.kind, entry.path, document.value, document))
    return found


NEEDY = [rule for rule in RULES if rule.needs]


@pytest.mark.parametrize("rule", NEEDY, ids=[rule.name for rule in NEEDY])
def test_a_rule_says_nothing_of_records_that_lack_its_needs(rule: Rule) -> None:
    concerned, ledger = Concerned([rule]), CatalogLedger(Catalog(LEDGER), TODAY)
    lacking = [
        record for record in records() if record.kind in rule.kinds and concerned.by(record) == ((), ())
    ]
    assert lacking, "every case has what the rule needs, so that nothing is tried"
    for record in lacking:
        if rule.check is not None:
            assert list(rule.check(record, ledger)) == [], record.value
        if rule.gather is not None:
            assert rule.gather(record, ledger) is None, record.value


def test_files_inspected_together_are_told_the_same() -> None:
    catalog = Catalog(LEDGER)
    targets = [Target(entry, entry.path) for entry in catalog.files()]
    texts = [
        *((target, b"id: [") for target in targets[:1]),
        *((target, b"id: x\nid: y\n") for target in targets[:1]),
    ]
    for record in records():
        entry = catalog.require(record.id)
        texts.append((Target(entry, entry.path), record.document.text.encode()))

    def inspector() -> Inspector:
        return Inspector(CatalogLedger(catalog, TODAY), RULES)

    alone = inspector()
    assert inspector().inspect_all(texts) == [(target, alone.inspect(target, text)) for target, text in texts]


def test_inspecting_leaves_next_to_nothing_to_collect() -> None:
    catalog = Catalog(LEDGER)
    inspector = Inspector(CatalogLedger(catalog, TODAY), RULES)
    texts = [record.document.text.encode() for record in records()] + [
        b"id: [",
        b"a: &a 1\nb: *a\n",
        b"\tx",
        b"a: 1\na: 2\n",
    ]
    target = Target(catalog.files()[0], "x.yaml")
    for text in texts[-50:]:
        inspector.inspect(target, text)
    gc.collect()
    with uncollected():
        for text in texts:
            inspector.inspect(target, text)
        assert gc.collect() < len(texts) / 10
