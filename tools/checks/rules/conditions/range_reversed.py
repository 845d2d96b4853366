"""A range whose lower end lies above its upper end."""

from __future__ import annotations

from collections.abc import Iterator

from tools.audit.values import shown
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules.identity.places import values_of
from tools.finding import Level
from tools.records.parse import Json

_LENGTHS = ("/conditions/input_length", "/conditions/output_length")

_QUOTED = 40
"""Characters of a number that a message repeats."""


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    for pointer, ends in _ranges(record):
        low, high = ends.get("min"), ends.get("max")
        if isinstance(low, (int, float)) and isinstance(high, (int, float)) and low > high:
            yield Fault(
                f"{pointer}/min",
                f"the range starts at {shown(low, _QUOTED)} and ends below that, at {shown(high, _QUOTED)}",
                "exchange the two, or look up which of them was copied wrongly",
            )


def _ranges(record: Record) -> Iterator[tuple[str, dict[str, Json]]]:
    """(JSON Pointer, mapping) of everything that has a minimum and a maximum."""
    lengths = ((pointer, record.get(pointer)) for pointer in _LENGTHS)
    for pointer, ends in (*values_of(record, "range"), *lengths):
        if isinstance(ends, dict):
            yield pointer, ends


RULE = Rule(
    name="range-reversed",
    level=Level.ERROR,
    summary="The minimum of a range is larger than its maximum.",
    why=(
        "No value lies between 64 and 8, so a query for the runs that saw 32 requests in flight passes the "
        "record by. The two ends were exchanged, or one of them lost a digit, and only the source can tell "
        "which. Every range of the conditions is looked at, and the shortest and longest input and output "
        "lengths; a range of one value has the same number twice."
    ),
    check=check,
)
