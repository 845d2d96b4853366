"""Drawings: which there are, that they say what they rest on, and what cannot be drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.cli.app import run

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
            ("speedup over plain decoding", "eagle3, example-7b", "model: constant (example-study)"),
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
