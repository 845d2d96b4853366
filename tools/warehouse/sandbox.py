"""The warehouse opened for questions that anybody may have written: nothing but reading this one file.

DuckDB's own settings do the work, and are locked: the file is read-only, no other file, no network, no extension, a
limit of memory and nothing spilled to disk. What is asked is parsed first, and only statements that answer are carried
out; so a refusal says which kind of statement it was about. Time is limited by interrupting the query, and by the end
of the process where that has no effect.
"""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tools.errors import EXIT_USAGE, ToolsError
from tools.warehouse.interrupts import interruptible
from tools.warehouse.layout import LAYOUT
from tools.warehouse.table_functions import require_harmless

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

BUILD = "`tools build` writes it"
DAMAGED = "it is damaged, or another version of this program wrote it: `tools build` writes it anew"
MEMORY = "1GB"
PROCESS_BYTES = 2 * 2**30
"""Bytes that the process may take beside those it has: the database does not count what one step of a query makes."""
GRACE_S = 5.0
"""Seconds that an interrupted query is given to stop."""

_SETTINGS = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "allow_unsigned_extensions": "false",
    "temp_directory": "",
}
_NO_ZONES = "pytz"
"""The package that DuckDB's client asks for where it has to give such a time, and that nothing else here needs."""
_ANSWERING = ("SELECT", "EXPLAIN")
_KINDS = {
    "SET": "settings are locked",
    "VARIABLE_SET": "settings are locked",
    "PRAGMA": "settings are locked",
    "LOAD": "extensions are neither installed nor loaded",
    "ATTACH": "no other database is opened",
    "DETACH": "the database stays open",
    "COPY": "no file is read or written",
    "COPY_DATABASE": "no file is read or written",
    "EXPORT": "no file is read or written",
    "CALL": "procedures are not called",
    "TRANSACTION": "there is nothing to commit",
}


class Rows(NamedTuple):
    """Rows of an answer, and whether there would have been more."""

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    more: bool


def open_warehouse(path: Path, *, memory: str = MEMORY) -> DuckDBPyConnection:
    """A locked connection. Raises `ToolsError` where there is no warehouse, or one of another layout."""
    import duckdb

    if not path.is_file():
        raise ToolsError(f"there is no warehouse at {path}", BUILD)
    config: dict[str, str | bool | int | float | list[str]] = {**_SETTINGS, "memory_limit": memory}
    try:
        connection = duckdb.connect(str(path), read_only=True, config=config)
    except duckdb.Error as error:
        raise ToolsError(f"{path} is no warehouse that can be read: {first_line(error)}", BUILD) from error
    try:
        found = connection.execute("SELECT layout FROM warehouse").fetchone()
    except duckdb.Error:
        found = None
    if found is None or found[0] != LAYOUT:
        connection.close()
        said = "no layout" if found is None else f"layout {found[0]}"
        raise ToolsError(f"{path} has {said}, and this program reads layout {LAYOUT}", BUILD)
    # Connections of one process to one file share their settings, and these may be locked already.
    locked = connection.execute("SELECT current_setting('lock_configuration')").fetchone()
    if locked != (True,):
        connection.execute("SET lock_configuration = true")
    return connection


@contextmanager
def reading(path: Path) -> Iterator[DuckDBPyConnection]:
    """A locked connection for questions of this program, closed at the end.

    Raises `ToolsError` as `open_warehouse` does, and where the file does not have what is asked of it.
    """
    import duckdb

    with interruptible(), open_warehouse(path) as connection:
        try:
            yield connection
        except duckdb.Error as error:
            raise ToolsError(f"{path} cannot be read: {told(error)}", DAMAGED) from error


