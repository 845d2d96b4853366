"""Words of the command line and text of records that try to be something else: SQL, half a character, markup."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.warehouse.conftest import built
from tools.cli.app import run
from tools.warehouse.query_file import queries
from tools.warehouse.table_text import markdown

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def own(database: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy that no other connection of this process has open with other settings."""
    place = tmp_path_factory.mktemp("words") / "ledger.duckdb"
    place.write_bytes(database.read_bytes())
    return place


@pytest.fixture
def call(own: Path, capsys: pytest.CaptureFixture[str]) -> Call:
    def called(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run([words[0], "--warehouse", str(own), *words[1:]])
        return code, *capsys.readouterr()

    return called


@pytest.mark.parametrize(
    ("query", "option", "word"),
    [
        ("fastest-at-speed", "--min-speed", "１"),
        ("fastest-at-speed", "--min-speed", "1_000"),
        ("fastest-at-speed", "--min-speed", "nan"),
        ("fastest-at-speed", "--min-speed", "-1"),
        ("fastest-at-speed", "--min-speed", "1e400"),
        ("fastest-at-speed", "--min-speed", ""),
        ("fastest-at-speed", "--min-speed", "1" * 5000),
        ("energy-under-tail", "--min-requests", "1e2"),
        ("energy-under-tail", "--min-requests", "９"),
        ("energy-under-tail", "--min-requests", "9" * 5000),
        ("three-costs", "--price-as-of", "2024-W01-1"),
        ("three-costs", "--price-as-of", "2024-02-30"),
        ("three-costs", "--prices", "example-card-80gb-pcie=1_0"),
        ("three-costs", "--prices", "example-card-80gb-pcie=inf"),
        ("gaps", "--model", "\udcff"),
        ("break-even", "--technique", "\udcff"),
        ("software-progress", "--engine", "\udcff"),
        ("corrections", "--since", "\udcff"),
        ("software-progress", "--conditions", "\udcff"),
    ],
)
def test_a_word_of_another_type_is_refused(call: Call, query: str, option: str, word: str) -> None:
    code, out, err = call("query", query, option, word)
    assert (code, out) == (2, "")
    assert f"error: {option} takes" in err


@pytest.mark.parametrize(
    "word", ["", "' OR 1=1 --", "$model", "a\nb", "x" * 10_000, "\u202eabc", "no-engine"]
)
def test_an_engine_that_is_not_there_is_no_empty_answer(call: Call, word: str) -> None:
    code, out, err = call("query", "software-progress", "--engine", word)
    assert (code, out) == (2, "")
    assert "--engine: there is no engine" in err
    assert len(err.splitlines()) == 2


def test_no_answer_is_empty_without_a_reason(
    tmp_path: Path, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "ledger"
    shutil.copytree(root, place, ignore=shutil.ignore_patterns("generated", ".cache"))
    shutil.rmtree(place / "data" / "benchmarks")
    built(place, place / "ledger.duckdb", allow_errors=True)
    for query in queries().values():
        if any(parameter.default is None for parameter in query.parameters):
            continue
        assert run(["query", query.name, "--warehouse", str(place / "ledger.duckdb")]) == 0
        said = capsys.readouterr().out
        assert "the ledger cannot say" in said or "0 rows" not in said, query.name


COMMANDS = [
    "enable_logging(storage = 'file')",
    "enable_logging(storage = 'file', storage_config = {'path': '/tmp/never'})",
    "enable_profiling(format = 'json', save_location = '/tmp/never.json')",
    "main.enable_logging()",
    "system.main.enable_logging()",
    "disable_logging()",
    "truncate_duckdb_logs()",
    "checkpoint()",
    "force_checkpoint()",
    "verify_external()",
    "query('FROM enable_logging()')",
    "query('FROM enable' || '_logging()')",
    "\"query\"('SELECT 1')",
    "json_execute_serialized_sql(json_serialize_sql('FROM enable_logging()'))",
]
AROUND = [
    "FROM {}",
    "/* nothing */ -- here\nSELECT * FROM {}",
    "EXPLAIN ANALYZE FROM {}",
    "/* nothing */ explain /**/ (FORMAT json) FROM {}",
    "WITH a AS (FROM {}) FROM a",
    "SELECT 1 WHERE 1 IN (SELECT 1 FROM {})",
    "SELECT 1 UNION ALL SELECT 1 FROM {}",
    "FROM units LIMIT (SELECT count(*) FROM {})",
    "DESCRIBE SELECT * FROM {}",
    "SUMMARIZE FROM {}",
    "SELECT 1; FROM {}",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_in_the_form_of_a_table_is_refused(call: Call, command: str) -> None:
    # One such call ended the whole process, or spoilt the connection for the statements after it.
    for around in AROUND:
        code, _, err = call("sql", around.format(command))
        assert code == 2, around
        assert "is refused" in err or "refused:" in err or "not SQL" in err, around
    assert call("sql", "SELECT 1")[0] == 0


@pytest.mark.parametrize(
    "text",
    [
        "FROM range(3)",
        "FROM generate_series(1, 3)",
        "SELECT unnest([1, 2])",
        "FROM unnest([1, 2])",
        "FROM json_each('[1]')",
        "FROM duckdb_tables()",
        "FROM comparable('slow', 'many')",
        "FROM COMPARABLE('slow', 'many')",
        "FROM as_of(DATE '2026-03-05')",
        "FROM query_table('units')",
        "FROM pragma_table_info('units')",
        "EXPLAIN FROM units",
        "EXPLAIN ANALYZE FROM units",
        "-- a note\nFROM units",
    ],
)
def test_functions_that_only_give_rows_are_answered(call: Call, text: str) -> None:
    code, out, err = call("sql", "--", text)
    assert (code, err) == (0, "")
    assert out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("SELECT '\udcff'",), "no UTF-8"),
        (("SELECT 1", "--rows", "9" * 20), "--rows"),
        (("SELECT 1", "--seconds", "nan"), "--seconds"),
        (("SELECT 1", "--seconds", "inf"), "--seconds"),
        (("SELECT 1", "--seconds", "1e300"), "--seconds"),
        (("SELECT now()",), "cast it to TIMESTAMP"),
        (("SELECT 1 AS a, 2 AS a", "--format", "json"), "two columns are called `a`"),
        ((f"SELECT {'[' * 900}1{']' * 900}",), ""),
    ],
)
def test_sql_that_is_refused_in_words(call: Call, words: tuple[str, ...], says: str) -> None:
    code, out, err = call("sql", *words)
    assert (code, out) == (2, "")
    assert says in err
    assert "Traceback" not in err


