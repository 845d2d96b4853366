"""A reference to a record that no longer stands."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.finding import Level

_FALLEN = ("retracted", "superseded")


def check(record: Record, ledger: Ledger) -> Iterator[Fault]:
    if record.text("/status") in _FALLEN:
        return
    seen = set()
    for pointer, _, name in ledger.references(record):
        if pointer == "/superseded_by" or pointer.startswith("/audit/") or name in seen:
            continue
        seen.add(name)
        named = ledger.value(name)
        if named is None or named.get("status") not in _FALLEN:
            continue
        successor = named.get("superseded_by")
        yield Fault(
            pointer,
            f"`{name}` is {named['status']}",
            f"`{successor}` took its place; does it say the same?"
            if isinstance(successor, str)
            else f"`tools history {name}` tells why; does this record still hold without it?",
        )


RULE = Rule(
    name="retracted-reference",
    level=Level.WARNING,
    summary="A record rests on one that is retracted or superseded.",
    why=(
        "When a source is withdrawn or a model record is replaced, the numbers that rest on it need a second "
        "look: they may still be right, on other evidence. Each such record is named once, at the first "
        "place that refers to it. Records that are themselves retracted or superseded are left alone, and so "
        "are `superseded_by` and the evidence of the audit log, which tell history."
    ),
    check=check,
)
