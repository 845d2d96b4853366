"""The canonical form of many files at once: which of them have it, and what the others would be.

Files are read and laid out in forked workers; writing is left to the caller, who holds off other writers and asks
again for a file that has changed meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tools.checks.workers import Workers
from tools.records.catalog import FOLDERS, Entry
from tools.records.garbage import uncollected
from tools.records.read import read_file
from tools.schema.canonical import canonical


@dataclass(frozen=True, slots=True)
class Form:
    """A file, and its canonical text where it has another one.

    `before` are the bytes that `text` would take the place of. A file that `has_none` cannot be read as a record.
    """

    entry: Entry
    has_none: bool = False
    before: bytes = b""
    text: str | None = None


def form_of(entry: Entry) -> Form:
    """The form of one file as it lies there; raises `InternalError` if it would lose something."""
    content = read_file(entry.path)
    if entry.kind not in FOLDERS or not isinstance(content, bytes):
        return Form(entry, has_none=True)
    found = canonical(entry.kind, content)
    if found.problems:
        return Form(entry, has_none=True)
    return Form(entry) if found.text.encode() == content else Form(entry, False, content, found.text)


def forms_of(entries: Iterable[Entry], jobs: int = 0) -> Iterator[Form]:
    """The forms of files, in their order, with so many processes (0 for one per core)."""
    with uncollected(), Workers(form_of, jobs) as workers:
        for entry in entries:
            yield from workers.give(entry)
        yield from workers.finish()
