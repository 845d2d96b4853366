"""A reference to a record that is not there."""

from __future__ import annotations

from collections.abc import Iterator

from tools.audit.entry import read_entries
from tools.audit.versions import MOVED
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.variants import meant_by
from tools.finding import Level
from tools.records.catalog import FOLDERS
from tools.schema.references import ANY

_ARTICLE = {"accelerator": "an", "engine": "an"}


def check(record: Record, ledger: Ledger) -> Iterator[Fault]:
    former: set[str] | None = None
    for pointer, expected, name in ledger.references(record):
        found = ledger.kinds(name)
        if expected in found or (found and expected == ANY):
            continue
        if pointer.startswith("/audit/"):
            former = _former_ids(record) if former is None else former
            if name in former:
                continue
        if not found and expected == "accelerator" and meant_by(name, ledger):
            continue  # A family of cards, told by accelerator-variant-ambiguous with its members.
        if found:
            message = f"`{name}` is {_a(found[0])}, but this place names {_a(expected)}"
        else:
            message = f"there is no {'record' if expected == ANY else expected} `{name}`"
        yield Fault(pointer, message, _hint(name, expected, ledger))


def _former_ids(record: Record) -> set[str]:
    """Ids that the record itself had: its log names it as it was called then, and is never edited."""
    return {
        change.from_value
        for entry in read_entries(record.value)
        for change in entry.changes
        if entry.action == MOVED and change.path == "/id" and isinstance(change.from_value, str)
    }


def _a(kind: str) -> str:
    return f"{_ARTICLE.get(kind, 'a')} {kind}"


def _hint(name: str, expected: str, ledger: Ledger) -> str:
    near = ledger.nearest(name, None if expected == ANY else expected)
    if near:
        return f"did you mean {' or '.join(f'`{match}`' for match in near)}?"
    return (
        f"see data/{FOLDERS[expected]}/ for the ids, or file it first"
        if expected in FOLDERS
        else "see data/ for the ids"
    )


RULE = Rule(
    name="unresolved-reference",
    level=Level.ERROR,
    summary="A record refers to one that does not exist, or is of another kind.",
    why=(
        "Physical limits come from the accelerator and model records that a run names, and every number "
        "traces to a source record. A name that leads nowhere cuts these lines without anybody noticing. The "
        "hint names the nearest id, or the id that this spelling is an alias of; a record that is really "
        "missing is filed in the same pull request."
    ),
    check=check,
)
