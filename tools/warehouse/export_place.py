"""The folder of an export: made under a hidden name beside its place, and put there when it is whole.

Only a folder that holds an export and nothing else is replaced, so that nobody loses a file of his own: a clone of a
data-set repository has a `.git`, and another data package has other files.
"""

from __future__ import annotations

import glob
import json
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools.errors import ToolsError
from tools.records.lock import only_writer
from tools.warehouse.export_about import NAME

MARK = "datapackage.json"
"""The file by which a folder is known to be an export."""
TABLES = "tables"
BESIDE = ("croissant.json", "value_changes.csv", "README.md")
_SUFFIXES = (".parquet", ".csv")


@contextmanager
def taking_place(out: Path) -> Iterator[Path]:
    """A folder beside `out` that becomes `out` when everything is written, and goes when something fails.

    A symbolic link stays one. Raises `ToolsError` where `out` holds anything but an export, or cannot be written.
    """
    import duckdb

    out = Path(os.path.realpath(out))
    require_free(out)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with only_writer(out.parent):
            _restore(out)
            folder = out.with_name(f".{out.name}.{secrets.token_hex(4)}.writing")
            try:
                folder.mkdir()
                yield folder
                # Somebody may have put something there meanwhile.
                require_free(out)
                _exchange(folder, out)
            finally:
                shutil.rmtree(folder, ignore_errors=True)
    except duckdb.IOException as error:
        raise _refused(out, " ".join(str(error).split())) from error
    except OSError as error:
        raise _refused(out, error.strerror or str(error)) from error


def require_free(out: Path) -> None:
    """Raises `ToolsError` where an export would take the place of something else."""
    if not os.path.lexists(out):
        return
    try:
        is_free = out.is_dir() and (not any(out.iterdir()) or _is_export(out))
    except OSError as error:
        raise _refused(out, error.strerror or str(error)) from error
    if not is_free:
        raise ToolsError(f"{out} holds something that is no export", "name a new or an empty folder")


def _is_export(folder: Path) -> bool:
    try:
        said = json.loads((folder / MARK).read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    known = {MARK, TABLES, *BESIDE}
    tables = folder / TABLES
    return (
        isinstance(said, dict)
        and said.get("name") == NAME
        and all(path.name in known for path in folder.iterdir())
        and (not tables.exists() or all(path.suffix in _SUFFIXES for path in tables.iterdir()))
    )


def _exchange(folder: Path, out: Path) -> None:
    before = out.with_name(f".{out.name}.{secrets.token_hex(4)}.before")
    if not out.exists():
        folder.replace(out)
        return
    out.replace(before)
    try:
        folder.replace(out)
    except BaseException:
        before.replace(out)
        raise
    shutil.rmtree(before, ignore_errors=True)


def _restore(out: Path) -> None:
    """Puts in order what an export that was killed left behind."""
    for leftover in out.parent.glob(f".{glob.escape(out.name)}.*.before"):
        if out.exists():
            shutil.rmtree(leftover, ignore_errors=True)
        else:
            leftover.replace(out)
    for leftover in out.parent.glob(f".{glob.escape(out.name)}.*.writing"):
        shutil.rmtree(leftover, ignore_errors=True)


def _refused(out: Path, reason: str) -> ToolsError:
    return ToolsError(f"cannot write {out}: {reason}", "check the disk and who may write there")
