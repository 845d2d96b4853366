"""One change and one entry, written together: into the file of a record, or not at all.

A writer waits for the others, reads the record as it stands then, carries out the amendment, has the result judged,
and only then replaces the file. What judges is the caller's: schema and rules live above this room.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from tools.audit.actions import Plan
from tools.audit.amend import amend
from tools.audit.entry import Change
from tools.errors import ToolsError
from tools.finding import Finding, Level
from tools.records.catalog import Entry
from tools.records.edit import remove_leftovers, replace_file
from tools.records.lock import only_writer
from tools.records.parse import Document, parse
from tools.records.read import read_file
from tools.schema.load import key_order

Judge: TypeAlias = Callable[[Entry, bytes], Sequence[Finding]]
"""(where a record stands, its bytes to be) to what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Written:
    """What became of an amendment: the text before and after, the changes, and what there is to say of the result.

    With a finding that is an error the file is as it was.
    """

    entry: Entry
    before: str
    after: str
    changes: tuple[Change, ...]
    findings: tuple[Finding, ...]

    @property
    def is_refused(self) -> bool:
        """Whether the result may not stand."""
        return any(finding.level is Level.ERROR for finding in self.findings)

    def diff(self, before: str, after: str) -> str:
        """What changes, in the form that `patch` and `git apply` take; given are the paths of the file."""
        return "".join(
            line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
            for line in difflib.unified_diff(
                self.before.splitlines(keepends=True),
                self.after.splitlines(keepends=True),
                f"a/{before}",
                f"b/{after}",
            )
        )


def write(root: Path, entry: Entry, plan: Plan, judge: Judge, *, dry_run: bool = False) -> Written:
    """Amends the record of an entry of the catalog; with `dry_run` only says what would become of it.

    Raises `ToolsError` where the plan does not fit the record, or the file cannot be read or written; it is then as
    it was.
    """
    with only_writer(root / "data"):
        document = read_document(entry)
        record = document.value if isinstance(document.value, dict) else {}
        amended = amend(document, plan(record), key_order(entry.kind))
        findings = tuple(judge(entry, amended.text.encode("utf-8")))
        written = Written(entry, document.text, amended.text, amended.changes, findings)
        if not (dry_run or written.is_refused):
            path = Path(entry.path)
            remove_leftovers(path)
            replace_file(path, amended.text)
    return written


def read_document(entry: Entry) -> Document:
    """The text of a record; raises `ToolsError` where the file holds none."""
    content = read_file(entry.path)
    if not isinstance(content, bytes):
        raise ToolsError(f"{entry.path}: {content.message}", content.hint)
    document = parse(content)
    if document.problems or not isinstance(document.value, dict):
        raise ToolsError(
            f"the file of `{entry.id}` cannot be read as a record", f"`tools validate {entry.path}` says why"
        )
    return document
