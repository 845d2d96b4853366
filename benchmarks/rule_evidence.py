"""What the rules find in real records, and which of the faults that are put into them.

    python -m benchmarks.rule_evidence LEDGER [--sample 300] [--seed 1] [--beside 40] [--fault WORDS]

LEDGER is a folder with `data/`; its benchmark records are grouped by the publication they cite. The first table counts
the findings of each rule by group, the second tells which faults of `benchmarks.known_faults` are found, where there
are any. For the third, each fault of `benchmarks.injected` is put, one at a time, into up to `--sample` records that
have the number it falsifies and of which no rule says more than an info: how often does a rule that names the fault
speak, how often only another one, how often none, and which rules speak besides. Faults that show beside other records
alone are put into up to `--beside` records each. The tables are Markdown.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.injected import BESIDE_OTHERS, OF_A_RECORD, Fault
from benchmarks.known_faults import KNOWN
from tools.checks.inspect import Inspector, Target
from tools.checks.ledger import CatalogLedger
from tools.checks.outcome import Outcome
from tools.checks.rules import RULES
from tools.finding import Level
from tools.records.catalog import Catalog, Entry
from tools.records.layout import render
from tools.records.parse import parse
from tools.schema.load import key_order

Json = dict[str, Any]
AboutRules = Counter[str]
AS_PRINTED = "printed-"
"""How the ids of the records begin that the maps of `benchmarks/as_printed` make."""


@dataclass
class Held:
    """A record of the ledger with what checking it gave."""

    entry: Entry
    value: Json
    outcome: Outcome
    told: frozenset[str] = field(default_factory=frozenset)
    """Rules that speak of it, surveys too, an info aside."""


class Evidence:
    """A ledger whose records are all inspected once."""

    def __init__(self, root: Path) -> None:
        self.catalog = Catalog(root)
        self.ledger = CatalogLedger(self.catalog, date.today())
        self.inspector = Inspector(self.ledger, RULES)
        self.surveys = {rule.name: rule for rule in RULES if rule.survey and rule.gather}
        self.records: dict[str, Held] = {}
        self.facts: dict[str, dict[str, Any]] = {name: {} for name in self.surveys}
        for entry in self.catalog.files():
            content = Path(entry.path).read_bytes()
            outcome = self.inspector.inspect(Target(entry, entry.path), content)
            for name in self.surveys.keys() & outcome.facts.keys():
                self.facts[name][entry.path] = outcome.facts[name]
            if entry.kind == "benchmark":
                self.records[entry.path] = Held(entry, parse(content).value, outcome)  # type: ignore[arg-type]
        self.findings = [
            (finding.rule, finding.level, path)
            for path, held in self.records.items()
            for finding in held.outcome.findings
        ]
        for name, rule in self.surveys.items():
            self.findings += [
                (name, fault.level or rule.level, file)
                for file, fault in self.surveyed(name, self.facts[name])
            ]
        told: defaultdict[str, set[str]] = defaultdict(set)
        for name, level, path in self.findings:
            if level is not Level.INFO:
                told[path].add(name)
        for path, held in self.records.items():
            held.told = frozenset(told[path])

    def surveyed(self, name: str, facts: dict[str, Any]) -> list[tuple[str, Any]]:
        """What a survey says, by file."""
        rule = self.surveys[name]
        assert rule.survey is not None
        return [(placed.file, placed.fault) for placed in rule.survey(facts, self.catalog)]

    def group(self, held: Held) -> str:
        """The publication that a record cites first, with its commit."""
        cited = held.value.get("sources") or [
            result["sources"][0] for result in held.value["results"] if "sources" in result
        ]
        source = self.ledger.value(cited[0]["source_id"]) or {}
        commit = str(source.get("commit", ""))[:7]
        name = str(source.get("repository") or source.get("title") or cited[0]["source_id"])
        return f"{name} at {commit}" if commit else name

    def inspected(self, held: Held, value: Json) -> Outcome:
        """The record with another value in its place."""
        content = render(value, key_order("benchmark")).encode()
        return self.inspector.inspect(Target(held.entry, held.entry.path), content)


def print_findings(evidence: Evidence) -> None:
    """The findings of each rule by publication."""
    groups = {path: evidence.group(held) for path, held in evidence.records.items()}
    print("| publication | records | findings |\n|---|---:|---|")
    found: defaultdict[str, AboutRules] = defaultdict(Counter)
    for name, level, path in evidence.findings:
        if path in groups:
            found[groups[path]][f"{name} ({level})"] += 1
    for group, records in Counter(groups.values()).most_common():
        told = ", ".join(f"{count} {name}" for name, count in found[group].most_common())
        print(f"| {group} | {records:,} | {told or 'none'} |")
    total = sum(sum(counter.values()) for counter in found.values())
    print(f"| all | {len(groups):,} | {total:,} |")


def print_known(evidence: Evidence) -> None:
    """Of each known fault how many records have it, and of how many of them any rule speaks."""
    rows = []
    for known in KNOWN:
        having = [
            held
            for held in evidence.records.values()
            if str(held.value["id"]).startswith(AS_PRINTED) and known.has_it(held.value)
        ]
        by_rule = Counter(name for held in having for name in held.told)
        told = ", ".join(f"{count} `{name}`" for name, count in by_rule.most_common()) or "none"
        found = sum(bool(held.told) for held in having)
        if having:
            rows.append(f"| {known.name} | {known.known_from} | {found} of {len(having)} | {told} |")
    if rows:
        print("\n| known fault | known from | found | by |\n|---|---|---:|---|", *rows, sep="\n")


def new_rules(evidence: Evidence, held: Held, fault: Fault, value: Json) -> set[str]:
    """The rules that speak of a record with a fault in it and did not before."""
    outcome = evidence.inspected(held, value)
    told = {finding.rule for finding in outcome.findings if finding.level is not Level.INFO}
    if fault in BESIDE_OTHERS:
        for name in fault.rules:
            facts = {**evidence.facts[name], held.entry.path: outcome.facts.get(name)}
            if facts[held.entry.path] is None:
                del facts[held.entry.path]
            before = {file for file, _ in evidence.surveyed(name, evidence.facts[name])}
            told |= {name for file, _ in evidence.surveyed(name, facts) if file not in before}
    return told - held.told


def print_injected(evidence: Evidence, sample: int, beside: int, seed: int, words: str) -> None:
    """How many of the faults put into records that are sound are found, and by what."""
    sound = sorted(
        (held for held in evidence.records.values() if not held.told), key=lambda held: held.entry.path
    )
    print(f"\n{len(sound):,} records of which no rule says more than an info\n")
    print("| fault | rules that name it | tried | named | only others | none | rules besides |")
    print("|---|---|---:|---:|---:|---:|---|")
    for fault in (fault for fault in (*OF_A_RECORD, *BESIDE_OTHERS) if words in fault.name):
        random = Random(seed)
        order = random.sample(sound, len(sound))
        tried = named = others = 0
        besides: AboutRules = Counter()
        for held in order:
            value = deepcopy(held.value)
            if tried >= (beside if fault in BESIDE_OTHERS else sample):
                break
            if not fault.inject(value, random):
                continue
            tried += 1
            told = new_rules(evidence, held, fault, value)
            named += bool(told & {*fault.rules})
            others += bool(told) and not told & {*fault.rules}
            besides.update(told - {*fault.rules})
        more = ", ".join(f"{count} {name}" for name, count in besides.most_common(4)) or "none"
        rules = ", ".join(f"`{name}`" for name in fault.rules)
        print(
            f"| {fault.name} | {rules} | {tried} | {named} | {others} | {tried - named - others} | {more} |",
            flush=True,
        )


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("ledger", type=Path)
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--beside", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fault", default="", help="only faults whose name has these words")
    given = parser.parse_args()
    evidence = Evidence(given.ledger)
    print_findings(evidence)
    print_known(evidence)
    if given.sample:
        print_injected(evidence, given.sample, given.beside, given.seed, given.fault)


if __name__ == "__main__":
    main()
