"""Drawings: which there are, that they say what they rest on, and what cannot be drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.cli.app import run
from tools.warehouse.plot_usual import frontier
from tools.warehouse.query import Answer, answer
from tools.warehouse.query_file import query_named
from tools.warehouse.query_parameter import bound
from tools.warehouse.sandbox import open_warehouse

pytest.importorskip("matplotlib", reason="needs the extra sweep")


@pytest.fixture(scope="module")
def own(database: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy that no other connection of this process has open with other settings."""
    place = tmp_path_factory.mktemp("own") / "ledger.duckdb"
    place.write_bytes(database.read_bytes())
    return place


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ("fastest-at-speed",),
            ("output tok/s per accelerator", "example-7b, example-card-80gb-pcie", "records"),
        ),
        (
            ("break-even",),
            (
                "speedup over plain decoding",
                "eagle3, example-7b",
                "model: constant (example-study)",
                "roofline model",
            ),
        ),
        (("gaps", "--x", "present", "--y", "absent", "--by", "condition"), ("present", "warmup")),
    ],
)
def test_a_drawing(own: Path, tmp_path: Path, arguments: tuple[str, ...], says: tuple[str, ...]) -> None:
    stem = tmp_path / "drawing"
    assert run(["plot", *arguments, "--out", str(stem), "--warehouse", str(own)]) == 0
    svg = stem.with_suffix(".svg").read_text(encoding="utf-8")
    for words in says:
        assert words in svg
    assert stem.with_suffix(".png").read_bytes().startswith(b"\x89PNG")


def test_a_line_joins_the_runs_of_one_frontier(own: Path) -> None:
    query = query_named("fastest-at-speed")
    with open_warehouse(own) as connection:
        found = answer(connection, query, bound(query.parameters, {"min_speed": "1"}))
        at = {name: number for number, name in enumerate(found.columns)}

        def row(rank: int, speed: float, rate: float, osl_mean: float) -> tuple[object, ...]:
            changed = {"rank": rank, "speed": speed, "output_per_accelerator": rate, "osl_mean": osl_mean}
            return tuple(changed.get(name, found.rows[0][at[name]]) for name in found.columns)

        # Alike but for the length of the output: two frontiers, however close they lie.
        rows = [row(1, 20, 900, 128), row(2, 40, 500, 130), row(1, 10, 800, 256), row(2, 50, 100, 250)]
        figure = frontier(connection, Answer(query, {}, found.columns, rows, (), (), (), 0.0))
    (panel,) = figure.axes
    drawn = {str(line.get_label()): list(zip(*line.get_data(), strict=True)) for line in panel.get_lines()}
    assert drawn == {"128 out": [(20, 900), (40, 500)], "256 out": [(10, 800), (50, 100)]}
    assert "example-7b, example-card-80gb-pcie" in panel.get_title()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("gaps",), "--x and --y"),
        (("gaps", "--x", "present"), "both --x and --y"),
        (("gaps", "--x", "presnt", "--y", "absent"), "`present`"),
        (("gaps", "--x", "condition", "--y", "absent"), "holds no numbers"),
        (
            ("three-costs", "--x", "input_share", "--y", "cost_per_m_total"),
            "nothing to draw, because no price",
        ),
        (("nothing",), "no saved question"),
    ],
)
def test_what_cannot_be_drawn(
    own: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], says: str
) -> None:
    assert run(["plot", *arguments, "--out", str(tmp_path / "drawing"), "--warehouse", str(own)]) == 2
    assert says in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
