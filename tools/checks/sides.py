"""The two sides of a comparison, field by field: what each says of its run, and which fields may differ.

A record compares in two ways. Its `comparisons` are claims that name both sides; the `baseline` of a result is the
other side of that result, the record itself being the first. Both name in `varied` the fields that are meant to differ.
Rules about comparisons read them through this view, so that "the same load" means the same in each of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from tools.checks.point import OperatingPoint
from tools.checks.quantity import shown
from tools.checks.remembered import remembered
from tools.checks.rule import Ledger, Record
from tools.checks.varied import covers
from tools.records.parse import Document, Json, parse

LENGTH_TOLERANCE = 0.15
"""Share by which two mean lengths of one workload differ. Runs of one model and data set in the load-generator logs
of MLPerf Inference v4.1 to v6.0 spread by 3 to 11 %, one model by 27 %."""

COMPARED = ("/comparisons", "/results/*/baseline")
"""What a record has one of to compare anything."""

SAME_SIZE = {"bf16": "16-bit float", "fp16": "16-bit float"}
"""Formats that take the same bytes and run at the same rate: a comparison across them is like for like."""

_FACTS = (
    "model_id",
    "model_revision",
    "engine.id",
    "engine.version",
    "engine.commit",
    "engine.backend",
    "accelerator_ids",
    "hardware.accelerator_count",
    "hardware.power_limit_w",
    "technique.kind",
    "technique.gamma",
    "technique.draft_model_id",
    "precision.activations",
    "precision.quantization",
    "conditions.request_rate",
    "conditions.sequence_length",
    "conditions.context_depth",
    "conditions.dataset",
    "conditions.dataset_kind",
    "conditions.task",
    "conditions.ignore_eos",
    "conditions.temperature",
    "conditions.reasoning",
    "conditions.prefix_cache",
    "conditions.accuracy_target",
    "conditions.window",
)
"""Conditions that are compared as they are written; load and lengths have spellings of their own."""

_FOLLOWS = {
    "model_id": ("model_revision",),
    "engine.id": ("engine.version", "engine.commit", "engine.backend"),
    "engine.version": ("engine.commit",),
    "technique.kind": ("technique.gamma", "technique.draft_model_id"),
    "precision.weights": ("precision.activations", "precision.quantization"),
    "conditions.dataset": ("conditions.dataset_kind", "conditions.task"),
    "conditions.concurrency": ("conditions.batch_size",),
    "conditions.batch_size": ("conditions.concurrency",),
}
"""Fields that cannot but differ with another: they are not told beside it, and are allowed with it."""

_UNSTATED = "unstated"
_CLAIMED = "claimed"
"""Evidence of a record that shows no run: it has no side of its own to set beside a baseline."""


class Side(NamedTuple):
    """One side: how it is called, where it is named, what is said of it there, and its run where the ledger has it."""

    name: str
    pointer: str
    said: dict[str, Json]
    point: OperatingPoint | None

    def get(self, field: str) -> Json:
        """What the run says at a dotted name, or None."""
        if self.point is None:
            return None
        return self.point.record.get("/" + field.replace(".", "/"))

    def text(self, field: str) -> str | None:
        """A word that the run says at a dotted name; `unstated` is none."""
        found = self.get(field)
        return found if isinstance(found, str) and found != _UNSTATED else None


class Comparison(NamedTuple):
    """One comparison: where it stands, the metric compared, both sides, what may differ, and all that is said of it.

    `first` is what is put over `second`, the baseline of a result. `result` is that result, None for a claim.
    """

    pointer: str
    metric: str | None
    first: Side
    second: Side
    varied: tuple[str, ...]
    said: dict[str, Json]
    result: dict[str, Json] | None = None

    def allows(self, field: str) -> bool:
        """Whether a field is among those that are meant to differ, or follows from one that is."""
        leaders = [leader for leader, following in _FOLLOWS.items() if field in following]
        return any(covers(name, allowed) for name in self.varied for allowed in (field, *leaders))


class Difference(NamedTuple):
    """A field that both runs state, and state differently."""

    field: str
    first: str
    second: str


def comparisons(record: Record, ledger: Ledger) -> list[Comparison]:
    """Every comparison of a record: its claims, then the results that name a baseline."""
    found, known = _remembered(record)
    if not known:
        found += [*_claims(record, ledger), *_baselines(record, ledger)]
        known.append(True)
    return found


@remembered()
def _remembered(_: Record) -> tuple[list[Comparison], list[bool]]:
    """The comparisons of a record, and whether they were looked for: once for all the rules that ask in turn."""
    return [], []


def _claims(record: Record, ledger: Ledger) -> Iterator[Comparison]:
    for pointer, said in record.mappings("/comparisons"):
        sides = [_side(f"side {key}", f"{pointer}/{key}", said.get(key), record, ledger) for key in "ab"]
        if sides[0] is not None and sides[1] is not None:
            yield Comparison(pointer, _word(said.get("metric")), sides[0], sides[1], _names(said), said)


def _baselines(record: Record, ledger: Ledger) -> Iterator[Comparison]:
    for pointer, result in record.mappings("/results"):
        baseline = result.get("baseline")
        if not isinstance(baseline, dict):
            continue
        other = _side("the baseline", f"{pointer}/baseline", baseline, record, ledger)
        if other is not None:
            run = None if record.text("/evidence") == _CLAIMED else OperatingPoint(record)
            own = Side("this run", pointer, result, run)
            yield Comparison(
                f"{pointer}/baseline",
                _word(result.get("metric")),
                own,
                other,
                _names(baseline),
                baseline,
                result,
            )


def _side(name: str, pointer: str, said: Json, record: Record, ledger: Ledger) -> Side | None:
    if not isinstance(said, dict):
        return None
    record_id = said.get("record_id")
    if not isinstance(record_id, str):
        return Side(name, pointer, said, None)
    if record_id == record.id:
        return Side(name, pointer, said, OperatingPoint(record))
    value = ledger.value(record_id) if ledger.kinds(record_id) == ("benchmark",) else None
    other = None if value is None else Record(record_id, "benchmark", "", value, _nowhere())
    return Side(name, pointer, said, None if other is None else OperatingPoint(other))


@cache
def _nowhere() -> Document:
    """The text of a record that is looked at only for its values."""
    return parse(b"")


def _word(value: Json) -> str | None:
    return value if isinstance(value, str) else None


def _names(said: dict[str, Json]) -> tuple[str, ...]:
    listed = said.get("varied")
    return tuple(name for name in listed if isinstance(name, str)) if isinstance(listed, list) else ()


def differences(comparison: Comparison) -> Iterator[Difference]:
    """The conditions that both runs state and in which they differ although they are not meant to.

    Scenario, weights and the key-value cache are left to the rules that judge them alone. What is a range on one side
    and a number on the other is not compared.
    """
    first, second = comparison.first, comparison.second
    same_weights = number_format(first, "weights") == number_format(second, "weights")
    told = set() if same_weights else set(_FOLLOWS["precision.weights"])
    for found in _all_differences(first, second):
        if found.field in told:
            continue
        told.update(_FOLLOWS.get(found.field, ()))
        if not comparison.allows(found.field):
            yield found


def _all_differences(first: Side, second: Side) -> Iterator[Difference]:
    if first.point is None or second.point is None:
        return
    for field in _FACTS:
        one, other = _comparable(field, first.get(field)), _comparable(field, second.get(field))
        if one is not None and other is not None and type(one) is type(other) and one != other:
            yield Difference(field, str(one), str(other))
    load = first.point.in_flight, second.point.in_flight
    if load[0] and load[1] and load[0].value != load[1].value:
        yield Difference(f"conditions.{load[0].pointer.rpartition('/')[2]}", load[0].text, load[1].text)
    for side in ("input", "output"):
        yield from _length_difference(side, first.point, second.point)


def _comparable(field: str, value: Json) -> str | float | None:
    """A condition as it is set against another; None for what is unstated or a range."""
    if isinstance(value, list):
        return ", ".join(sorted(str(item) for item in value))
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return float(value)
    if isinstance(value, str) and value != _UNSTATED:
        return SAME_SIZE.get(value, value) if field.startswith("precision.") else value
    return None


def _length_difference(side: str, first: OperatingPoint, second: OperatingPoint) -> Iterator[Difference]:
    field = f"conditions.{side}_length"
    nominal = first.nominal_length(side), second.nominal_length(side)
    if nominal[0] and nominal[1]:
        if nominal[0].value != nominal[1].value:
            yield Difference(field, nominal[0].text, nominal[1].text)
        return
    one, other = first.length(side), second.length(side)
    if one and other:
        low, high = sorted((one.quantity.value, other.quantity.value))
        if high > low * (1 + LENGTH_TOLERANCE):
            texts = [f"{shown(length.quantity.value)} tokens" for length in (one, other)]
            yield Difference(field, *texts)


def number_format(side: Side, part: str) -> str | None:
    """The number format of `weights` or `kv_cache` of a side; the file type stands for unstated weights."""
    found = side.text(f"precision.{part}")
    if found is None and part == "weights":
        found = side.text("precision.quantization")
    return SAME_SIZE.get(found, found) if found else None
