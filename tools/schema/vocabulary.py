"""The words of the ledger as Python values: metrics, units, conditions, statistics and the plain
enumerations.

Everything is read from `vocabulary.schema.json`: an annotated enumeration is a `oneOf` of `const` with a
title, a description and `x-` keywords; a metric is a branch that fixes `metric` and lists the values of
`unit`. A new metric or unit is a change of the schema alone: none is named here.

    unit       x-dimension, x-factor (the unit in its dimension's base)
    metric     x-scope, x-token-kind, x-direction, x-needs-power-basis; `required: [statistic]` on the branch
    statistic  x-percentile
    condition  x-stated-by (JSON Pointers, any of which states it), x-would-need
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, TypeVar

from tools.errors import InternalError
from tools.schema.load import Schema, documents


class UnitError(ValueError):
    """A conversion that has no meaning: a unit nobody defined, or two units of different dimensions."""


@dataclass(frozen=True, slots=True)
class Term:
    """One word of an enumeration."""

    name: str
    title: str
    description: str


AnyTerm = TypeVar("AnyTerm", bound=Term)


@dataclass(frozen=True, slots=True)
class Unit(Term):
    """A unit; `factor` is its size in the base unit of its dimension."""

    dimension: str
    factor: float


@dataclass(frozen=True, slots=True)
class Metric(Term):
    """A metric and the kind of its numbers; `description` is its definition.

    `token_kind` is `none` where no tokens are counted and `stated` where the result has to say; `direction`
    says which way is better: `higher`, `lower` or `neither`. A metric that `needs_statistic` is a figure of a
    distribution; one that `needs_power_basis` has power in it whose origin the result states.
    """

    units: tuple[str, ...]
    scope: str
    token_kind: str
    direction: str
    needs_statistic: bool
    needs_power_basis: bool

    @property
    def definition(self) -> str:
        """What is measured, in words."""
        return self.description


@dataclass(frozen=True, slots=True)
class Statistic(Term):
    """A figure of a distribution; `percentile` is None for those that are none."""

    percentile: float | None


@dataclass(frozen=True, slots=True)
class Condition(Term):
    """A condition every record states or declares absent; any of the pointers `stated_by` states it."""

    stated_by: tuple[str, ...]
    would_need: str


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """All words, each group by name and in the order of the schema.

    `enumerations` has every enumeration of the file by its name there, those with attributes of their own
    included.
    """

    units: Mapping[str, Unit]
    metrics: Mapping[str, Metric]
    statistics: Mapping[str, Statistic]
    conditions: Mapping[str, Condition]
    enumerations: Mapping[str, Mapping[str, Term]]
    titles: Mapping[str, str]

    @property
    def scenarios(self) -> Mapping[str, Term]:
        """In which ways requests arrive."""
        return self.enumerations["scenario"]

    @property
    def techniques(self) -> Mapping[str, Term]:
        """How tokens are generated."""
        return self.enumerations["technique"]

    @property
    def audit_actions(self) -> Mapping[str, Term]:
        """What a step of a record's life can be."""
        return self.enumerations["audit_action"]

    def convert(self, value: float | Fraction, from_unit: str, to_unit: str) -> float:
        """The value in another unit of its dimension, rounded once. Raises `UnitError` if there is none.

        A fraction is taken as it is: 1.001 as printed is not its nearest binary neighbour.
        """
        source, target = self._unit(from_unit), self._unit(to_unit)
        if source.dimension != target.dimension:
            raise UnitError(f"`{from_unit}` is {source.dimension}, `{to_unit}` is {target.dimension}")
        if isinstance(value, float) and not math.isfinite(value):
            return value
        try:
            return float(Fraction(value) * _exact(source.factor) / _exact(target.factor))
        except OverflowError as error:
            raise UnitError(f"the value is too large to be given in `{to_unit}`") from error

    def _unit(self, name: str) -> Unit:
        if name not in self.units:
            raise UnitError(f"`{name}` is no unit")
        return self.units[name]

    def units_like(self, name: str) -> tuple[str, ...]:
        """The units a value in this unit can be converted to, itself among them; none for an unknown unit."""
        if name not in self.units:
            return ()
        dimension = self.units[name].dimension
        return tuple(unit.name for unit in self.units.values() if unit.dimension == dimension)

    def metrics_in(self, unit: str) -> tuple[str, ...]:
        """The metrics that are measured in this unit."""
        return tuple(metric.name for metric in self.metrics.values() if unit in metric.units)


def _exact(factor: float) -> Fraction:
    """The decimal number as it stands in the schema: 0.001 is meant, not its nearest binary neighbour."""
    return Fraction(repr(factor))


@cache
def vocabulary() -> Vocabulary:
    """The vocabulary of the schema files."""
    return read_vocabulary(documents()["vocabulary"])


def convert(value: float | Fraction, from_unit: str, to_unit: str) -> float:
    """The value in another unit of the same dimension, rounded once. Raises `UnitError` if there is none."""
    return vocabulary().convert(value, from_unit, to_unit)


def read_vocabulary(document: Schema) -> Vocabulary:
    """The words that one schema document defines. Raises `InternalError` when an annotation is missing."""
    definitions: dict[str, Schema] = document["$defs"]
    plain = {
        name: definition["oneOf"]
        for name, definition in definitions.items()
        if all("const" in branch for branch in definition.get("oneOf", [{}]))
    }
    try:
        return Vocabulary(
            units=_by_name([_unit(branch) for branch in plain.get("unit", ())]),
            metrics=_by_name([_metric(branch) for branch in definitions["metric"]["oneOf"]]),
            statistics=_by_name([_statistic(branch) for branch in plain.get("statistic", ())]),
            conditions=_by_name([_condition(branch) for branch in plain.get("condition", ())]),
            enumerations={name: _by_name([_term(b) for b in branches]) for name, branches in plain.items()},
            titles={name: definition["title"] for name, definition in definitions.items()},
        )
    except KeyError as missing:
        raise InternalError(f"the vocabulary lacks the annotation {missing}") from missing


def _by_name(terms: list[AnyTerm]) -> Mapping[str, AnyTerm]:
    return {term.name: term for term in terms}


def _words(annotated: dict[str, Any]) -> tuple[str, str, str]:
    return annotated["const"], annotated["title"], annotated["description"]


def _term(branch: Schema) -> Term:
    return Term(*_words(branch))


def _unit(branch: Schema) -> Unit:
    return Unit(*_words(branch), branch["x-dimension"], float(branch["x-factor"]))


def _metric(branch: Schema) -> Metric:
    annotated = branch["properties"]["metric"]
    return Metric(
        *_words(annotated),
        units=tuple(branch["properties"]["unit"]["enum"]),
        scope=annotated["x-scope"],
        token_kind=annotated["x-token-kind"],
        direction=annotated["x-direction"],
        needs_statistic="statistic" in branch.get("required", ()),
        needs_power_basis=annotated.get("x-needs-power-basis", False),
    )


def _statistic(branch: Schema) -> Statistic:
    return Statistic(*_words(branch), branch.get("x-percentile"))


def _condition(branch: Schema) -> Condition:
    return Condition(*_words(branch), tuple(branch["x-stated-by"]), branch["x-would-need"])
