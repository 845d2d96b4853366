"""The study itself, as it is kept: what it reproduces, says and holds."""

from __future__ import annotations

import csv
import re
import shlex
from pathlib import Path

import pytest
import typer

from tools.cli.app import app
from tools.cli.app import run as tools
from tools.errors import ToolsError
from tools.sweep.config import CONFIGS, Study
from tools.sweep.grid import Results, simulate
from tools.sweep.published import compare, fall_to_one
from tools.sweep.summary import summary

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def results(study: Study) -> Results:
    return simulate(study, lambda _: None)


def test_every_published_figure_is_reproduced_within_three_per_cent(results: Results) -> None:
    comparison = compare(results)
    assert comparison is not None
    assert comparison.tolerance == 0.03
    assert len(comparison.figures) == 24
    assert [figure for figure in comparison.figures if abs(figure.error) > 0.03] == []
    assert comparison.break_even is not None
    assert comparison.break_even.closed_form == pytest.approx(9.1, abs=0.05)


def test_the_kept_table_is_what_was_computed(results: Results) -> None:
    with (REPOSITORY / "generated/sweeps/study/results/results.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 392
    kept = {
        (row["quality"], row["synchronisation"], int(row["batch_size"]), int(row["gamma"])): float(
            row["speedup"]
        )
        for row in rows
    }
    assert kept == {place: figures.speedup for _, place, figures in results.served()}


def test_the_example_of_the_verb_finds_everything_current(
    results: Results, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    example = re.search(r"Example: tools (.+)", typer.main.get_command(app).get_command(None, "sweep").help)
    assert example is not None
    # Computing the study takes seconds, and nothing of it is left to chance.
    monkeypatch.setattr("tools.sweep.run.simulate", lambda *_: results)
    assert tools([*shlex.split(example[1]), "--root", str(REPOSITORY)]) == 0
    assert "everything is current" in capsys.readouterr().err


def test_the_other_ways_to_wait_change_the_answer_as_known(results: Results) -> None:
    """The figures that the model of the study gives for them: 1.00, 0.56 and 1.39."""
    at = {tuple(place): figures.speedup for place, figures in results.at.items()}
    assert at["bimodal", "run_to_completion", 64, 2] == pytest.approx(1.00, abs=0.01)
    assert at["homogeneous_good", "lock_step", 64, 4] == pytest.approx(0.56, abs=0.01)
    assert at["bimodal", "refill", 64, 2] == pytest.approx(1.39, abs=0.01)


def test_the_summary_tells_data_from_assumption(results: Results) -> None:
    text = summary(results, compare(results))
    data, assumed = text.index("What the numbers say"), text.index("What follows only from an assumption")
    assert data < text.index("homogeneous_mid: at best") < assumed
    assert assumed < text.index("does not know the batch")
    assert assumed < text.index("does not depend on quality alone")
    assert "24 of 24 published figures" in text
    assert max(map(len, text.splitlines())) <= 100


def test_the_summary_follows_the_numbers(small_results: Results) -> None:
    text = summary(small_results, None)
    assert "128 operating points" in text
    assert "published" not in text
    assert f"{small_results.at[small_results.peak('bimodal', 'ragged')].speedup:.2f} times plain" in text


def test_a_figure_outside_the_grid_is_refused_with_its_line(results: Results, tmp_path: Path) -> None:
    from dataclasses import replace

    text = (CONFIGS / "published.yaml").read_text(encoding="utf-8").replace("gamma: 12", "gamma: 13", 1)
    path = tmp_path / "published.yaml"
    path.write_text(text, encoding="utf-8")
    line = next(n for n, row in enumerate(text.splitlines(), 1) if "gamma: 13" in row)
    moved = replace(results, study=replace(results.study, published=path))
    with pytest.raises(ToolsError, match=f"published.yaml:{line}: the grid of `study` has no such point"):
        compare(moved)


def test_where_a_curve_falls_to_one() -> None:
    assert fall_to_one([(1, 1.5), (2, 1.2), (4, 0.8)]) == pytest.approx(3)
    assert fall_to_one([(1, 1.5), (2, 1.2)]) is None
