"""What has to be assumed to simulate a measured record: read from assumptions.yaml, and named wherever it is used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tools.records.parse import parse

TABLE = Path(__file__).with_name("assumptions.yaml")


@dataclass(frozen=True, slots=True)
class Assumption:
    """One value that no record states: what it is of, the value as written, and why this one."""

    name: str
    value: str
    why: str


@dataclass(frozen=True, slots=True)
class Draft:
    """Depth, and nodes of a tree, that a source used for a technique."""

    gamma: int
    nodes: int | None
    why: str


@dataclass(frozen=True, slots=True)
class Assumptions:
    """The tables of assumptions.yaml."""

    accelerators: Mapping[str, Any]
    contexts: Mapping[str, Any]
    drafts: Mapping[tuple[str, str], Draft]
    acceptance: Mapping[tuple[str, str], Any]
    sisters: Mapping[str, list[str]]
    draft_heads: Mapping[str, Any]
    arithmetic: Mapping[str, Any]


@cache
def assumptions() -> Assumptions:
    """The tables, read once."""
    value: Any = parse(TABLE.read_bytes()).value
    return Assumptions(
        value["accelerators"],
        value["contexts"],
        {
            (draft["source"], draft["kind"]): Draft(draft["gamma"], draft.get("nodes"), draft["why"])
            for draft in value["drafts"]
        },
        {(form["source"], form["kind"]): form for form in value["acceptance"]},
        value["sisters"],
        value["draft_heads"],
        value["arithmetic"],
    )
