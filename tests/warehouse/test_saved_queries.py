"""Saved questions: their form, their answers on a small ledger, and what they refuse."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from questions import laid_out

from tools.cli.app import run
from tools.errors import ToolsError
from tools.warehouse.build import build
from tools.warehouse.query import Answer, answer
from tools.warehouse.query_file import queries, query_named, read_query
from tools.warehouse.query_parameter import bound
from tools.warehouse.sandbox import open_warehouse

REPOSITORY = Path(__file__).resolve().parents[2]
PAIR = {"a": "energy", "b": "energy-few"}


@pytest.fixture(scope="session")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The warehouse of the ledger of questions."""
    place = tmp_path_factory.mktemp("questions")
    build(laid_out(place / "ledger"), place / "ledger.duckdb", lambda *_: nullcontext(lambda _: None), jobs=1)
    return place / "ledger.duckdb"


@pytest.fixture(scope="session")
def ask(asked: Path) -> Iterator[Callable[..., Answer]]:
    with open_warehouse(asked) as connection:

        def call(name: str, **given: str) -> Answer:
            query = query_named(name)
            return answer(connection, query, bound(query.parameters, given))

        yield call


@pytest.fixture
def tools(asked: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def call(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run([*arguments, "--warehouse", str(asked)])
        return code, *capsys.readouterr()

    return call


def rows(found: Answer) -> list[dict[str, Any]]:
    return [dict(zip(found.columns, row, strict=True)) for row in found.rows]


@pytest.mark.parametrize("name", sorted(queries()))
def test_a_header_says_everything(name: str) -> None:
    query = queries()[name]
    assert query.columns
    assert query.cannot_say
    assert query.dropped
    assert query.question.endswith(")") or "?" in query.question
    body = "\n".join(statement.text for statement in query.statements.values())
    assert set(re.findall(r"\$(\w+)", body)) == {parameter.name for parameter in query.parameters}


@pytest.mark.parametrize("number", range(1, 16))
def test_every_planner_question_has_a_file(number: int) -> None:
    told = [name for name, query in queries().items() if f"P{number:02}" in query.question]
    # The fourth has two: the shares, and the claim about them.
    assert len(told) == 1


@pytest.mark.parametrize("name", sorted(queries()))
def test_an_answer_says_what_it_rests_on(name: str, ask: Callable[..., Answer]) -> None:
    found = ask(name, **(PAIR if name == "may-i-compare" else {}))
    assert bool(found.rows) or bool(found.cannot_say)
    assert bool(found.used) == bool(found.rows)


def test_the_answers(ask: Callable[..., Answer], golden: Callable[[str, str], None]) -> None:
    given: dict[str, dict[str, str]] = {
        "may-i-compare": PAIR,
        "cheapest-under-ttft": {"prices": "example-sxm-80gb=2", "price_as_of": "2026-11-01"},
        "three-costs": {"prices": "example-sxm-80gb=2", "price_as_of": "2026-11-01"},
        "lower-precision": {"from": "fp16", "to": "fp8", "quality": "ignored"},
    }
    told = []
    for name in queries():
        found = ask(name, **given.get(name, {}))
        told.append(f"# {name}")
        told += [json.dumps(row, default=str, ensure_ascii=False) for row in rows(found)]
        told += [f"cannot say: {because}" for because in found.cannot_say]
        told += [f"left out: {item.records} {item.reason}" for item in found.dropped]
    golden("saved-questions.txt", "\n".join(told) + "\n")


def test_all_tokens_never_stand_in_for_output_tokens(ask: Callable[..., Answer]) -> None:
    found = rows(ask("fastest-at-speed"))
    alike = [row for row in found if row["workload"] is None and row["weights"] == "fp16"]
    assert {row["record_id"] for row in alike if row["isl_mean"] == 1024} == {
        "frontier-fast",
        "frontier-broad",
    }


def test_a_price_is_never_counted_twice(ask: Callable[..., Answer]) -> None:
    prices = {"prices": "example-sxm-80gb=2", "price_as_of": "2026-11-01"}
    (split,) = [row for row in rows(ask("three-costs", **prices)) if row["record_id"] == "split"]
    # Two currencies an hour: one accelerator at 12,800 input tok/s, three at 1,600 output tok/s.
    assert split["cost_per_m_input"] == pytest.approx(2 / (3600 * 12800) * 1e6)
    assert split["cost_per_m_output"] == pytest.approx(3 * 2 / (3600 * 1600) * 1e6)
    assert split["cost_per_m_total"] == pytest.approx(4 * 2 / (3600 * 14400) * 1e6)
    assert ask("three-costs", prices="example-sxm-80gb=2").cannot_say == (
        "the prices have no day (--price-as-of)",
    )


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("fastest-at-sped",), "fastest-at-speed"),
        (("gaps", "--modle", "example-7b"), "--model"),
        (("gaps", "--model", "example-7c"), "example-7b"),
        (("gaps", "--model", "' OR 1=1 --"), "there is no model"),
        (("gaps", "--model"), "has no value"),
        (("gaps", "example-7b"), "--NAME VALUE"),
        (("fastest-at-speed", "--min-speed", "fast"), "a number from 0 up"),
        (("fastest-at-speed", "--min-speed", "nan"), "a number from 0 up"),
        (("fastest-at-speed", "--speed-from", "mean"), "tpot|itl"),
        (("corrections", "--since", "yesterday"), "YYYY-MM-DD"),
        (("three-costs", "--prices", "2.5"), "ACCELERATOR=NUMBER"),
        (("three-costs", "--prices", "example-sxm-80=2"), "example-sxm-80gb"),
        (("may-i-compare", "--a", "energy"), "--b has to be given"),
        (("gaps", "--format", "parquet"), "--out"),
    ],
)
def test_a_wrong_call(tools: Any, arguments: tuple[str, ...], says: str) -> None:
    code, out, err = tools("query", *arguments)
    assert code == 2
    assert says in err
    assert out == ""
    assert "Traceback" not in err


def test_a_warehouse_that_is_missing_damaged_or_old(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import duckdb

    damaged, old = tmp_path / "damaged.duckdb", tmp_path / "old.duckdb"
    damaged.write_bytes(b"half a file")
    with duckdb.connect(str(old)) as connection:
        connection.execute("CREATE TABLE warehouse AS SELECT 0 AS layout")
    for place in (tmp_path / "none.duckdb", damaged, old):
        assert run(["query", "gaps", "--warehouse", str(place)]) == 2
        assert "tools build" in capsys.readouterr().err


def test_every_format(tools: Any, tmp_path: Path) -> None:
    import duckdb

    told = json.loads(tools("query", "largest-load", "--format", "json")[1])
    assert told["rows"][0]["passes"] == 8
    assert told["rows"][0]["fails"] == 16
    assert {"used", "dropped", "cannot_say", "parameters"} <= set(told)
    assert tools("query", "largest-load", "--format", "csv")[1].startswith("model_id,")
    assert "| model_id |" in tools("query", "largest-load", "--format", "markdown")[1]
    place = tmp_path / "answer.parquet"
    assert tools("query", "largest-load", "--format", "parquet", "--out", str(place))[0] == 0
    assert duckdb.read_parquet(str(place)).columns == list(told["rows"][0])
    assert "the ledger cannot say" in tools("query", "energy-under-tail", "--ttft-p99-ms", "1")[1]


def test_a_file_that_is_no_question() -> None:
    with pytest.raises(ToolsError, match="no candidates"):
        read_query("broken", "-- Title\n--\n-- Question?\n\n-- [answer]\nSELECT 1;\n")
