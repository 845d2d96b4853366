"""Which files a call means: the whole ledger, some of its files, or candidates from outside.

A candidate is checked as if it stood where its `kind` and its file name would put it, so that its references and
its id are judged against the whole ledger before it is placed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.errors import ToolsError
from tools.records.catalog import Catalog, Entry
from tools.records.read import read_file

_KIND = re.compile(rb"^kind:[ ]*[\"']?([a-z]+)", re.MULTILINE)
_SUFFIXES = (".yaml", ".yml")


@dataclass(frozen=True)
class Selection:
    """The catalog to check against, the files to check, and whether they are the whole ledger."""

    catalog: Catalog
    entries: Sequence[Entry]
    whole: bool


def select(root: Path, paths: Sequence[Path]) -> Selection:
    """The files that `paths` mean; none means the ledger at `root`. Raises `ToolsError` for a path not there."""
    catalog = Catalog(root)
    if not paths:
        return Selection(catalog, catalog.files(), whole=True)
    placed = {os.path.realpath(entry.path): entry for entry in catalog.files()}
    chosen: dict[Entry, None] = {}
    candidates: dict[Entry, None] = {}
    for path in paths:
        for file in _files(path):
            entry = placed.get(os.path.realpath(file)) if not file.is_symlink() else None
            if entry is not None:
                chosen[entry] = None
            else:
                candidates[Entry(file.stem, _kind(file), str(file))] = None
    whole = not candidates and len(chosen) == len(placed)
    if candidates:
        catalog = Catalog(root, candidates)
    return Selection(catalog, [*chosen, *candidates], whole)


def _files(path: Path) -> Iterator[Path]:
    if not path.is_symlink() and path.is_dir():
        found = sorted(_walk(path))
        if not found:
            raise ToolsError(f"no YAML file in {path}", "a record is a file that ends in .yaml")
        yield from found
    elif path.exists() or path.is_symlink():
        yield path
    else:
        raise ToolsError(
            f"no such file or folder: {path}", "check the spelling; paths are relative to this folder"
        )


def _walk(folder: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(parent, name) for name in names if name.endswith(_SUFFIXES))


def _kind(file: Path) -> str:
    """What a candidate says it is; empty when it does not say."""
    content = read_file(file)
    found = _KIND.search(content) if isinstance(content, bytes) else None
    return found[1].decode() if found else ""
