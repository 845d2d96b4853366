"""A record in the folder of another kind."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.finding import Level
from tools.records.catalog import FOLDERS


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    stated = record.text("/kind")
    if stated is not None and stated in FOLDERS and stated != record.kind:
        yield Fault(
            "/kind",
            f"the kind is `{stated}`, but the file lies among the records of kind `{record.kind}`",
            f"move the file to data/{FOLDERS[stated]}/, or mend the kind",
        )


RULE = Rule(
    name="kind-differs-from-folder",
    level=Level.ERROR,
    summary="A record lies in the folder of another kind.",
    why=(
        "The folder says which schema a record follows and what may refer to it: data/models/ holds models. "
        "A record of another kind in it is judged by the wrong schema, so the findings beside this one are "
        "mostly its consequences. Mend this one first."
    ),
    check=check,
)
