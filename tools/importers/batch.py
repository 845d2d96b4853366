"""Many drafts at once: judged, told apart from what the ledger has, and written together or not at all.

A draft becomes a record when it fits the schema and its id is free. An id that is taken by a record with the same
content, or the same content under another id, is a duplicate and is left alone; an id whose record says something
else is refused, because a standing record is corrected and not overwritten. All files are written beside their
place first and get their names at the end, so that a full disk or a kill leaves no half of a batch, and no half of
a file, under a record's name.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from tools.audit.amendment import Signature
from tools.errors import ToolsError
from tools.importers.draft import Draft
from tools.importers.pages import document_of
from tools.importers.tree import plain
from tools.records.catalog import FOLDERS, SUFFIX, Catalog
from tools.records.garbage import uncollected
from tools.records.lock import only_writer
from tools.records.parse import Document, Json, parse
from tools.records.read import read_file
from tools.schema.validate import faults

KIND = "benchmark"
_SOURCE = re.compile(rb"""source_id["']?\s*:\s*["']?([a-z0-9][a-z0-9.-]*)""")
_NOT_COMPARED = ("id", "title", "audit", "notes", "status", "schema_version")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something that became no record: what it is called, and why."""

    place: str
    reason: str


@dataclass
class Batch:
    """The drafts of one call. `texts` are the records by id, in the order they came."""

    catalog: Catalog
    folder: Path
    signed: Signature
    texts: dict[str, str] = field(default_factory=dict)
    refusals: list[Refusal] = field(default_factory=list)
    duplicates: list[str] = field(default_factory=list)
    remarks: Counter[str] = field(default_factory=Counter)
    _contents: dict[str, str] = field(default_factory=dict)
    _said: dict[str, str] = field(default_factory=dict)
    """By id of a record that was added: its content, as `_contents` has it."""
    _places: dict[str, str] = field(default_factory=dict)
    _looked_up: set[str] = field(default_factory=set)

    @cached_property
    def _naming(self) -> dict[str, list[str]]:
        """Ids of the benchmarks in whose text a source is named, by source: a duplicate cites what the draft cites,
        and to look for a name costs a small part of reading a record."""
        found: dict[str, list[str]] = {}
        for entry in self.catalog.files():
            text = read_file(entry.path) if entry.kind == KIND else b""
            for source in (
                {match[1].decode() for match in _SOURCE.finditer(text)} if isinstance(text, bytes) else ()
            ):
                found.setdefault(source, []).append(entry.id)
        return found

    def _look_up(self, source: str) -> None:
        """Reads the benchmarks that name a source, once."""
        if source in self._looked_up:
            return
        self._looked_up.add(source)
        for record_id in self._naming.get(source, ()):
            if (record := self.catalog.record(record_id)) is not None:
                self._contents.setdefault(_content(record), record_id)

    def refuse(self, place: str, reason: str) -> None:
        """Counts something that is no record."""
        self.refusals.append(Refusal(place, reason))

    def add(self, draft: Draft, record_id: str) -> Document | None:
        """Takes a draft that is complete, and gives its record; None where it is refused or stands already."""
        self.remarks.update(draft.remarks)
        if draft.refusals or not draft.results:
            self.refuse(draft.place, draft.refusals[0] if draft.refusals else "it has no number")
            return None
        record = draft.record(record_id, self.signed)
        value = plain(record)
        wrong = faults(KIND, value)
        if wrong:
            first = wrong[0]
            self.refuse(
                draft.place, f"it would not fit the schema: {first.pointer or 'the record'} {first.message}"
            )
        elif (other := self._places.get(record_id)) is not None:
            self.refuse(draft.place, f"`{record_id}` is the id of {other} already: name more of it in the id")
        elif isinstance(value, dict) and not self._is_known(draft, record_id, value):
            try:
                document = document_of(record, value)
            except ToolsError as error:
                self._forget(record_id)
                self.refuse(draft.place, error.message)
                return None
            self._places[record_id] = draft.place
            self.texts[record_id] = document.text
            return document
        return None

    def withdraw(self, record_id: str, reason: str) -> None:
        """Takes back a record that was added, and counts it as refused."""
        del self.texts[record_id]
        self.refuse(self._places.pop(record_id), reason)
        self._forget(record_id)

    def _forget(self, record_id: str) -> None:
        self._contents.pop(self._said.pop(record_id, ""), None)

    def _is_known(self, draft: Draft, record_id: str, value: dict[str, Json]) -> bool:
        self._look_up(draft.citations[0].source_id)
        content = _content(value)
        same = self._contents.get(content)
        if same is not None:
            self.duplicates.append(same)
            return True
        target = self.folder / f"{record_id}{SUFFIX}"
        if target.exists() and _content_of(target) == content:
            self.duplicates.append(record_id)
            return True
        if self.catalog.find(record_id) is not None or target.exists():
            self.refuse(
                draft.place,
                f"`{record_id}` stands already and says something else: `tools correct` changes it",
            )
            return True
        self._contents[content] = record_id
        self._said[record_id] = content
        return False

    def write(self, advance: Callable[[int], None] = lambda _: None) -> int:
        """Writes all records, or none; gives their number. Raises `ToolsError` where a file cannot be written."""
        if not self.texts:
            return 0
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with self._held(), _staging(self.folder) as staging, uncollected():
                for record_id, text in self.texts.items():
                    (staging / record_id).write_text(text, encoding="utf-8", newline="\n")
                    advance(1)
                os.sync()
                self._give_names(staging)
        except OSError as error:
            raise ToolsError(
                f"cannot write to {self.folder}: {error.strerror or error}", "nothing was written"
            ) from error
        return len(self.texts)

    def _held(self) -> AbstractContextManager[None]:
        is_ledger = self.folder.resolve() == (self.catalog.data / FOLDERS[KIND]).resolve()
        return only_writer(self.catalog.data) if is_ledger else nullcontext()

    def _give_names(self, staging: Path) -> None:
        names = {staging / record_id: self.folder / f"{record_id}{SUFFIX}" for record_id in self.texts}
        try:
            for staged, target in names.items():
                # A link refuses a name that somebody took meanwhile; a renaming would write over it.
                os.link(staged, target)
        except BaseException:
            # An interruption comes at any moment, also between a link and a note of it: the files tell.
            for staged, target in names.items():
                if target.exists() and target.samefile(staged):
                    target.unlink()
            raise


@contextmanager
def _staging(folder: Path) -> Iterator[Path]:
    staging = Path(tempfile.mkdtemp(prefix=".import-", dir=folder))
    try:
        yield staging
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _content_of(path: Path) -> str | None:
    """What a record file says; None for anything else."""
    text = read_file(path)
    value = parse(text).value if isinstance(text, bytes) else None
    return _content(value) if isinstance(value, dict) else None


def _content(record: dict[str, Json]) -> str:
    """What a record says, without its name, its log and the digests of files: one that was added to is another."""
    said = {key: value for key, value in record.items() if key not in _NOT_COMPARED}
    sources = said.get("sources")
    if isinstance(sources, list):
        said["sources"] = [
            {key: value for key, value in source.items() if key != "artifact_sha256"}
            if isinstance(source, dict)
            else source
            for source in sources
        ]
    return json.dumps(said, sort_keys=True, ensure_ascii=False)
