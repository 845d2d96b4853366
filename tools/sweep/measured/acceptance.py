"""The acceptance length that belongs to a measured speedup: that of its own run, else one its source states.

A source's acceptance counts for a speedup of the same technique, model, data set, draft length and shape. Where a
study published its acceptance apart from its speeds, assumptions.yaml names the sister. n-gram proposals are made in
some steps only; with acceptance lengths at several draft lengths of the same run, the share of steps that propose
follows from tau(k) = 1 + fill (q + q^2 + ... + q^k).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tools.records import pointer
from tools.records.parse import Json
from tools.sweep.measured.assumptions import assumptions

LENGTH = "acceptance_length"
_SISTER = "published apart, by the same study"


class Run(NamedTuple):
    """What an acceptance length is of; `draft` is (gamma, nodes)."""

    source: str
    kind: str
    model: str
    dataset: str
    draft: tuple[int | None, int | None]


class Found(NamedTuple):
    """An acceptance length and where it is from: `own run`, `same source`, or what had to be assumed."""

    tau: float
    origin: str


@dataclass(frozen=True, slots=True)
class Acceptances:
    """All acceptance lengths of a ledger by what they are of."""

    lengths: Mapping[Run, list[tuple[float, Json]]] = field(default_factory=dict)

    def of(self, record: Json, run: Run) -> Found | None:
        """The acceptance length of a run, or None where nobody states one."""
        own = stated(record)
        if own is not None:
            return Found(own, "own run")
        for source, origin in _sources(run.source):
            found = self._near(record, run._replace(source=source))
            if found:
                return Found(sum(found) / len(found), origin)
        return None

    def fill(self, run: Run) -> float | None:
        """The share of steps that propose, where acceptance lengths at two draft lengths or more tell it."""
        for source, _ in _sources(run.source):
            lengths = {
                other.draft[0]: values[0][0]
                for other, values in self.lengths.items()
                if other._replace(draft=run.draft) == run._replace(source=source) and other.draft[0]
            }
            if len(lengths) > 1:
                return _share({int(gamma): tau for gamma, tau in lengths.items() if gamma})
        return None

    def _near(self, record: Json, run: Run) -> list[float]:
        """Those whose temperature and part, where both records state them, are the same."""
        return [tau for tau, other in self.lengths.get(run, ()) if _agree(record, other)]


def acceptances(records: Iterable[dict[str, Json]]) -> Acceptances:
    """The acceptance lengths that records state."""
    found: dict[Run, list[tuple[float, Json]]] = defaultdict(list)
    for record in records:
        tau = stated(record)
        run = run_of(record)
        if tau is not None and run is not None:
            found[run].append((tau, record))
    return Acceptances(dict(found))


def modelled(form: Any, candidates: int) -> Found:
    """The acceptance length by the formula that a study used: 1 + slope ln(candidates)."""
    return Found(1 + form["slope"] * math.log(candidates), form["why"])


def stated(record: Json) -> float | None:
    """The mean acceptance length that a record itself states."""
    technique: Any = pointer.find(record, "/technique")
    if isinstance(technique, dict) and isinstance(technique.get(LENGTH), (int, float)):
        return float(technique[LENGTH])
    results: Any = pointer.find(record, "/results")
    for result in results if isinstance(results, list) else ():
        if result.get("metric") == LENGTH and result.get("statistic") in (None, "mean", "unstated"):
            return float(result["value"])
    return None


def run_of(record: Json) -> Run | None:
    """What the acceptance of a record is of; None for a record without source, technique or model."""
    source, model = pointer.find(record, "/sources/0/source_id"), pointer.find(record, "/model_id")
    technique: Any = pointer.find(record, "/technique")
    if not isinstance(source, str) or not isinstance(model, str) or not isinstance(technique, dict):
        return None
    draft = (technique.get("gamma"), technique.get("tree_nodes"))
    return Run(source, technique["kind"], model, dataset_of(record), draft)


def dataset_of(record: Json) -> str:
    """The data set and task, as one name; empty where neither is stated."""
    names = (pointer.find(record, "/conditions/dataset"), pointer.find(record, "/conditions/task"))
    return ", ".join(str(name) for name in names if name is not None)


def _sources(source: str) -> list[tuple[str, str]]:
    sisters = assumptions().sisters.get(source, [])
    return [(source, "same source"), *((sister, _SISTER) for sister in sisters)]


def _agree(one: Json, other: Json) -> bool:
    for path in ("/conditions/temperature", "/accelerator_ids", "/conditions/reasoning"):
        pair = (pointer.find(one, path), pointer.find(other, path))
        if None not in pair and pair[0] != pair[1]:
            return False
    return pointer.find(one, "/conditions/reasoning") == pointer.find(other, "/conditions/reasoning")


def _share(lengths: Mapping[int, float]) -> float | None:
    """fill of tau(k) = 1 + fill (q + ... + q^k), by least squares over q in steps of a thousandth."""
    best: tuple[float, float] | None = None
    for step in range(1, 1000):
        q = step / 1000
        pairs = [((q - q ** (gamma + 1)) / (1 - q), tau - 1) for gamma, tau in lengths.items()]
        share = sum(x * y for x, y in pairs) / sum(x * x for x, _ in pairs)
        misfit = sum((y - share * x) ** 2 for x, y in pairs)
        if 0 < share <= 1 and (best is None or misfit < best[0]):
            best = (misfit, share)
    return None if best is None else best[1]
