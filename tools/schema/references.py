"""Which fields of a record name other records, as the schema says (`x-refers-to`).

The schema is walked once per kind into a plan: only the branches that lead to a reference. Finding the references
of a record then costs a visit of those branches and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from tools.records.catalog import Reference
from tools.records.parse import Json
from tools.schema.load import bundle

ANY = "any"
"""The kind of a reference that may name a record of any kind."""


@dataclass(slots=True)
class _Plan:
    """What to visit below one place: the kind named here, the keys to follow, the plan of list items."""

    kind: str | None = None
    keys: dict[str, _Plan] = field(default_factory=dict)
    items: _Plan | None = None

    @property
    def leads_somewhere(self) -> bool:
        return self.kind is not None or bool(self.keys) or self.items is not None


def references(kind: str, value: Json) -> Iterator[Reference]:
    """Every reference in a record of a kind, in the order of the schema; malformed parts are passed over."""
    found: list[Reference] = []
    _visit(_plan(kind), value, "", found)
    return iter(found)


def _visit(plan: _Plan, value: Json, pointer: str, found: list[Reference]) -> None:
    if isinstance(value, str):
        if plan.kind is not None:
            found.append(Reference(pointer, plan.kind, value))
    elif isinstance(value, dict):
        for key, below in plan.keys.items():
            if key in value:
                inner = value[key]
                if below.kind is None:
                    _visit(below, inner, f"{pointer}/{key}", found)
                elif isinstance(inner, str):
                    found.append(Reference(f"{pointer}/{key}", below.kind, inner))
    elif isinstance(value, list) and plan.items is not None:
        for index, item in enumerate(value):
            # Most items hold none of the keys; passing them over here spares their pointers.
            if not isinstance(item, dict) or not plan.items.keys.keys().isdisjoint(item):
                _visit(plan.items, item, f"{pointer}/{index}", found)


@cache
def _plan(kind: str) -> _Plan:
    document = bundle(kind)
    return _plan_of(document, document)


def _plan_of(schema: dict[str, Any], document: dict[str, Any]) -> _Plan:
    if "x-refers-to" in schema:
        return _Plan(kind=schema["x-refers-to"])
    plan = _Plan()
    if "$ref" in schema:
        target: Any = document
        for step in schema["$ref"].removeprefix("#/").split("/"):
            target = target[step]
        plan = _plan_of(target, document)
    for key, below in schema.get("properties", {}).items():
        branch = _plan_of(below, document)
        if branch.leads_somewhere:
            plan.keys[key] = branch
    if isinstance(schema.get("items"), dict):
        branch = _plan_of(schema["items"], document)
        plan.items = branch if branch.leads_somewhere else None
    return plan
