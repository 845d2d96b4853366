"""The records that differ between two states of a ledger, each as it was and as it is.

One state is a commit; the other is the folder as it lies on the disk, or a second commit. Git says which files
differ, and only those are read. A record that got another id or kind is one pair when the new file says so with a
`moved` entry; else it is one record that is gone and one that is new.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Final

from tools.audit.difference import identity
from tools.audit.entry import read_entries
from tools.records.catalog import FOLDERS, SUFFIX
from tools.records.parse import Document, Json, parse
from tools.records.read import read_file
from tools.records.revision import FOLDER, Blob, Repository

MOVED: Final = "moved"
"""The action that gives a record another id or kind."""

_NAMES: Final = ("id", "kind", "title")
_KINDS: Final = {folder: kind for kind, folder in FOLDERS.items()}


@dataclass(frozen=True)
class Version:
    """A record in one state: its path in the ledger, and the bytes it holds (None where they cannot be read)."""

    file: str
    content: bytes | None

    @property
    def id(self) -> str:
        """The id, as the file name has it."""
        return PurePosixPath(self.file).name.removesuffix(SUFFIX)

    @property
    def kind(self) -> str:
        """The kind, as the folder has it."""
        return _KINDS[PurePosixPath(self.file).parent.name]

    @cached_property
    def document(self) -> Document | None:
        """The text with its places, or None where there are no bytes."""
        return None if self.content is None else parse(self.content)

    @property
    def value(self) -> dict[str, Json] | None:
        """The record, or None where the file cannot be read as one."""
        value = self.document.value if self.document is not None else None
        return value if isinstance(value, dict) else None


@dataclass(frozen=True, slots=True)
class Pair:
    """A record in both states; None where it is not there. `follows` is the file that seems to carry on a lost
    one, though no entry says so."""

    before: Version | None
    after: Version | None
    follows: str = ""

    @property
    def file(self) -> str:
        """Where the record lies now, or lay."""
        version = self.after or self.before
        return version.file if version is not None else ""


@dataclass(frozen=True, slots=True)
class Changes:
    """What differs: the earlier commit, and the pairs by file."""

    commit: str
    pairs: tuple[Pair, ...]


def is_record(path: str) -> bool:
    """Whether a path in the ledger is that of a record."""
    parts = PurePosixPath(path).parts
    return (
        len(parts) == 3
        and parts[0] == FOLDER
        and parts[1] in _KINDS
        and parts[2].endswith(SUFFIX)
        and not parts[2].startswith(".")
    )


def since(root: Path, ref: str, candidates: Mapping[str, Path] | None = None) -> Changes:
    """What differs between the folder as it lies there and the commit where its history left that of `ref`.

    `candidates` are files from elsewhere, by the path at which each would stand. Raises `ToolsError` when git
    does not know the commits.
    """
    repository = Repository(root)
    commit = repository.base(ref)
    placed = candidates or {}
    files = repository.files(commit)
    paths = sorted(path for path in {*repository.changed(commit), *placed} if is_record(path))
    earlier = _read(repository, files, paths)
    now = {path: _on_disk(path, placed.get(path, root / path)) for path in paths}
    return Changes(commit, _pairs(paths, earlier, now))


def between(root: Path, ref: str, head: str) -> Changes:
    """What differs between the commit `head` and the one where its history left that of `ref`."""
    repository = Repository(root)
    commit = repository.base(ref, head)
    before, after = repository.files(commit), repository.files(repository.commit(head))
    paths = sorted(
        path
        for path in before.keys() | after.keys()
        if is_record(path) and before.get(path) != after.get(path)
    )
    return Changes(commit, _pairs(paths, _read(repository, before, paths), _read(repository, after, paths)))


def _read(
    repository: Repository, files: Mapping[str, Blob], paths: Iterable[str]
) -> dict[str, Version | None]:
    wanted = {path: files[path] for path in paths if path in files}
    contents = repository.contents(blob for blob in wanted.values() if blob.is_ordinary)
    return {path: Version(path, contents.get(blob.oid)) for path, blob in wanted.items()}


def _on_disk(path: str, place: Path) -> Version | None:
    if not place.is_symlink() and not place.exists():
        return None
    content = read_file(place)
    return Version(path, content if isinstance(content, bytes) else None)


def _pairs(
    paths: Iterable[str], earlier: Mapping[str, Version | None], now: Mapping[str, Version | None]
) -> tuple[Pair, ...]:
    kept: list[Pair] = []
    lost: list[Version] = []
    new: dict[str, Version] = {}
    for path in paths:
        before, after = earlier.get(path), now.get(path)
        if before is None and after is not None:
            new[path] = after
        elif before is not None and after is None:
            lost.append(before)
        elif before is not None and after is not None and before.content != after.content:
            kept.append(Pair(before, after))
    for pair in _joined(lost, new) if lost else ():
        kept.append(pair)
        if pair.after is not None:
            new.pop(pair.after.file, None)
    kept += (Pair(None, version) for version in new.values())
    return tuple(sorted(kept, key=lambda pair: pair.file))


def _joined(lost: Iterable[Version], new: Mapping[str, Version]) -> Iterator[Pair]:
    """Each lost record with the new file that says to be it; else the file that looks like it is named."""
    heirs = {place: version for version in new.values() for place in _origins(version)}
    likes = {likeness: file for file, version in new.items() for likeness in _likenesses(version)}
    for version in lost:
        heir = heirs.get(("/id", version.id)) or heirs.get((f"{version.id}/kind", version.kind))
        follows = next(filter(None, map(likes.get, _likenesses(version))), "")
        yield Pair(version, heir) if heir is not None else Pair(version, None, follows)


def _origins(version: Version) -> Iterator[tuple[str, str]]:
    """What the `moved` entries of a record name as what it was: another id, or the same id with another kind."""
    for entry in read_entries(version.value):
        for change in entry.changes if entry.action == MOVED else ():
            if isinstance(change.from_value, str) and change.path in ("/id", "/kind"):
                place = change.path if change.path == "/id" else f"{version.id}/kind"
                yield place, change.from_value


def _likenesses(version: Version) -> Iterator[str]:
    """What a file keeps when it is only given another name, or put into another folder."""
    yield version.id
    if version.value is not None:
        yield identity({key: value for key, value in version.value.items() if key not in _NAMES})
