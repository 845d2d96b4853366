"""A record under another id: its file gets another name, and the entry says which it had.

The new text takes the place of the old one before the file is renamed, so that there is one record at any instant.
A call that was cut off in between leaves a file whose name is not its id; the same call again renames it.
"""

from __future__ import annotations

import os
from pathlib import Path

from tools.audit.amend import amend
from tools.audit.amendment import Amendment, Signature, Step, Verb
from tools.audit.bearings import listed, referring
from tools.audit.write import Judge, Written, read_document
from tools.errors import ToolsError
from tools.records.catalog import SUFFIX, Catalog, Entry
from tools.records.edit import remove_leftovers, replace_file
from tools.records.lock import only_writer
from tools.records.tree import Scalar
from tools.schema.load import key_order


def destination(catalog: Catalog, record_id: str, new_id: str) -> Entry:
    """Where a record would stand under another id.

    Raises `ToolsError` where there is no such record, where the id is taken, and where others refer to the record.
    """
    entry = catalog.require(record_id)
    if not new_id or not new_id.isprintable() or Path(new_id).name != new_id:
        raise ToolsError(f"`{new_id}` is no id", "small letters and digits, words joined by - or .")
    place = Path(entry.path).with_name(f"{new_id}{SUFFIX}")
    taken = catalog.find(new_id)
    if taken is not None or os.path.lexists(place):
        raise ToolsError(f"there is a record `{new_id}` already", "an id is never used again; choose another")
    cited_by = referring(catalog, record_id)
    if cited_by:
        raise ToolsError(
            f"`{record_id}` is named by {listed(cited_by)}",
            "records that others rest on keep their id; `tools supersede` puts a new record in the place of one",
        )
    return Entry(new_id, entry.kind, str(place))


def move(
    catalog: Catalog, entry: Entry, target: Entry, signed: Signature, judge: Judge, *, dry_run: bool = False
) -> Written:
    """Gives a record the id and the place of `target`; with `dry_run` only says what would become of it.

    Raises `ToolsError` where the file cannot be read, written or renamed.
    """
    path, place = Path(entry.path), Path(target.path)
    with only_writer(catalog.data):
        document = read_document(entry)
        record = document.value
        if isinstance(record, dict) and record.get("id") == target.id:
            written = Written(target, document.text, document.text, (), ())
        else:
            step = Step(Verb.PUT, "/id", Scalar(target.id))
            amended = amend(document, Amendment("moved", signed, (step,)), key_order(entry.kind))
            findings = tuple(judge(target, amended.text.encode("utf-8")))
            written = Written(target, document.text, amended.text, amended.changes, findings)
        if not (dry_run or written.is_refused):
            remove_leftovers(path)
            if written.changes:
                replace_file(path, written.after)
            _rename(path, place)
    return written


def _rename(path: Path, place: Path) -> None:
    if os.path.lexists(place):
        raise ToolsError(f"{place} is there already", "somebody made it meanwhile; choose another id")
    try:
        path.rename(place)
    except OSError as error:
        raise ToolsError(f"cannot rename {path}: {error.strerror}", "call again when it can be") from error