def ask(connection: DuckDBPyConnection, text: str, *, most: int, seconds: float) -> Iterator[Rows]:
    """The rows of each statement in a text, at most `most` of each.

    Raises `ToolsError` for statements that are no question, and for what the database refuses.
    """
    import duckdb

    try:
        text.encode()
        statements = connection.extract_statements(text)
    except UnicodeEncodeError as error:
        raise ToolsError("that is not SQL: it is no UTF-8 text") from error
    except duckdb.Error as error:
        raise ToolsError(f"that is not SQL: {told(error)}", "") from error
    for statement in statements:
        kind = statement.type.name
        if kind not in _ANSWERING:
            raise ToolsError(
                f"{kind} is refused: {_KINDS.get(kind, 'the warehouse is only read')}",
                "ask with SELECT, FROM, DESCRIBE, SUMMARIZE, SHOW or EXPLAIN",
            )
        if statement.named_parameters:
            raise ToolsError(
                "the statement has parameters, and there is nothing to bind to them", "write the values"
            )
        with limited(connection, seconds):
            require_harmless(connection, statement.query)
            cursor = connection.execute(statement)
            rows = cursor.fetchmany(most + 1)
        described = cursor.description or []
        yield Rows(
            tuple(str(column[0]) for column in described),
            tuple(str(column[1]) for column in described),
            rows[:most],
            len(rows) > most,
        )


@contextmanager
def limited(connection: DuckDBPyConnection, seconds: float, hint: str = "") -> Iterator[None]:
    """Runs what is inside for at most some seconds, with the database's errors told as ours; `hint` is what to do where
    it finds a fault in what is asked."""
    import duckdb

    over = threading.Event()

    def stop() -> None:
        over.set()
        connection.interrupt()

    timers = [threading.Timer(seconds, stop), threading.Timer(seconds + GRACE_S, _leave, (seconds,))]
    for timer in timers:
        timer.daemon = True
        timer.start()
    try:
        with interruptible():
            yield
    except duckdb.InterruptException:
        if not over.is_set():
            raise KeyboardInterrupt from None
        raise ToolsError(
            f"stopped after {seconds:g} s", "ask for less, or allow more with --seconds"
        ) from None
    except duckdb.PermissionException as error:
        raise ToolsError(
            f"refused: {told(error)}", "a question reads the warehouse alone: no files, network or extensions"
        ) from error
    except (duckdb.OutOfMemoryException, MemoryError) as error:
        raise ToolsError(
            "the query needs more memory than it may have", "ask for less: fewer rows, columns or joins"
        ) from error
    except duckdb.Error as error:
        if _NO_ZONES in str(error):
            raise ToolsError(
                "a time with a time zone is not told", "cast it to TIMESTAMP or VARCHAR"
            ) from error
        raise ToolsError(f"the database refused it: {told(error)}", hint) from error
    finally:
        for timer in timers:
            timer.cancel()


@contextmanager
def bounded_process() -> Iterator[None]:
    """Limits the memory of this process: what the database does not count is then refused, and the machine spared."""
    try:
        import resource
    except ImportError:
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    bound = _taken() + PROCESS_BYTES
    most = min(limit for limit in (bound, soft, hard) if limit != resource.RLIM_INFINITY)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _taken() -> int:
    """Bytes of data that this process has; 0 where the system does not tell. Below it not even a thread can start."""
    try:
        status = Path("/proc/self/status").read_text(encoding="utf-8")
    except OSError:
        return 0
    found = re.search(r"^VmData:\s+([0-9]+) kB$", status, re.MULTILINE)
    return int(found[1]) * 1024 if found else 0


def _leave(seconds: float) -> None:
    sys.stderr.write(f"error: stopped after {seconds:g} s, with the query still at work\n")
    sys.stderr.flush()
    os._exit(EXIT_USAGE)


def first_line(error: BaseException) -> str:
    """The first line of what the database says."""
    return str(error).partition("\n")[0]


def told(error: BaseException) -> str:
    """What the database says, without the excerpt that its caret points into."""
    return str(error).partition("\n\n")[0].replace("\n", " ")


def named_values(connection: DuckDBPyConnection, text: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the values that a statement names; the database refuses the others."""
    (statement,) = connection.extract_statements(text)
    return {name: values[name] for name in statement.named_parameters}
