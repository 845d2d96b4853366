"""SQL that anybody may write: what it may do, and that everything else is refused in words."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tools.cli.app import run
from tools.errors import ToolsError
from tools.warehouse.sandbox import ask, open_warehouse
from tools.warehouse.sql_prompt import completer, converse, statements, words

GROWING = "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) SELECT count(*) FROM r"


@pytest.fixture(scope="module")
def own(database: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy that no other connection of this process has open with other settings."""
    place = tmp_path_factory.mktemp("own") / "ledger.duckdb"
    place.write_bytes(database.read_bytes())
    return place


@pytest.fixture(scope="module")
def locked(database: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    """A copy of its own, since connections to one file share their limit of memory."""
    place = tmp_path_factory.mktemp("locked") / "ledger.duckdb"
    place.write_bytes(database.read_bytes())
    with open_warehouse(place, memory="100MB") as connection:
        yield connection


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("SELECT * FROM read_text('/etc/passwd')", "refused"),
        ("FROM read_csv('/etc/passwd')", "refused"),
        ("FROM '/etc/passwd'", "does not exist"),
        ("FROM glob('/etc/*')", "refused"),
        ("FROM 'https://example.org/table.csv'", "refused"),
        ("FROM sniff_csv('/etc/passwd')", "refused"),
        ("CREATE TABLE t (i INTEGER)", "CREATE is refused"),
        ("CREATE TEMP TABLE t (i INTEGER)", "CREATE is refused"),
        ("INSERT INTO units VALUES (1)", "INSERT is refused"),
        ("UPDATE units SET unit = 'x'", "UPDATE is refused"),
        ("DELETE FROM results", "DELETE is refused"),
        ("DROP TABLE results", "DROP is refused"),
        ("COPY units TO '/tmp/never.csv'", "COPY is refused"),
        ("EXPLAIN ANALYZE COPY units TO '/tmp/never.csv'", "refused"),
        ("EXPORT DATABASE '/tmp/never'", "EXPORT is refused"),
        ("ATTACH '/tmp/never.duckdb'", "ATTACH is refused"),
        ("INSTALL httpfs", "LOAD is refused"),
        ("LOAD httpfs", "LOAD is refused"),
        ("SET enable_external_access = true", "settings are locked"),
        ("PRAGMA memory_limit = '9GB'", "settings are locked"),
        ("RESET lock_configuration", "settings are locked"),
        ("CALL pragma_version()", "CALL is refused"),
        ("FROM query('DROP TABLE results')", "refused"),
        ("SELECT 1; DROP TABLE results", "DROP is refused"),
        ("SELEC 1", "not SQL"),
        ("SELECT $1", "nothing to bind"),
        ("SELECT " + "+".join(["1"] * 5000), "depth"),
        ("SELECT list(i ORDER BY hash(i)) FROM range(100000000) t(i)", "more memory"),
        (GROWING, "stopped after"),
        (
            "SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE hash(a.range + b.range) = 0",
            "stopped after",
        ),
    ],
)
def test_what_is_refused(locked: duckdb.DuckDBPyConnection, text: str, says: str) -> None:
    with pytest.raises(ToolsError, match=says):
        for _ in ask(locked, text, most=10, seconds=0.5 if "stopped" in says else 20):
            pass
    # The connection is as good as before.
    (found,) = ask(locked, "SELECT count(*) > 0 FROM results", most=1, seconds=5)
    assert found.rows == [(True,)]


def test_what_is_answered(locked: duckdb.DuckDBPyConnection) -> None:
    texts = "FROM units LIMIT 1; DESCRIBE units; SUMMARIZE metrics; SHOW TABLES; EXPLAIN SELECT 1; VALUES (1)"
    assert len([found.rows for found in ask(locked, texts, most=100, seconds=20) if found.rows]) == 6
    (cut,) = ask(locked, "FROM range(11)", most=10, seconds=5)
    assert (len(cut.rows), cut.more) == (10, True)


@pytest.fixture
def sql(own: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def call(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run(["sql", *arguments, "--warehouse", str(own)])
        return code, *capsys.readouterr()

    return call


def test_the_command(sql: Any, tmp_path: Path) -> None:
    file = tmp_path / "question.sql"
    file.write_text("SELECT 1 AS one;\nSELECT 'a|b' AS two", encoding="utf-8")
    assert sql("-f", str(file), "--format", "csv")[1] == "one\n1\ntwo\na|b\n"
    assert sql("SELECT 'a|b' AS two", "--format", "markdown")[1] == "| two |\n| --- |\n| a\\|b |\n"
    assert sql("SELECT [1, 2] AS l, NULL AS n", "--format", "json")[1].split() == (
        ["[", "{", '"l":', "[", "1,", "2", "],", '"n":', "null", "}", "]"]
    )
    code, out, err = sql("FROM range(5)", "--rows", "2")
    assert (code, out.split(), "cut after 2 rows" in err) == (0, ["range", "0", "1"], True)
    assert sql("SELECT 1", "-f", str(file))[0] == 2
    assert sql("DROP TABLE results")[0] == 2
    assert "\x1b" not in sql("SELECT chr(27) || '[2J' AS trick")[1]


def test_memory_that_the_database_does_not_count_is_refused(own: Path) -> None:
    text = "SELECT sum(length(repeat('x', 100000000) || i)) FROM range(1000) t(i)"
    command = [sys.executable, "-m", "tools", "sql", text, "--warehouse", str(own)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, "NO_COLOR": "1"}
    )
    assert done.returncode == 2
    assert "more memory" in done.stderr


def test_the_prompt(
    locked: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    lines = iter(["SELECT 1", "  + 1;", "", "bad;", "exit"])
    asked: list[str] = []
    refused: list[ToolsError] = []

    def answer(text: str) -> None:
        if text.startswith("bad"):
            raise ToolsError("no SQL")
        asked.append(text)

    converse(locked, lambda _: next(lines), answer, refused.append)
    assert asked == ["SELECT 1\n  + 1;"]
    assert [error.message for error in refused] == ["no SQL"]
    assert (tmp_path / "inference-ledger" / "sql_history").is_file()
    complete = completer(words(locked))
    assert complete("table_h", 0) == "table_hashes"
    assert complete("table_h", 1) is None
    assert complete("sele", 0) == "SELECT"


def test_an_interrupt_throws_away_what_was_begun() -> None:
    def read(_: str) -> str:
        line = next(lines)
        if line == "^C":
            raise KeyboardInterrupt
        if line == "^D":
            raise EOFError
        return line

    lines = iter(["SELECT 1", "^C", "SELECT 2;", "^D"])
    assert list(statements(read)) == ["SELECT 2;"]
