"""All records of a ledger: where each one is, what kind it is, and what refers to what.

The folder names the kind and the file name is the id, so listing `data/` is enough to know which ids exist; a
record is read and parsed only when somebody asks for its content. Whether a file's content agrees with its name
is a rule's business, not the catalog's.
"""

from __future__ import annotations

import csv
import hashlib
import io
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from tools.errors import ToolsError
from tools.records.parse import Json, parse
from tools.records.read import read_file

FOLDERS: Mapping[str, str] = {
    "benchmark": "benchmarks",
    "accelerator": "accelerators",
    "model": "models",
    "engine": "engines",
    "source": "sources",
}
_KIND_OF_FOLDER = {folder: kind for kind, folder in FOLDERS.items()}
SUFFIX = ".yaml"
IMPORTS = "imports"
"""Folder of the maps by which tables are imported; it holds no records."""


class Entry(NamedTuple):
    """One file of the ledger: its id (the file name), its kind (the folder) and its path."""

    id: str
    kind: str
    path: str


class Reference(NamedTuple):
    """One record naming another: the place in the citing record, the kind it expects and the id it names."""

    pointer: str
    kind: str
    id: str


@dataclass(frozen=True)
class Links:
    """Who cites whom, both ways: ids cited by each record, and ids of the records that cite each one."""

    cites: Mapping[str, frozenset[str]]
    cited_by: Mapping[str, frozenset[str]]


