"""Saved questions: their form, their answers on a small ledger, and what they refuse."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import replace
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


@pytest.mark.parametrize(
    "name", sorted(n for n, q in queries().items() if q.statements["candidates"].is_inlined)
)
def test_it_is_the_same_whether_candidates_are_inlined(name: str, asked: Path) -> None:
    query = query_named(name)
    candidates = replace(query.statements["candidates"], is_inlined=False)
    in_a_table = replace(query, statements={**query.statements, "candidates": candidates})
    with open_warehouse(asked) as connection:
        values = bound(query.parameters, {})
        one, other = (answer(connection, each, values) for each in (query, in_a_table))
    assert (one.rows, one.used, one.dropped) == (other.rows, other.used, other.dropped)


def test_a_condition_that_one_side_leaves_open_is_named(ask: Callable[..., Answer]) -> None:
    told = {row["record_id"]: row for row in rows(ask("software-progress"))}
    assert told["unsure-10"]["factor"] == pytest.approx(650 / 500)
    assert told["unsure-10"]["not_stated"] == ["kv_cache"]
    assert told["version-10"]["not_stated"] == []
    # Stated on both sides and another one: no pair, whoever asks.
    assert not {"apart-9", "apart-10"} & set(told)
    strict = {row["record_id"] for row in rows(ask("software-progress", conditions="equal"))}
    assert "version-10" in strict
    assert not {"unsure-9", "unsure-10"} & strict


def test_no_factor_over_a_change_of_the_client(ask: Callable[..., Answer]) -> None:
    told = {row["record_id"]: row for row in rows(ask("software-progress"))}
    changed, after = told["client-10"], told["client-11"]
    assert (changed["client_changed"], changed["factor"]) == (True, None)
    assert (after["client_changed"], after["factor"]) == (False, 1.0)
    assert after["factor_since_first"] is None


def test_what_stands_in_for_a_percentile(ask: Callable[..., Answer]) -> None:
    series = {row["workload"]: row for row in rows(ask("largest-load"))}
    tails = series["tails"]
    # 2,000 ms: kept at p99 with 2 in flight, broken at the median with 8, and open with 4.
    assert (tails["passes"], tails["undecided"], tails["fails"]) == (2, [4], 8)
    asked_for = {row["workload"]: row for row in rows(ask("largest-load", percentile="p99"))}
    assert (asked_for["tails"]["passes"], asked_for["tails"]["fails"]) == (2, 4)


def test_a_benchmark_fixes_lengths_and_counts_requests(ask: Callable[..., Answer]) -> None:
    (row,) = [row for row in rows(ask("fewest-accelerators")) if row["scenario"] == "server"]
    # 10 requests a second at 6 each; the run with fp8 does 4.
    assert (row["record_id"], row["replica_rate"], row["accelerators"]) == ("round-fp4", 6.0, 2)
    lengths = {"input_tokens": "1024", "output_tokens": "128"}
    assert {row["scenario"] for row in rows(ask("fewest-accelerators", **lengths))} == {"closed_loop"}


def test_a_gain_is_open_where_the_other_side_was_not_measured(ask: Callable[..., Answer]) -> None:
    (row,) = rows(ask("lower-precision"))
    assert (row["record_id"], row["from_record_ids"]) == ("round-fp4", ["round-fp8"])
    # The run with fp8 is slower for a user, so that it bounds what fp8 gives at this speed from above alone.
    assert (row["gain_low"], row["gain_high"]) == (pytest.approx(1.5), None)
    assert row["quality_to"] == row["quality_from"] == "99 % of the reference accuracy"
    assert any("1 of 1 rows" in because for because in ask("lower-precision").cannot_say)


def test_requests_that_nobody_counted(ask: Callable[..., Answer]) -> None:
    assert {row["record_id"] for row in rows(ask("energy-under-tail"))} == {"energy"}
    every = ask("energy-under-tail", min_requests="0")
    assert {row["record_id"] for row in rows(every)} == {"energy", "energy-few", "round-fp4"}
    assert any("1 runs" in because for because in every.cannot_say)
    none = ask("energy-under-tail", min_requests="1000").cannot_say
    assert any("1 of them state none" in because for because in none)


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


def test_a_table_tells_once_what_all_rows_have(tools: Any) -> None:
    told = tools("query", "software-progress")[1]
    assert "in every row: model_id example-7b, accelerator_id example-sxm-80gb" in told
    assert "empty in every row: released, measured_on, factor_per_year" in told
    assert "record_id\n" in told
    # An id is needed whole; of many a few are listed and the rest counted.
    assert (
        "\n7 rows from 7 records: client-10, client-11, client-9 and 4 more (--format json lists them)\n"
        in told
    )
    listed = json.loads(tools("query", "software-progress", "--format", "json")[1])
    assert len(listed["used"]) == 7


def test_a_file_that_is_no_question() -> None:
    with pytest.raises(ToolsError, match="no candidates"):
        read_query("broken", "-- Title\n--\n-- Question?\n\n-- [answer]\nSELECT 1;\n")


def test_a_description_takes_no_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["query", "gaps", "--describe", "--nope", "3"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "`--nope`" in said.err
