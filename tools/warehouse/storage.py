"""The database file: written under a hidden name beside its place, and renamed when it is whole.

Whatever ends a build (a fault, Ctrl-C, a full disk, a killed process), the old file stays, and what a killed build
left behind is removed by the next one. The file is written in a storage version that older clients open: see
STORAGE_VERSION.
"""

from __future__ import annotations

import glob
import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tools.errors import ToolsError
from tools.records.lock import only_writer
from tools.warehouse.layout import LAYOUT

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

PLACE = Path("generated") / "ledger.duckdb"
"""Where the warehouse of a ledger lies."""

STORAGE_VERSION = "v1.0.0"
"""The oldest format that DuckDB can be asked to write (ATTACH ... STORAGE_VERSION). Clients from 1.1 on open the file;
1.0.0 cannot, because writers since then put a field into the catalog that it does not know."""

OLDEST_CLIENT = "1.1"
"""The oldest release that opens the file."""

BLOCK_SIZE = 16_384
"""Bytes of a block, the smallest there are. Each column and index takes one at least, so that with DuckDB's own 262,144
a ledger of three results takes 22 MB; over HTTP a reader also fetches less for a few rows."""

ROW_GROUP_SIZE = 20_480
"""Rows that one thread reads at a time. With DuckDB's own 122,880 a table of 100,000 records is read by one alone."""

_DATABASE = "warehouse"
_NAME = "ledger.duckdb"
_SUFFIX = ".duckdb"
_MAGIC, _MAGIC_AT = b"DUCK", 8
"""What a DuckDB file has behind its first checksum."""


class Stamp(NamedTuple):
    """What a warehouse says of itself."""

    input_digest: str
    program_digest: str
    has_errors: bool


def stamp_of(path: Path) -> Stamp | None:
    """The stamp of a warehouse of this layout; None where there is no file, another one, or a damaged one."""
    if not path.is_file():
        return None
    import duckdb

    try:
        with duckdb.connect(str(path), read_only=True) as connection:
            found = connection.execute(
                "SELECT layout, input_digest, program_digest, has_errors FROM warehouse"
            ).fetchone()
    except duckdb.Error:
        return None
    return Stamp(*found[1:]) if found is not None and found[0] == LAYOUT else None


@contextmanager
def being_built(out: Path) -> Iterator[Path]:
    """A folder beside `out` for all that a build writes, gone at its end; nobody else builds there meanwhile.

    A symbolic link stays one: the file that it leads to is replaced. Raises `ToolsError` where the place cannot be
    written, holds something that is no warehouse, or another build goes on for too long.
    """
    out = Path(os.path.realpath(out))
    with _told(out):
        _require_free(out)
        out.parent.mkdir(parents=True, exist_ok=True)
    with only_writer(out.parent):
        for leftover in out.parent.glob(f".{glob.escape(out.name)}.*.building"):
            shutil.rmtree(leftover, ignore_errors=True)
        folder = out.with_name(f".{out.name}.{secrets.token_hex(4)}.building")
        try:
            with _told(out):
                folder.mkdir()
                yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def new_database(folder: Path) -> Iterator[DuckDBPyConnection]:
    """A connection whose current database is a new file in `folder`; it is closed, and whole, at the end."""
    import duckdb

    with duckdb.connect(config={"temp_directory": str(folder / "spill")}) as connection:
        place = str(folder / _NAME).replace("'", "''")
        connection.execute(
            f"ATTACH '{place}' AS {_DATABASE} (STORAGE_VERSION '{STORAGE_VERSION}', "
            f"BLOCK_SIZE {BLOCK_SIZE}, ROW_GROUP_SIZE {ROW_GROUP_SIZE})"
        )
        connection.execute(f"USE {_DATABASE}")
        connection.execute("BEGIN")
        yield connection
        connection.execute("COMMIT")
        connection.execute("USE memory")
        connection.execute(f"DETACH {_DATABASE}")


def put_in_place(folder: Path, out: Path) -> None:
    """Makes the database of `folder` the file `out`, in one step."""
    whole = folder / _NAME
    descriptor = os.open(whole, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    target = Path(os.path.realpath(out))
    with suppress(FileNotFoundError):
        whole.chmod(stat.S_IMODE(target.stat().st_mode))
    # Changes that somebody made to the old file and that were not merged into it would be carried out on the new one.
    target.with_name(f"{target.name}.wal").unlink(missing_ok=True)
    whole.replace(target)
    with suppress(OSError):
        descriptor = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _require_free(out: Path) -> None:
    """Raises `ToolsError` where a build would take the place of something else."""
    try:
        mode = out.lstat().st_mode
    except FileNotFoundError:
        return
    if stat.S_ISDIR(mode):
        raise ToolsError(f"{out} is a folder", "name a file with --out FILE")
    if not stat.S_ISREG(mode):
        kind = "a symbolic link that leads to itself" if stat.S_ISLNK(mode) else "no file"
        raise ToolsError(f"{out} is {kind}", "name a file with --out FILE")
    if not os.access(out, os.W_OK):
        raise ToolsError(f"{out} is write-protected", "name another file with --out FILE, or allow writing")
    if out.suffix != _SUFFIX and out.stat().st_size:
        with out.open("rb") as file:
            if file.read(_MAGIC_AT + len(_MAGIC))[_MAGIC_AT:] != _MAGIC:
                raise ToolsError(
                    f"{out} holds something that is no warehouse", "name another file with --out FILE"
                )


@contextmanager
def _told(out: Path) -> Iterator[None]:
    import duckdb

    try:
        yield
    except OSError as error:
        raise _refused(out, error.strerror or str(error)) from error
    except (duckdb.IOException, duckdb.TransactionException) as error:
        # What went wrong stands behind the line that says during what.
        raise _refused(out, " ".join(str(error).split())) from error


def _refused(out: Path, reason: str) -> ToolsError:
    return ToolsError(
        f"cannot write {out}: {reason}",
        "check who may write there and whether the disk is full, or name another file with --out FILE",
    )