class Catalog:
    """The records below `root/data`, with `candidates` laid over them as if they were already in their place.

    A candidate is a file outside `data/`; it stands for the record it would become, so that a reviewer can check
    it before it is placed. Raises `ToolsError` when there is no ledger at `root`.
    """

    def __init__(self, root: Path, candidates: Iterable[Entry] = ()) -> None:
        self.root = root
        self.data = root / "data"
        if not self.data.is_dir():
            raise ToolsError(
                f"no ledger at {root}: it has no data/ folder",
                "run inside a ledger, or name one with --root DIR",
            )
        self.entries: dict[str, Entry] = {}
        self.clashes: dict[str, list[Entry]] = {}
        self.misplaced: list[str] = []
        self._values: dict[str, dict[str, Json] | None] = {}
        self._nearest: dict[tuple[str, str | None, int], list[str]] = {}
        for entry in self._listed():
            if entry.id in self.entries:
                self.clashes.setdefault(entry.id, [self.entries[entry.id]]).append(entry)
            else:
                self.entries[entry.id] = entry
        given: set[str] = set()
        for entry in candidates:
            standing = self.entries.get(entry.id)
            if standing is None or (standing.kind == entry.kind and entry.id not in given):
                self.entries[entry.id] = entry
            else:
                self.clashes.setdefault(entry.id, [standing]).append(entry)
            given.add(entry.id)

    def _listed(self) -> Iterator[Entry]:
        """The record files; a folder of records that cannot be listed stands for what it hides."""
        for name, path, is_folder in _scan(self.data):
            kind = _KIND_OF_FOLDER.get(name)
            if name == IMPORTS and is_folder:
                continue
            if kind is None:
                self.misplaced.extend(_never_read(name, path, is_folder))
                continue
            try:
                files = _scan(path) if is_folder else None
            except OSError:
                files = None
            if files is None:
                yield Entry(name, kind, path)
                continue
            for file, file_path, nested in files:
                if nested or not file.endswith(SUFFIX) or file.startswith("."):
                    self.misplaced.append(file_path)
                else:
                    yield Entry(file[: -len(SUFFIX)], kind, file_path)

    def files(self) -> list[Entry]:
        """Every record file, by path; an id that is there twice is listed twice."""
        listed = dict.fromkeys(self.entries.values())
        for entries in self.clashes.values():
            listed.update(dict.fromkeys(entries))
        return sorted(listed, key=lambda entry: entry.path)

    def find(self, record_id: str) -> Entry | None:
        """The entry of an id, or None."""
        return self.entries.get(record_id)

    def require(self, record_id: str) -> Entry:
        """The entry of an id; raises `ToolsError` with the nearest ids when there is none."""
        entry = self.find(record_id)
        if entry is None:
            near = self.nearest(record_id)
            raise ToolsError(
                f"no record `{record_id}` in this ledger",
                f"did you mean {' or '.join(f'`{name}`' for name in near)}?"
                if near
                else "see data/ for the ids",
            )
        return entry

    def record(self, record_id: str) -> dict[str, Json] | None:
        """The content of a record, or None when it is missing or cannot be read as a mapping."""
        if record_id not in self._values:
            entry = self.find(record_id)
            content = read_file(entry.path) if entry else None
            value = parse(content).value if isinstance(content, bytes) else None
            self._values[record_id] = value if isinstance(value, dict) else None
        return self._values[record_id]

    def nearest(self, name: str, kind: str | None = None, limit: int = 2) -> list[str]:
        """Ids that `name` may have meant, best first: an alias of it, else the closest spellings."""
        known = self.aliases.get((kind, name.casefold())) if kind else None
        if known:
            return [known]
        asked = (name, kind, limit)
        if asked not in self._nearest:
            from rapidfuzz import process

            ids = [entry.id for entry in self.entries.values() if kind in (None, entry.kind)]
            matches = process.extract(name, ids, limit=limit, score_cutoff=75)
            self._nearest[asked] = [match for match, _, _ in matches]
        return self._nearest[asked]

    @cached_property
    def aliases(self) -> Mapping[tuple[str, str], str]:
        """(kind, spelling in small letters) to id, from data/aliases.csv; ambiguous spellings are left out."""
        meant: dict[tuple[str, str], set[str]] = {}
        for row in csv.DictReader(io.StringIO(self._alias_text, newline="")):
            kind, alias, record_id = (row.get(column) for column in ("kind", "alias", "id"))
            if kind and alias and record_id:
                meant.setdefault((kind, alias.casefold()), set()).add(record_id)
        return {spelling: next(iter(ids)) for spelling, ids in meant.items() if len(ids) == 1}

    @cached_property
    def _alias_text(self) -> str:
        content = read_file(self.data / "aliases.csv")
        return content.decode("utf-8", "replace") if isinstance(content, bytes) else ""

    def digest(self) -> str:
        """A digest of which ids and aliases exist, of which kind; changes with every answer of `nearest`."""
        return self._digest

    @cached_property
    def _digest(self) -> str:
        names = sorted(f"{entry.kind}/{entry.id}" for entry in self.files())
        text = "\n".join([*names, self._alias_text])
        return hashlib.blake2b(text.encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()

    def links(self, references: Callable[[str, Json], Iterator[Reference]]) -> Links:
        """References of all records, both ways; `references` finds those of one record of a kind."""
        cites: dict[str, frozenset[str]] = {}
        cited_by: dict[str, set[str]] = {}
        for entry in self.files():
            targets = frozenset(reference.id for reference in references(entry.kind, self.record(entry.id)))
            cites[entry.id] = targets
            for target in targets:
                cited_by.setdefault(target, set()).add(entry.id)
        return Links(cites, {target: frozenset(ids) for target, ids in cited_by.items()})


def find_root(start: Path) -> Path:
    """The nearest folder at or above `start` that holds a ledger (data/ with a record folder in it)."""
    for folder in (start, *start.parents):
        if any((folder / "data" / name).is_dir() for name in FOLDERS.values()):
            return folder
    raise ToolsError(f"no ledger at or above {start}", "run inside a ledger, or name one with --root DIR")


def _never_read(name: str, path: str, is_folder: bool) -> Iterator[str]:
    """Files that look like records, or may hide some, outside the folders of records."""
    if is_folder:
        try:
            inner = _scan(path)
        except OSError:
            yield path
            return
        for below in inner:
            yield from _never_read(*below)
    elif is_yaml(name) or Path(path).is_symlink():
        yield path


def is_yaml(name: str) -> bool:
    """Whether a file name says that it is YAML, in any spelling."""
    return name.lower().endswith((SUFFIX, ".yml"))


def _scan(folder: Path | str) -> list[tuple[str, str, bool]]:
    """(name, path, is it a folder) of what a folder holds, by name; hidden names that are no YAML aside."""
    with os.scandir(folder) as entries:
        return sorted(
            (entry.name, entry.path, entry.is_dir(follow_symlinks=False))
            for entry in entries
            if not entry.name.startswith(".") or is_yaml(entry.name)
        )
