"""Tables for a terminal of some width: what does not fit is neither lost nor broken."""

from __future__ import annotations

from typing import Any

import pytest

from tools.warehouse.table_text import table

COLUMNS = ("model_id", "rate", "workload", "record_id")
ID = "a-record-with-an-id-that-is-longer-than-any-other-cell-of-a-table-may-be"
ROWS: list[tuple[Any, ...]] = [
    ("example-7b", 12.5, "a data set", ID),
    ("example-70b", 1.25, None, "another-record"),
]


def lines(width: int | None, *whole: str) -> list[str]:
    return list(table(COLUMNS, ROWS, lambda text, _: text, width=width, whole=whole))


def test_without_a_width_a_row_is_one_line() -> None:
    head, first, second = lines(None)
    assert head.split() == list(COLUMNS)
    assert first.startswith("example-7b   12.5  a data set  ")
    assert second.startswith("example-70b  1.25              ")
    assert first.endswith("…")


@pytest.mark.parametrize("width", [None, 60, 40, 20])
def test_an_id_is_never_cut(width: int | None) -> None:
    assert any(ID in line for line in lines(width, "record_id"))
    assert not any(ID in line for line in lines(width))


def test_a_row_goes_on_in_a_second_line() -> None:
    head, more, first, rest, *_ = lines(50, "record_id")
    assert head.split() == ["model_id", "rate", "workload"]
    assert (more.strip(), rest.strip()) == ("record_id", ID)
    assert first == "example-7b   12.5  a data set"
    assert more.startswith("    ")


def test_values_stand_behind_their_names_where_two_lines_do_not_do() -> None:
    told = lines(24, "record_id")
    assert told[:3] == ["model_id example-7b", "    rate 12.5", "    workload a data set"]
    assert told[3] == f"    record_id {ID}"
    # What is empty is left out.
    assert told[4:] == ["model_id example-70b", "    rate 1.25", "    record_id another-record"]
    assert all(len(line) <= 24 for line in told if "record_id" not in line)


def test_columns_without_rows() -> None:
    assert list(table(COLUMNS, [], lambda text, _: text, width=80)) == ["model_id  rate  workload  record_id"]
