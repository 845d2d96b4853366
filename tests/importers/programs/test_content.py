"""Bytes as they really come: marks, carriage returns, words that are no numbers, files that break off."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.importers.programs.conftest import Take, lines, numbers
from tests.importers.programs.runs import CONSOLE, llama_row, sglang_run, vllm_run
from tools.importers.programs.content import LARGEST, Content, ContentError, Digits, NonFinite, read_content
from tools.importers.programs.markdown import tables

RUN = json.dumps(vllm_run())


@pytest.mark.parametrize(
    "data",
    [
        RUN.encode("utf-8-sig"),
        RUN.encode("utf-16"),
        json.dumps(vllm_run(), indent=2).replace("\n", "\r\n").encode(),
        f"\n\n{RUN}\n\n".encode(),
    ],
    ids=["utf-8 mark", "utf-16", "crlf", "empty lines"],
)
def test_the_same_run_in_other_bytes_is_the_same_record(data: bytes, take: Take) -> None:
    assert numbers(take(data).only) == numbers(take(RUN).only)


def test_a_console_with_carriage_returns_reads_as_shown(take: Take) -> None:
    assert numbers(take(CONSOLE.replace("\n", "\r\n")).only) == numbers(take(CONSOLE).only)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "it is empty"),
        (b" \r\n\t", "it is empty"),
        (b"\xff\xfe\x00", "it is no text"),
        (b"PK\x03\x04\xff\xff", "it is no text"),
        (RUN[:-200].encode(), "cut off"),
        (b"{" * 200_000, "line 1 is no JSON"),
        (b"[" * 200_000, "nested too deep"),
        (b'{"completed": 1, "completed": 2}', "key twice"),
        (RUN.encode("utf-16-le"), "it has NUL characters"),
        (RUN.encode("utf-32"), "it has NUL characters"),
        (RUN.encode() + b"\0" * 9, "it has NUL characters"),
        (b'{"completed": 1e999}', "1e999... is more than a number can hold"),
        (b'{"completed": 1E-999999999}', "more than a number can hold"),
        (b'{"completed": ' + b"9" * 400 + b"}", "99999999999999999999... is more than"),
        (b"hello", "no known format fits"),
        (b"[]", "no known format fits"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_reason(data: bytes, reason: str, take: Take) -> None:
    assert reason in take(data).reason


def test_a_last_line_that_breaks_off_costs_no_other(take: Take) -> None:
    taken = take(lines(sglang_run(), sglang_run(max_concurrency=16)) + json.dumps(sglang_run())[:99])
    assert len(taken.records) == 2
    assert taken.reasons == ["line 3 is no JSON: the file is cut off; what stands above it was read"]


def test_numbers_keep_their_digits_and_words_are_none() -> None:
    (part,) = Content(b'{"a": 2.20, "b": NaN, "c": -Infinity, "d": "NaN"}').parts
    assert isinstance(part.values["a"], Digits)
    assert part.values["a"] == "2.20"
    assert [type(part.values[key]) for key in "bcd"] == [NonFinite, NonFinite, str]


def test_digits_stay_in_the_record(take: Take) -> None:
    text = RUN.replace('"mean_tpot_ms": 20.0', '"mean_tpot_ms": 20.000')
    assert "value: 20.000" in take(text).text


def test_a_csv_row_that_breaks_off_is_refused(take: Take) -> None:
    row = {key: str(value) for key, value in llama_row(samples_ns=object, samples_ts=object).items()}
    whole = ",".join(row) + "\n" + ",".join(f'"{value}"' for value in row.values()) + "\n"
    assert take(whole).only["conditions"]["test"] == "tg100"
    assert "it is cut off" in take(whole[:-30] + '"').reason


def test_what_has_no_end_is_not_read_to_it() -> None:
    with pytest.raises(ContentError, match="or more"):
        read_content(Path("/dev/zero"))


def test_tables_that_nothing_parts_are_two() -> None:
    rule = "|---|---|\n"
    text = "| a | b |\n" + rule + "| 1 | 2 |\n| c | d |\n" + rule + "| 3 | 4 |\n\n| 5 | 6 |\n"
    found = [(head, [row.cells for row in rows]) for head, rows in tables(Content(text.encode()))]
    assert found == [(("a", "b"), [("1", "2")]), (("c", "d"), [("3", "4")])]


def test_a_text_of_nothing_but_rules_is_read_once_through() -> None:
    # Reading every table to the end of the text would take hours.
    assert len(list(tables(Content(b"|---|\n" * 300_000)))) == 299_999


def test_the_limit_of_a_file_is_told(monkeypatch: pytest.MonkeyPatch, take: Take) -> None:
    monkeypatch.setattr("tools.importers.programs.content.LARGEST", 10)
    assert "10 are read at most" in take(RUN).reason
    assert LARGEST > 10
    with pytest.raises(ContentError):
        Content(b"")
