"""Which files a call means: the whole ledger, some of its files, or candidates from outside.

A candidate is checked as if it stood where its `kind` and its file name would put it, so that its references and
its id are judged against the whole ledger before it is placed. A file inside `data/` is never a candidate: it is
in its place, or it is misplaced.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.errors import ToolsError
from tools.records.catalog import Catalog, Entry, is_yaml
from tools.records.parse import parse
from tools.records.read import read_file


@dataclass(frozen=True)
class Selection:
    """The catalog to check against, the files to check, and whether they are the whole ledger.

    Of a part, the catalog's misplaced files are those that the call named.
    """

    catalog: Catalog
    entries: Sequence[Entry]
    whole: bool


def select(root: Path, paths: Sequence[Path]) -> Selection:
    """The files that `paths` mean; none means the ledger at `root`. Raises `ToolsError` for a path not there."""
    catalog = Catalog(root)
    files = catalog.files()
    if not paths or any(os.path.realpath(path) == os.path.realpath(root) for path in paths):
        return Selection(catalog, files, whole=True)
    placed = {_place(entry.path): entry for entry in files}
    strays = {_place(path): path for path in catalog.misplaced}
    data = os.path.realpath(catalog.data)
    chosen: dict[Entry, None] = {}
    candidates: dict[Entry, None] = {}
    named: list[str] = []
    for path in paths:
        found = False
        if path.is_dir() and not path.is_symlink():
            below = f"{os.path.realpath(path)}{os.sep}"
            chosen.update((entry, None) for place, entry in placed.items() if place.startswith(below))
            named += [stray for place, stray in strays.items() if place.startswith(below)]
            found = bool(chosen or named)
        for file in _files(path, data, found):
            place = _place(file)
            if place in placed:
                chosen[placed[place]] = None
            elif place in strays or place.startswith(f"{data}{os.sep}"):
                named.append(strays.get(place, str(file)))
            else:
                candidates[Entry(file.stem, _kind(file), str(file))] = None
    if not candidates and len(chosen) == len(placed):
        return Selection(catalog, files, whole=True)
    if candidates:
        catalog = Catalog(root, candidates)
    catalog.misplaced = sorted(set(named))
    return Selection(catalog, [*chosen, *candidates], whole=False)


def _place(path: Path | str) -> str:
    """Where a file lies, with links in the way to it resolved, but not a link that it is itself."""
    absolute = Path(path).absolute()
    return str(absolute.parent.resolve() / absolute.name)


def _files(path: Path, data: str, found: bool) -> Iterator[Path]:
    """The files that a path means, except those in `data`, which the catalog has listed."""
    if path.is_dir() and not path.is_symlink():
        walked = sorted(_walk(path, data))
        if not walked and not found:
            raise ToolsError(f"no YAML file in {path}", "a record is a file that ends in .yaml")
        yield from walked
    elif path.exists() or path.is_symlink():
        yield path
    else:
        raise ToolsError(
            f"no such file or folder: {path}", "check the spelling; paths are relative to this folder"
        )


def _walk(folder: Path, data: str) -> Iterator[Path]:
    if f"{os.path.realpath(folder)}{os.sep}".startswith(f"{data}{os.sep}"):
        return
    for parent, folders, names in os.walk(folder, onerror=_refuse):
        folders[:] = [
            name
            for name in folders
            if not name.startswith(".") and os.path.realpath(Path(parent, name)) != data
        ]
        yield from (Path(parent, name) for name in names if is_yaml(name))


def _refuse(error: OSError) -> None:
    raise ToolsError(f"the folder {error.filename} cannot be read: {error.strerror}", "check its permissions")


def _kind(file: Path) -> str:
    """What a candidate says it is; empty when it does not say."""
    content = read_file(file)
    value = parse(content).value if isinstance(content, bytes) else None
    kind = value.get("kind") if isinstance(value, dict) else None
    return kind if isinstance(kind, str) else ""
