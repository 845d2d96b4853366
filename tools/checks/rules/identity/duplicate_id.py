"""An id that several records share."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.finding import Level
from tools.records.catalog import FOLDERS


def check(record: Record, ledger: Ledger) -> Iterator[Fault]:
    others = list(ledger.kinds(record.id))
    if record.kind in others:
        others.remove(record.kind)
    if others:
        places = " and ".join(f"data/{FOLDERS.get(kind, kind)}/" for kind in others)
        yield Fault(
            "/id",
            f"the id `{record.id}` is taken in {places} too",
            "give the newer record another id, and its file the same name",
        )


RULE = Rule(
    name="duplicate-id",
    level=Level.ERROR,
    summary="Several records share one id.",
    why=(
        "An id is unique over all kinds, not only within a folder: `tools show ID`, the evidence of an audit "
        "entry and every other place that names a record by its id alone would have to guess which one is "
        "meant. An id is also never used again, so the newer record takes another one."
    ),
    check=check,
)
