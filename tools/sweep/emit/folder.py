"""A folder that appears whole: written beside its place under a hidden name, and renamed at the end.

Whatever ends the writing (a fault, Ctrl-C), the old folder stays and nothing is left beside it.
"""

from __future__ import annotations

import filecmp
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tools.errors import ToolsError
from tools.sweep.emit.manifest import NAME, output_files

_OURS = frozenset({NAME, "records", "results", "results.parquet", "plots"})


@contextmanager
def whole_folder(target: Path) -> Iterator[Path]:
    """An empty folder to fill, which takes the place of `target` when all went well.

    A target with the same content already is left as it is. Raises `ToolsError` where the target holds anything
    that no run has written, or cannot be written.
    """
    target = target.absolute()
    refuse_foreign(target)
    mark = secrets.token_hex(4)
    fresh, old = (target.with_name(f".{target.name}.{mark}.{end}") for end in ("new", "old"))
    try:
        try:
            fresh.mkdir(parents=True)
        except OSError as error:
            raise _refused(target, error) from error
        yield fresh
        if same_content(fresh, target):
            return
        try:
            if target.exists():
                target.rename(old)
            fresh.rename(target)
        except OSError as error:
            raise _refused(target, error) from error
    finally:
        if old.exists() and not target.exists():
            old.rename(target)
        for left in (fresh, old):
            with suppress(OSError):
                shutil.rmtree(left)


def refuse_foreign(target: Path) -> None:
    """Raises `ToolsError` where a folder holds anything but the output of a run, which replacing would destroy."""
    if target.is_symlink() or (target.exists() and not target.is_dir()):
        raise ToolsError(f"{target} is no folder", "name another with --out DIR")
    if not target.exists():
        return
    foreign = sorted(path.name for path in target.iterdir() if path.name not in _OURS)
    if foreign or (any(target.iterdir()) and not (target / NAME).is_file()):
        what = f"holds `{foreign[0]}`" if foreign else f"has no {NAME}"
        raise ToolsError(
            f"{target} {what}, so it is not the output of a run alone, and is not replaced",
            "name an empty or a new folder with --out DIR",
        )


def same_content(one: Path, other: Path) -> bool:
    """Whether two folders hold the same files with the same bytes."""
    if not other.is_dir():
        return False
    names = [*output_files(one), NAME]
    if names != [*output_files(other), NAME]:
        return False
    return filecmp.cmpfiles(one, other, names, shallow=False)[0] == names


def _refused(target: Path, error: OSError) -> ToolsError:
    return ToolsError(
        f"cannot write {target}: {error.strerror or error}",
        "check who may write there and whether the disk is full, or name another folder with --out DIR",
    )
