"""Files of tables: what is read from them cell by cell, and what is said of those that are none."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.importers.conftest import Run
from tools.errors import ToolsError
from tools.importers.tablefile import read_table


def rows(path: Path) -> list[tuple[str, ...]]:
    return list(read_table(path).rows)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"a,b\n1.10,x\n", [("1.10", "x")]),
        (b"\xef\xbb\xbfa,b\r\n1,2\r\n3,4\r\n", [("1", "2"), ("3", "4")]),
        (b'a,b\n"x\ny","say ""no"""\n', [("x\ny", 'say "no"')]),
        (b'a,b\n1,"x\r\ny"\n3,4\n', [("1", "x\r\ny"), ("3", "4")]),
        (b"a,b\n1,\n,2\n", [("1", ""), ("", "2")]),
        ("a,b\nλ,日本\n".encode(), [("λ", "日本")]),
        (b"a,b\n007,1e5\n", [("007", "1e5")]),
        (b"a,b\nNULL,true\n", [("NULL", "true")]),
        (b"a,b\n", []),
    ],
    ids=["digits", "bom-crlf", "quotes", "quoted-crlf", "blank", "unicode", "codes", "words", "no-rows"],
)
def test_cells_come_as_they_are_printed(tmp_path: Path, content: bytes, expected: list) -> None:
    (tmp_path / "t.csv").write_bytes(content)
    table = read_table(tmp_path / "t.csv")
    assert table.columns == ("a", "b")
    assert list(table.rows) == expected


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"\n", "is empty"),
        (b"a,b\n1,2,3\n", "cannot be read"),
        (b"a,b\n1\n", "cannot be read"),
        (b'a,b\n"x,1\n', "cannot be read"),
        (b"a,a\n1,2\n", "has the column `a` twice"),
        (b"a,b\n\xff,2\n", "cannot be read"),
    ],
)
def test_what_is_no_table_is_told(tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / "t.csv").write_bytes(content)
    with pytest.raises(ToolsError, match=words) as raised:
        read_table(tmp_path / "t.csv")
    assert raised.value.hint


def test_a_file_that_is_not_there_or_no_table(tmp_path: Path) -> None:
    with pytest.raises(ToolsError, match="no such file"):
        read_table(tmp_path / "t.csv")
    (tmp_path / "t.txt").write_text("a\n")
    with pytest.raises(ToolsError, match="no table"):
        read_table(tmp_path / "t.txt")


def test_a_name_that_looks_like_a_pattern_is_a_name(tmp_path: Path) -> None:
    folder = tmp_path / "x=1"
    folder.mkdir()
    for name in ("t[1]*.csv", "t1.csv"):
        (folder / name).write_text(f"a\n{name}\n")
    table = read_table(folder / "t[1]*.csv")
    assert (table.columns, list(table.rows)) == (("a",), [("t[1]*.csv",)])


def test_parquet_and_xlsx_give_the_cells_of_the_csv(tmp_path: Path) -> None:
    import duckdb
    import openpyxl

    duckdb.sql("select 'r1' as run, 2.5 as rate, cast(null as int) as n").write_parquet(
        str(tmp_path / "t.parquet")
    )
    assert rows(tmp_path / "t.parquet") == [("r1", "2.5", "")]
    book = openpyxl.Workbook()
    book.active.append(["run", "rate", "n"])
    book.active.append(["r1", 2.5, None])
    book.active.append([None, None, None])
    book.create_sheet("second").append(["x"])
    book.save(tmp_path / "t.xlsx")
    assert rows(tmp_path / "t.xlsx") == [("r1", "2.5", "")]
    assert read_table(tmp_path / "t.xlsx", "second").columns == ("x",)
    with pytest.raises(ToolsError, match="no sheet `third`"):
        read_table(tmp_path / "t.xlsx", "third")


def test_damaged_parquet_and_xlsx_are_told(tmp_path: Path) -> None:
    for name in ("t.parquet", "t.xlsx"):
        (tmp_path / name).write_bytes(b"not one of these")
        with pytest.raises(ToolsError, match="cannot be read"):
            read_table(tmp_path / name)


def test_xlsx_without_its_library_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "openpyxl", None)
    (tmp_path / "t.xlsx").write_bytes(b"x")
    with pytest.raises(ToolsError, match="needs openpyxl") as raised:
        read_table(tmp_path / "t.xlsx")
    assert "xlsx" in raised.value.hint


def test_a_row_more_costs_no_more_than_the_rows_before(run: Run) -> None:
    """A tenth of a table with 10^5 rows takes a tenth of its time, within a factor of three."""
    refuse = [{"when": {"rate": {"below": 0}}, "reason": "below nothing"}]
    group = {"group": ["run"], "refuse": refuse}

    def seconds(count: int) -> float:
        table = "run,rate\n" + "".join(f"r{index % 50},{index % 50}.5\n" for index in range(count))
        started = time.perf_counter()
        imported = run(table, cite=[{"source": "example-log", "locator": "{run}"}], **group)
        taken = time.perf_counter() - started
        assert len(imported.batch.texts) == 50
        return taken

    seconds(1_000)
    few, many = seconds(10_000), seconds(100_000)
    assert many < 30 * few + 1, (few, many)


def test_missing_column_of_the_join(run: Run) -> None:
    joins = [{"name": "log", "file": "log.csv", "on": {"run": "key"}}]
    with pytest.raises(ToolsError, match=r"log\.csv has no column `key`"):
        run("run,rate\na,1\n", {"log.csv": "id\na\n"}, joins=joins)


def test_two_partners_are_an_error_where_they_are_asked_for(run: Run) -> None:
    joins = [{"name": "log", "file": "log.csv", "on": {"run": "id"}}]
    joined = {"log.csv": "id,x\na,1\na,2\nb,1\nb,1\n"}
    assert list(run("run,rate\nb,1\n", joined, joins=joins).records) == ["b"]
    with pytest.raises(ToolsError, match="two rows of the joined table log have the key a"):
        run("run,rate\na,1\n", joined, joins=joins)