def test_numbers_in_json_are_numbers_that_every_parser_reads(call: Call) -> None:
    def refuse(word: str) -> Any:
        raise AssertionError(word)

    text = "SELECT 1.5 AS a, 2.0 AS b, 'nan'::DOUBLE AS c, 'inf'::DOUBLE AS d, [1.5, '-inf'::DOUBLE] AS e"
    _, out, _ = call("sql", text, "--format", "json")
    assert json.loads(out, parse_constant=refuse) == [
        {"a": 1.5, "b": 2, "c": None, "d": None, "e": [1.5, None]}
    ]


def test_nothing_breaks_a_markdown_table() -> None:
    trick = "a\\|b | c\n<img src=x> &lt; `d` \u202e\0\\"
    (head, _, row) = markdown([trick], [(trick,)])
    assert head == row
    # Each backslash and bar has one backslash before it, which is what keeps a bar from ending the cell.
    assert row == "| a\\\\\\|b \\| c &lt;img src=x> &amp;lt; `d` \ufffd\ufffd\\\\ |"


def test_the_name_of_a_column_steers_no_terminal(call: Call) -> None:
    for form in ("table", "markdown"):
        _, out, _ = call("sql", 'SELECT 1 AS "\x1b[2J\u202e|"', "--format", form)
        assert "\x1b" not in out
        assert "\u202e" not in out


def test_text_of_records_is_neither_markup_nor_formula_nor_sql(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "ledger"
    shutil.copytree(root, place, ignore=shutil.ignore_patterns("generated", ".cache"))
    path = place / "data" / "benchmarks" / "slow.yaml"
    trick = "=cmd|'/C calc'!A0 | '); DROP TABLE results; -- <b> \u202e e\u0301 \u200b \U0001f600"
    quoted = json.dumps(trick, ensure_ascii=False).replace("\u202e", "\\u202e")
    text = path.read_text(encoding="utf-8").replace(
        "title: Example 7B on one example card", f"title: {quoted}"
    )
    path.write_text(text, encoding="utf-8")
    built(place, place / "ledger.duckdb", allow_errors=True)
    asked = "SELECT title FROM records WHERE record_id = 'slow'"
    said = {}
    for form in ("table", "markdown", "csv", "json"):
        assert run(["sql", asked, "--format", form, "--warehouse", str(place / "ledger.duckdb")]) == 0
        said[form] = capsys.readouterr().out
    assert json.loads(said["json"]) == [{"title": trick}]
    assert len(said["markdown"].splitlines()) == 3
    assert said["markdown"].splitlines()[2].replace("\\|", "").count("|") == 2
    assert all("\u202e" not in said[form] for form in ("table", "markdown", "json"))


@pytest.mark.parametrize("value", [["tok/s"], {"a": 1}, None, True, 1e300, "\ud800x"])
def test_any_value_in_any_place_of_a_fact_is_built(root: Path, tmp_path: Path, value: object) -> None:
    place = tmp_path / "ledger"
    shutil.copytree(root, place, ignore=shutil.ignore_patterns("generated", ".cache"))
    path = place / "data" / "accelerators" / "example-card-24gb.yaml"
    text = path.read_text(encoding="utf-8")
    assert "unit: TFLOP/s\n" in text
    path.write_text(text.replace("unit: TFLOP/s\n", f"unit: {json.dumps(value)}\n"), encoding="utf-8")
    assert built(place, place / "ledger.duckdb", allow_errors=True).errors
