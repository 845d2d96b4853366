"""A record that rests on itself."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.finding import Level

_MAY_NAME_ITSELF = ("/audit/", "/comparisons/")


def check(record: Record, ledger: Ledger) -> Iterator[Fault]:
    for pointer, kind, name in ledger.references(record):
        if name == record.id and kind == record.kind and not pointer.startswith(_MAY_NAME_ITSELF):
            yield Fault(pointer, "here the record names itself", _hint(pointer))


def _hint(pointer: str) -> str:
    if pointer == "/superseded_by":
        return "name the record that took its place"
    if pointer.endswith("/baseline/record_id"):
        return "name the record of the other side; where there is none, describe it with `technique`"
    return "name the record that this one came from, or take the id out"


RULE = Rule(
    name="refers-to-itself",
    level=Level.ERROR,
    summary="A record names itself where it must name another.",
    why=(
        "A ratio to itself is 1, a record is not replaced by itself, and a number that was computed from "
        "itself traces to nothing; whoever follows such a reference goes round in a circle. Mostly the line "
        "was copied from another record, or the id of the wrong side was taken. One side of a comparison is "
        "often the record that holds it, and the evidence of an audit entry may point to another place in "
        "its own record; neither is looked at."
    ),
    check=check,
)
