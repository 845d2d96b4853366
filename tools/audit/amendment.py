"""What somebody wants to do to a record, before it is done: one action, signed, with the steps it consists of.

`tools.audit.amend` turns it into a new text and the entry that says so; `tools.audit.actions` says what each action
may do.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from tools.audit.entry import Evidence
from tools.records.tree import Node


class Verb(StrEnum):
    """What a step does with the place it names."""

    PUT = "put"
    INSERT = "insert"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do, at a place in the record as it stands before any of them.

    `PUT` gives a place its value, new or not, and appends to a list at `-`; `INSERT` makes room for the value before
    an item of a list; `REMOVE` has none.
    """

    verb: Verb
    pointer: str
    node: Node | None = None


@dataclass(frozen=True, slots=True)
class Signature:
    """Who does something, on which day, why, and on what evidence."""

    by: str
    day: date
    reason: str
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Amendment:
    """One entry to be: its action, its signature and its steps; `rule` is the one that is acknowledged."""

    action: str
    signed: Signature
    steps: tuple[Step, ...] = ()
    rule: str | None = None
