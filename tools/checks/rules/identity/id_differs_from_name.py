"""A record whose id is not its file name."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.finding import Level


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    stated = record.text("/id")
    if stated is not None and stated != record.id:
        yield Fault(
            "/id",
            f"the id is `{stated}`, but the file name says `{record.id}`",
            "make them equal; of a record that others already name, the id stays and the file is renamed",
        )


RULE = Rule(
    name="id-differs-from-name",
    level=Level.ERROR,
    summary="The id of a record is not its file name.",
    why=(
        "Records are found by their file name: a listing of data/ is the index of the ledger. If the id "
        "inside says something else, a reference to it leads nowhere, or to another record. The two differ "
        "most often after a file was copied as the start of a new one."
    ),
    check=check,
)
