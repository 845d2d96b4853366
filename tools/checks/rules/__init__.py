"""All rules, family by family: what the parser and the schema report, identity and references, the eight
conditions; then the numbers (their kind, what they are counted per, latencies, load, workload, speculation,
comparisons, provenance, physics); the audit log, and the log against a base.

A rule is one file that holds a `RULE`, listed in its family's `RULES`; its examples are in `tests/cases/`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

from tools.checks.rule import Rule
from tools.checks.rules import (
    audit,
    base,
    comparison,
    conditions,
    datasheet,
    document,
    identity,
    kind,
    latency,
    load,
    physics,
    provenance,
    scope,
    speculation,
    workload,
)
from tools.errors import ToolsError

__all__ = ["FAMILIES", "RULES", "find"]

FAMILIES: Mapping[str, ModuleType] = {
    family.__name__.rpartition(".")[2]: family
    for family in (
        document,
        identity,
        conditions,
        kind,
        scope,
        latency,
        load,
        workload,
        speculation,
        comparison,
        provenance,
        physics,
        datasheet,
        audit,
        base,
    )
}
"""The packages of rules by name; what a family is about stands in its docstring, its rules in `RULES`."""

RULES: tuple[Rule, ...] = tuple(rule for family in FAMILIES.values() for rule in family.RULES)


def find(name: str) -> Rule:
    """The rule of a name or a former name; raises `ToolsError` with the nearest names when there is none."""
    known = {alias: rule for rule in RULES for alias in (rule.name, *rule.aliases)}
    if name in known:
        return known[name]
    from difflib import get_close_matches

    near = get_close_matches(name.casefold(), known, n=2)
    raise ToolsError(
        f"there is no rule `{name}`",
        f"did you mean {' or '.join(f'`{match}`' for match in near)}?" if near else "see `tools rules`",
    )
