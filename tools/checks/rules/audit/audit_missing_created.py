"""A log that does not begin with the filing of the record, or that files it again."""

from __future__ import annotations

from collections.abc import Iterator

from tools.audit.entry import CREATED
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.finding import Level


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    entries = list(record.mappings("/audit"))
    filings = [pointer for pointer, entry in entries if entry.get("action") == CREATED]
    if entries and not filings:
        yield Fault(
            entries[0][0],
            "the log does not begin with a `created` entry",
            "add it above this one; it may lack day and author where nobody knows them",
        )
    for pointer in filings:
        if pointer != entries[0][0]:
            told = "a second time" if filings[0] == entries[0][0] else "after other steps"
            yield Fault(
                f"{pointer}/action",
                f"here the record is filed {told}",
                "a record is filed once, as its first step; say with another action what this one did",
            )


RULE = Rule(
    name="audit-missing-created",
    level=Level.ERROR,
    summary="The audit log does not begin with one `created` entry.",
    why=(
        "Everything that replay gives rests on the state in which the record was filed. The `created` entry "
        "names it: when, by whom and from what. It is the first entry and the only one of its kind. For a "
        "record older than its log, day and author may be left out, and `reason` says what is known."
    ),
    check=check,
)
