"""A new record on its way into the ledger: where it goes, what is wrong with it, and its file.

It stands in the checks room because it is judged before it is written: a text that does not fit the schema is
not written at all; other findings are told, and the file is there to be mended in an editor. Its first line
tells the YAML language server which schema it follows, so that metrics, units and ids are completed there.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from tools.checks.inspect import SCHEMA_RULE
from tools.checks.proposal import judging
from tools.errors import ToolsError
from tools.finding import Finding, Level
from tools.records.catalog import FOLDERS, SUFFIX, Catalog, Entry
from tools.records.create import create_file, refuse_existing
from tools.records.lock import only_writer
from tools.schema.editor_copy import editor_path


@dataclass(frozen=True, slots=True)
class Filed:
    """What became of a new record: its text and what there is to say of it."""

    entry: Entry
    text: str
    findings: tuple[Finding, ...]

    @property
    def is_refused(self) -> bool:
        """Whether it does not fit the schema, and was not written."""
        return any(finding.rule == SCHEMA_RULE for finding in self.findings)

    @property
    def has_errors(self) -> bool:
        """Whether there is something to mend."""
        return any(finding.level is Level.ERROR for finding in self.findings)


def place_for(catalog: Catalog, kind: str, record_id: str, out: Path | None) -> Entry:
    """Where a new record goes: `out`, or the folder of its kind.

    Raises `ToolsError` for an id that is taken, a name that is no id, and a file that is there or has another name.
    """
    if not record_id.isprintable() or Path(record_id).name != record_id:
        raise ToolsError(f"`{record_id}` is no id", "small letters and digits, words joined by - or .")
    taken = catalog.find(record_id)
    if taken is not None:
        raise ToolsError(
            f"there is a record `{record_id}` already, of kind {taken.kind}",
            "an id is never used again; choose another, or change that record with `tools correct`",
        )
    path = catalog.data / FOLDERS[kind] / f"{record_id}{SUFFIX}" if out is None else out.absolute()
    if path.name != f"{record_id}{SUFFIX}":
        raise ToolsError(
            f"the file of `{record_id}` is named {record_id}{SUFFIX}, not {path.name}",
            "a file has the name of its record",
        )
    refuse_existing(path)
    return Entry(record_id, kind, str(path))


def modeline(root: Path, entry: Entry) -> str:
    """The line that gives a file its schema in editors that speak with the YAML language server."""
    schema = os.path.relpath(root / editor_path(entry.kind), Path(entry.path).parent)
    return f"# yaml-language-server: $schema={Path(schema).as_posix()}\n"


def file(catalog: Catalog, entry: Entry, text: str, today: date, *, dry_run: bool = False) -> Filed:
    """Judges a new record and, if it fits the schema, writes it; with `dry_run` only says what would become of it.

    Raises `ToolsError` where the file cannot be written, or is there already.
    """
    whole = modeline(catalog.root, entry) + text
    judge = judging(Catalog(catalog.root, [entry]), today)
    filed = Filed(entry, whole, tuple(judge(entry, whole.encode("utf-8"))))
    if not (dry_run or filed.is_refused):
        path = Path(entry.path)
        with only_writer(catalog.data):
            if path.parent == catalog.data / FOLDERS[entry.kind]:
                # git keeps no empty folder, so that of the first record of a kind may be missing.
                path.parent.mkdir(exist_ok=True)
            create_file(path, whole)
    return filed
