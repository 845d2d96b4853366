"""Whether a ledger has changed since its warehouse was built, told from times of change alone.

Reading and hashing all files, as a build does, would take longer than most questions; asking for a time takes some
microseconds. So this is a hint and no proof: a file that was written again with the same content counts as changed.
What is gone or came back shows in the time of its folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from tools.records.catalog import FOLDERS
from tools.warehouse import twins
from tools.warehouse.simulations import FOLDER as SWEEPS

ALIASES = Path("data") / "aliases.csv"
"""Other spellings of ids, which findings propose."""


def date_back(warehouse: Path, begun: float) -> None:
    """Gives a warehouse the time at which its build began, in seconds since the epoch: later changes are newer."""
    with suppress(OSError):
        os.utime(warehouse, (begun, begun))


def newer_than(warehouse: Path, root: Path) -> str | None:
    """Something of the ledger at `root` that changed after the warehouse was built, from the root; None for nothing.

    None also where there is no warehouse.
    """
    try:
        built = warehouse.stat().st_mtime_ns
    except OSError:
        return None
    with suppress(OSError):
        if (root / ALIASES).stat().st_mtime_ns > built:
            return str(ALIASES)
    for folder, deep in _folders(root):
        found = _changed(folder, built, deep=deep)
        if found is not None:
            return os.path.relpath(found, root)
    return None


def _folders(root: Path) -> Iterator[tuple[str, bool]]:
    """The folders that a build reads, and whether it reads those in them too."""
    yield from ((str(root / "data" / name), True) for name in FOLDERS.values())
    yield str(root / twins.FILE.parent), False
    sweeps = root / SWEEPS
    yield str(sweeps), False
    yield from ((str(folder), False) for folder in sorted(sweeps.glob("*/")))


def _changed(folder: str, since: int, *, deep: bool) -> str | None:
    """The folder, or something in it that is not hidden, if it changed after a time in ns."""
    try:
        if Path(folder).stat().st_mtime_ns > since:
            return folder
        with os.scandir(folder) as found:
            inner = []
            for entry in found:
                if entry.name.startswith("."):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    inner.append(entry.path)
                elif entry.stat().st_mtime_ns > since:
                    return entry.path
    except OSError:
        # Gone meanwhile, or not to be read: the build says so.
        return None
    below = (_changed(path, since, deep=True) for path in inner if deep)
    return next((path for path in below if path is not None), None)
