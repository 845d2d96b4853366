"""The interactive prompt of `tools sql`: lines until a semicolon, with a history and completion by the tab key.

It stands on the standard library's readline, so that it needs no package; where Python was built without it, lines are
read all the same. What is asked goes through the sandbox like any other question.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from tools.errors import ToolsError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

FIRST, FURTHER = "ledger> ", "   ...> "
LEAVING = frozenset({"exit", "quit", ".exit", ".quit", "\\q"})
HISTORY_LINES = 1000


def statements(read: Callable[[str], str]) -> Iterator[str]:
    """What is asked, statement by statement, until the end of input or a word that leaves.

    Ctrl-C throws away what was begun.
    """
    begun: list[str] = []
    while True:
        try:
            line = read(FURTHER if begun else FIRST)
        except EOFError:
            return
        except KeyboardInterrupt:
            begun = []
            continue
        if not begun and line.strip().rstrip(";") in LEAVING:
            return
        if line.strip() or begun:
            begun.append(line)
        if line.rstrip().endswith(";"):
            yield "\n".join(begun)
            begun = []


def converse(
    connection: DuckDBPyConnection,
    read: Callable[[str], str],
    answer: Callable[[str], None],
    refuse: Callable[[ToolsError], None],
) -> None:
    """Answers each statement; one that is refused does not end the conversation."""
    with _readline(connection):
        for text in statements(read):
            try:
                answer(text)
            except ToolsError as error:
                refuse(error)
            except KeyboardInterrupt:
                refuse(ToolsError("stopped"))


def words(connection: DuckDBPyConnection) -> list[str]:
    """Everything that the tab key completes: relations, columns, functions of ours, and keywords."""
    found = connection.execute(
        "SELECT table_name FROM duckdb_tables() UNION SELECT view_name FROM duckdb_views() WHERE NOT internal "
        "UNION SELECT column_name FROM duckdb_columns() WHERE NOT internal "
        "UNION SELECT function_name FROM duckdb_functions() WHERE NOT internal "
        "UNION SELECT upper(keyword_name) FROM duckdb_keywords() WHERE keyword_category = 'reserved' ORDER BY 1"
    ).fetchall()
    return [str(row[0]) for row in found]


def completer(known: list[str]) -> Callable[[str, int], str | None]:
    """The function that readline asks: the `state`-th word that begins with `text`."""

    def complete(text: str, state: int) -> str | None:
        matching = [word for word in known if word.casefold().startswith(text.casefold())] if text else []
        return matching[state] if state < len(matching) else None

    return complete


def history_file() -> Path:
    """Where the history lies: in the user's folder for state."""
    state = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(state) / "inference-ledger" / "sql_history"


@contextmanager
def _readline(connection: DuckDBPyConnection) -> Iterator[None]:
    try:
        import readline
    except ImportError:
        yield
        return
    place = history_file()
    with suppress(OSError):
        readline.read_history_file(place)
    readline.set_history_length(HISTORY_LINES)
    readline.set_completer(completer(words(connection)))
    readline.set_completer_delims(" \t\n,();=<>+-*/'\"")
    readline.parse_and_bind("tab: complete")
    try:
        yield
    finally:
        with suppress(OSError):
            place.parent.mkdir(parents=True, exist_ok=True)
            readline.write_history_file(place)
