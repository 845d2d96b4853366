"""What each rule costs: the processor time of its calls, one by one, in one pass over a ledger, in one process.

The rules are given to the pass in wrappers that hold a clock; the pass itself knows nothing of it, and a usual one has
no clock at all. As in a usual pass, a rule is called only for the records that hold what it needs. What several rules
share, such as the view of a record as an operating point, is counted to the one that asks first.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TypeVar

from tools.checks.rule import Fault, Ledger, PlacedFault, Record, Rule, Skip
from tools.checks.rules import RULES
from tools.checks.run import Run
from tools.records.catalog import Catalog
from tools.records.parse import Json

SHOWN = 15
"""Rules that are listed, the dearest first."""

AnyType = TypeVar("AnyType")


class Clocks:
    """Seconds spent in each rule, those of them in its survey, and how often it was called."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.surveys: dict[str, float] = {}
        self.calls: defaultdict[str, int] = defaultdict(int)

    def timed(self, rule: Rule) -> Rule:
        """The rule with a clock around each of its functions."""
        check, gather, survey = rule.check, rule.gather, rule.survey

        def clocked(call: Callable[[], AnyType]) -> AnyType:
            started = time.process_time()
            given = call()
            self.seconds[rule.name] += time.process_time() - started
            self.calls[rule.name] += 1
            return given

        def timed_check(record: Record, ledger: Ledger) -> Iterator[Fault | Skip]:
            assert check is not None
            return iter(clocked(lambda: list(check(record, ledger))))

        def timed_gather(record: Record, ledger: Ledger) -> Json:
            assert gather is not None
            return clocked(lambda: gather(record, ledger))

        def timed_survey(facts: Mapping[str, Json], catalog: Catalog) -> Iterator[PlacedFault]:
            assert survey is not None
            before = self.seconds[rule.name]
            placed = clocked(lambda: list(survey(facts, catalog)))
            self.surveys[rule.name] = self.seconds[rule.name] - before
            return iter(placed)

        return replace(
            rule,
            check=timed_check if check else None,
            gather=timed_gather if gather else None,
            survey=timed_survey if survey else None,
        )


def rule_cost(root: Path) -> None:
    """Print the dearest rules, all of them together, and their share of a cold pass over a ledger."""
    catalog = Catalog(root)
    files = catalog.files()
    started = time.process_time()
    Run(catalog, RULES, date.today(), cached=False, jobs=1).check(files)
    usual = time.process_time() - started
    clocks = Clocks()
    timed = [clocks.timed(rule) for rule in RULES]
    started = time.process_time()
    report = Run(Catalog(root), timed, date.today(), cached=False, jobs=1).check(files)
    clocked = time.process_time() - started
    total = sum(clocks.seconds.values())
    print(
        f"\nrules, one process, {report.files:,} files in {usual:.2f} s of CPU ({clocked:.2f} s with clocks)"
    )
    for name, seconds in sorted(clocks.seconds.items(), key=lambda item: -item[1])[:SHOWN]:
        surveyed = f", survey {clocks.surveys[name]:.2f} s" if name in clocks.surveys else ""
        each = seconds / report.files * 1e6
        print(f"  {name:40} {each:8.1f} us a file {clocks.calls[name]:9,} calls{surveyed}")
    print(f"  {f'all {len(RULES)} rules':40} {total / report.files * 1e6:8.1f} us a file")
    print(f"  share of a cold pass {total / clocked:26.0%}")
