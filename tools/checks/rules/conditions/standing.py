"""What a record says of the conditions, found once for the rules that judge it in turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tools.checks.remembered import remembered
from tools.checks.rule import Record
from tools.schema.conditions import Declared, absences, stated_at
from tools.schema.vocabulary import vocabulary


class Standing(NamedTuple):
    """The absences that a record declares, and by condition the first place that states it, or None."""

    declared: list[Declared]
    stated: Mapping[str, str | None]


@remembered()
def standing(record: Record) -> Standing:
    """The absences and statements of a record."""
    stated = {name: stated_at(record.value, condition) for name, condition in vocabulary().conditions.items()}
    return Standing(absences(record.value), stated)
