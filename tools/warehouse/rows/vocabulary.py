"""The words of the ledger as rows: units, metrics, enumerations, number formats, conditions, rules."""

from __future__ import annotations

from tools.checks.rules import RULES
from tools.roofline.precision import BITS, arithmetic
from tools.schema.vocabulary import vocabulary
from tools.warehouse.rows.setting import Filled


def vocabulary_rows() -> Filled:
    """Every word, in the order of the schema."""
    words = vocabulary()
    for unit in words.units.values():
        yield (
            "units",
            {
                "unit": unit.name,
                "title": unit.title,
                "description": unit.description,
                "dimension": unit.dimension,
                "factor": unit.factor,
            },
        )
    for metric in words.metrics.values():
        yield (
            "metrics",
            {
                "metric": metric.name,
                "title": metric.title,
                "definition": metric.definition,
                "unit": metric.units[0],
                "scope": metric.scope,
                "token_kind": metric.token_kind,
                "direction": metric.direction,
                "needs_statistic": metric.needs_statistic,
                "needs_power_basis": metric.needs_power_basis,
            },
        )
    for enumeration, terms in words.enumerations.items():
        for position, term in enumerate(terms.values()):
            yield (
                "words",
                {
                    "enumeration": enumeration,
                    "word": term.name,
                    "title": term.title,
                    "description": term.description,
                    "position": position,
                },
            )
    for precision in words.enumerations["precision"]:
        yield (
            "precisions",
            {"precision": precision, "bits": BITS.get(precision), "arithmetic": arithmetic(precision)},
        )
    for condition in words.conditions.values():
        yield (
            "condition_kinds",
            {
                "condition": condition.name,
                "title": condition.title,
                "description": condition.description,
                "stated_by": list(condition.stated_by),
                "would_need": condition.would_need,
            },
        )


def rule_rows() -> Filled:
    """The rules."""
    for rule in RULES:
        yield (
            "rules",
            {
                "rule": rule.name,
                "level": rule.level.value,
                "scope": rule.scope.value,
                "kinds": list(rule.kinds),
                "summary": rule.summary,
                "why": rule.why,
                "formula": rule.formula or None,
                "tolerance": rule.tolerance or None,
                "reference": rule.reference or None,
            },
        )
