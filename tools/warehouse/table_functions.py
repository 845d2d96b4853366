"""Which functions a question may read from: those that give rows and do nothing else.

DuckDB has commands in the form of table functions (`FROM enable_logging(...)`, `FROM checkpoint()`), which a SELECT
carries out, and some that carry out a text (`FROM query('...')`), in which others hide. So what is not known to be
harmless is refused, and a function that a later DuckDB brings is not called before somebody looked at it. Functions
that read files are left to the database, which has no access to any.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from tools.errors import ToolsError
from tools.records.parse import Json
from tools.warehouse.layout import relations

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_HARMLESS = re.compile(
    r"""range|generate_series|unnest|repeat|repeat_row|json_each|json_tree|query_table|summary|test_all_types
    |duckdb_(?!logs|secrets)\w+|functions|version|platform|database_list|icu_calendar_names|pg_timezone_names
    |show|show_tables|show_tables_expanded|show_databases
    |(pragma_)?(table_info|storage_info|metadata_info|database_size|collations)|pragma_(version|platform|show)
    |read_\w+|sniff_csv|glob|parquet_\w+""",
    re.VERBOSE,
)
"""The last line are those that read files."""
_EXPLAIN = re.compile(
    r"(?:\s|--[^\n]*(?:\n|$)|/\*.*?\*/)*EXPLAIN(?:\s+ANALY[SZ]E\b)?\s*(?:\([^)]*\))?",
    re.DOTALL | re.IGNORECASE,
)


def require_harmless(connection: DuckDBPyConnection, statement: str) -> None:
    """Raises `ToolsError` where a SELECT, or the EXPLAIN of one, reads from a function that is not known as harmless.

    Macros of the warehouse are.
    """
    explained = _EXPLAIN.match(statement)
    text = statement[explained.end() :] if explained else statement
    found = connection.execute("SELECT json_serialize_sql(?)", [text]).fetchone()
    assert found is not None
    try:
        tree = json.loads(found[0])
    except RecursionError as error:
        raise ToolsError("the statement is nested too deep", "ask in smaller steps") from error
    if tree["error"]:
        raise ToolsError(
            f"refused: {tree['error_message']}", "explain a SELECT" if explained else "ask with SELECT"
        )
    called = {name for name in _table_functions(tree) if not _HARMLESS.fullmatch(name)}
    for name in sorted(called - _macros()):
        raise ToolsError(
            f"the function {name} is refused: it is not known to give rows and do nothing else",
            "ask the tables, views and macros of docs/data-dictionary.md",
        )


@cache
def _macros() -> frozenset[str]:
    return frozenset(relation.name for relation in relations() if relation.kind == "MACRO")


def _table_functions(tree: Json) -> Iterator[str]:
    """The names behind FROM, in small letters, however deep they stand."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting.extend(node)
        elif isinstance(node, dict):
            waiting.extend(node.values())
            function = node.get("function")
            if node.get("type") == "TABLE_FUNCTION" and isinstance(function, dict):
                yield str(function.get("function_name")).lower()
