"""A configuration is refused with its line and a way out, or taken as it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sweep.conftest import SMALL
from tools.errors import ToolsError
from tools.sweep.config import Study, find_config, load_study


def test_the_study_has_the_published_grid(study: Study) -> None:
    assert study.points == 392
    assert study.qualities["bimodal"].mean == pytest.approx((0.85 + 0.4) / 2)
    assert study.qualities["heterogeneous"].single is None


@pytest.mark.parametrize(
    ("old", "new", "message", "hint"),
    [
        ("output_length:", "output_lenght:", "did you mean `output_length`?", ""),
        ("gamma: [1,", "gamma: [0,", "it must be 1 or more", ""),
        ("{q: 0.65}", "{q: 1.0}", "it must be less than 1", ""),
        ("{q: 0.65}", "{q: 0}", "it must be more than 0", ""),
        ("output_length: 128", "output_length: -5", "it must be 1 or more", ""),
        ("batch_size: [1, 3, 4, 16]", "batch_size: [1, 3, 3]", "lists 3 twice", ""),
        ("static_batch: ragged", "static_batch: raged", "did you mean `ragged`?", ""),
        ("model: constant", "model: constnt", "must be `constant`", ""),
        ("{low: 0.4, high: 0.9}", "{low: 0.9, high: 0.4}", "low is not below high", "`q`"),
        ("{q: 0.4, share: 0.5}", "{q: 0.4, share: 0.4}", "sum to 0.9", ""),
        ("date: 2026-11-30", "date: 2026-02-30", "no day 2026-02-30", ""),
        ("requests: 512", "requests: 20", "fewer than two batches of 16", "at least 32"),
        ("seed: 2026", "seed: 2026\nseed: 1", "seed", ""),
        ("  bimodal:", "  Bi-modal:", "Bi-modal", ""),
    ],
)
def test_a_fault_has_its_line_and_a_hint(tmp_path: Path, old: str, new: str, message: str, hint: str) -> None:
    path = tmp_path / "mine.yaml"
    text = SMALL.replace(old, new, 1)
    assert text != SMALL
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ToolsError) as refused:
        load_study(path)
    number = next(n for n, line in enumerate(text.splitlines(), 1) if new.splitlines()[-1] in line)
    found = refused.value.message
    assert found.startswith(f"{path}:")
    # A mapping whose parts do not go together is told at its key, which may be a line or two above.
    assert 0 <= number - int(found.removeprefix(f"{path}:").partition(":")[0]) <= 2
    assert message in found
    assert hint in refused.value.hint


def test_too_many_points_are_refused_with_their_size(tmp_path: Path) -> None:
    numbers = ", ".join(map(str, range(1, 65)))
    text = SMALL.replace("[1, 3, 4, 16]", f"[{numbers}]").replace("[1, 2, 4, 8]", f"[{numbers}]")
    path = tmp_path / "large.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ToolsError, match=r"32,768 points.*96 MB"):
        load_study(path)


def test_an_unknown_study_names_the_nearest() -> None:
    with pytest.raises(ToolsError) as refused:
        find_config("studdy")
    assert refused.value.hint == "did you mean `study`?"


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(ToolsError, match=r"cannot read nowhere\.yaml"):
        load_study(find_config("nowhere.yaml"))
