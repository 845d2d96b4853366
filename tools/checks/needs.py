"""Which rules a record concerns, told by what it holds before any of them is asked.

A rule says what has to be in a record so that it can speak (`Rule.needs`). Most rules are about a metric or a section
that most records lack, and to ask each of them costs more than what the others find out. Records of one origin hold the
same things, so the rules that remain are found once for each such set and remembered.

Holding is about names alone: a key counts whatever its value is, and a metric whatever stands beside it. So a need is
never the whole of a rule's condition, only what it cannot do without.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from tools.checks.rule import Record, Rule

OF_RESULTS = "/results/*/"
"""How a need begins that names a key of a result, of whichever."""

_REMEMBERED = 4096
"""Sets of things for which the rules are kept; the 6,000 records of the ledger hold 229 different ones."""

_NONE: frozenset[str] = frozenset()


class Asked(NamedTuple):
    """The rules to ask about a record, in the order of the registry: for faults, and for facts."""

    checks: tuple[Rule, ...]
    gathers: tuple[Rule, ...]


class Concerned:
    """Finds the rules that a record concerns."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = rules
        things = {thing for rule in rules for group in rule.needs for thing in group}
        keys = {thing for thing in things if thing.startswith("/")}
        self._metrics = frozenset(things - keys)
        self._of_results = frozenset(
            key.removeprefix(OF_RESULTS) for key in keys if key.startswith(OF_RESULTS)
        )
        places = [key[1:].split("/") for key in sorted(keys) if not key.startswith(OF_RESULTS)]
        self._keys = frozenset(place[0] for place in places if len(place) == 1)
        inner = [place for place in places if len(place) == 2]
        self._sections = {key: frozenset(last for above, last in inner if above == key) for key, _ in inner}
        self._remembered = lru_cache(maxsize=_REMEMBERED)(self._that_need)

    def by(self, record: Record) -> Asked:
        """The rules about the kind of a record all of whose needs it holds."""
        value = record.value
        listed = value.get("results")
        results = [item for item in listed if isinstance(item, dict)] if isinstance(listed, list) else []
        metrics = [metric for result in results if isinstance(metric := result.get("metric"), str)]
        sections = [
            keys.intersection(section) if isinstance(section := value.get(name), dict) else _NONE
            for name, keys in self._sections.items()
        ]
        return self._remembered(
            record.kind,
            self._keys.intersection(value),
            self._metrics.intersection(metrics),
            self._of_results.intersection(chain.from_iterable(results)),
            *sections,
        )

    def _that_need(
        self,
        kind: str,
        keys: frozenset[str],
        metrics: frozenset[str],
        of_results: frozenset[str],
        *sections: frozenset[str],
    ) -> Asked:
        held = {*metrics, *(f"/{key}" for key in keys), *(f"{OF_RESULTS}{key}" for key in of_results)}
        for name, inner in zip(self._sections, sections, strict=True):
            held.update(f"/{name}/{key}" for key in inner)
        asked = [rule for rule in self._rules if _may_speak(rule, kind, held)]
        return Asked(
            tuple(rule for rule in asked if rule.check is not None),
            tuple(rule for rule in asked if rule.gather is not None),
        )


def _may_speak(rule: Rule, kind: str, held: set[str]) -> bool:
    if rule.kinds and kind not in rule.kinds:
        return False
    return all(not held.isdisjoint(group) for group in rule.needs)
