"""`tools sweep run` with the cost model roofline: what it prints and writes, and what it refuses."""

from __future__ import annotations

import csv
import math
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tools.cli.app import run
from tools.sweep.config import CONFIGS
from tools.sweep.roofline.config import load_grid, numbers, whole_numbers
from tools.sweep.scale import executors

REPOSITORY = Path(__file__).resolve().parents[2]
KEPT = REPOSITORY / "generated" / "sweeps" / "roofline"
GRID = {
    "--cost": "roofline",
    "--accelerator": "nvidia-h100-sxm-80gb",
    "--model": "llama-3.1-8b",
    "--draft": "eagle3",
    "--context": "1024",
    "--batch": "1,64",
    "--gamma": "1:3",
    "--quality": "0.7",
    "--root": str(REPOSITORY),
}


def call(*more: str, **changes: str | None) -> list[str]:
    grid = {**GRID, **{f"--{name}": value for name, value in changes.items()}}
    return [
        "sweep",
        "run",
        *(word for option, value in grid.items() if value is not None for word in (option, value)),
        *more,
    ]


def test_a_small_grid_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(call()) == 0
    head, _, first, second = capsys.readouterr().out.splitlines()
    assert "llama-3.1-8b on 1 x nvidia-h100-sxm-80gb, eagle3, vllm, context 1,024, q 0.7: no B*" in head
    assert first.split()[:2] == ["1", "3"]
    assert float(first.split()[2]) > float(second.split()[2]) > 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"gamma": "0"}, "a gamma of 0 cannot be"),
        ({"quality": "1.0"}, "a quality of 1 cannot be"),
        ({"quality": "0.5:0.4"}, "the range `0.5:0.4` of quality is empty"),
        ({"context": "-5"}, "a context of -5 cannot be"),
        ({"batch": "1.5"}, "it is a whole number"),
        ({"batch": "many"}, "`many` is no value of batch size"),
        ({"batch": None, "gamma": None}, "no --batch, no --gamma"),
        ({"model": "lama-3.1-8b"}, "did you mean `llama-3.1-8b`"),
        ({"accelerator": "nvidia-v100-sxm2-32gb"}, "does not state a dense matrix peak in bf16"),
        ({"quality-sd": "0.6"}, "a standard deviation of 0.6"),
        ({"cost": "constant"}, "the axes of `constant` are not options"),
        ({"format": "csv"}, "there is no format `csv`"),
        ({"format": "parquet"}, "a data set needs a place"),
        ({"workers": "2"}, "--format parquet"),
        ({"batch": "1:20000", "quality": "0.001:0.999:0.001"}, "too many to read"),
    ],
)
def test_a_grid_that_cannot_be_is_refused(
    capsys: pytest.CaptureFixture[str], changes: dict[str, str | None], message: str
) -> None:
    assert run(call(**changes)) == 2
    told = capsys.readouterr()
    assert message in told.err
    assert "help: " in told.err
    assert told.out == ""


def test_a_grid_of_a_trillion_is_refused_and_leaves_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    huge = {"context": "1:10000", "batch": "1:10000", "gamma": "1:10", "quality": "0.001:0.999:0.001"}
    out = tmp_path / "set"
    assert run(call(**huge, **{"format": "parquet", "out": str(out), "quality-sd": "0.01"})) == 2
    assert re.search(
        r"999,000,000,000 points: about 14 TB of Parquet and .* days with 1 worker.*--yes",
        capsys.readouterr().err,
        re.DOTALL,
    )
    assert not out.exists()


def test_a_scheduler_that_does_not_answer_leaves_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(executors, "ANSWERS_WITHIN", "1s")
    out = tmp_path / "set"
    where = {"format": "parquet", "out": str(out), "executor": "dask", "scheduler": "tcp://127.0.0.1:1"}
    assert run(call(**where)) == 2
    assert "no Dask scheduler answers at tcp://127.0.0.1:1" in capsys.readouterr().err
    assert not out.exists()


def test_ctrl_c_keeps_what_is_whole(tmp_path: Path) -> None:
    out = tmp_path / "set"
    large = call(context="1:5000", batch="1:200", quality="0.5:0.9:0.1", format="parquet", out=str(out))
    noted = out / "done.jsonl"
    # Whoever starts the tests in the background has interrupts ignored.
    heeding = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    heeding += "from tools.cli.app import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", heeding, *large], cwd=REPOSITORY, stderr=subprocess.PIPE, text=True
    ) as running:
        deadline = time.monotonic() + 60
        while not (noted.exists() and noted.stat().st_size) and time.monotonic() < deadline:
            time.sleep(0.02)
        running.send_signal(signal.SIGINT)
        _, told = running.communicate(timeout=60)
    assert running.returncode == 130, told
    assert "--resume" in told
    assert "Traceback" not in told
    assert noted.exists()
    assert not (out / "manifest.json").exists()
    assert not list(out.rglob("*.partial"))


def test_ranges_hold_both_ends_and_no_rounding() -> None:
    assert whole_numbers("gamma", ["1:3,8", 5]) == (1, 2, 3, 5, 8)
    assert whole_numbers("context", ["0:1000:250"]) == (0, 250, 500, 750, 1000)
    assert numbers("quality", ["0.5:0.9:0.1"]) == (0.5, 0.6, 0.7, 0.8, 0.9)


def text_of_config() -> str:
    return (CONFIGS / "roofline.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("quality_sd:", "quality_sdd:", "did you mean `quality_sd`?"),
        ("gamma: [1, 3, 5]", "gamma: [0, 3]", "a gamma of 0 cannot be"),
        ("quality: [0.6, 0.8]", "quality: [0.6, 1.2]", "a quality of 1.2 cannot be"),
        ("context: [1024]", 'context: ["5:1"]', "the range `5:1` of context is empty"),
        ("share: 0.5}", "share: 0.4}", "sum to 0.8"),
        ("2026-11-30", "2026-11-31", "no day 2026-11-31"),
    ],
)
def test_a_fault_of_a_configuration_has_its_file_and_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, old: str, new: str, message: str
) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(text_of_config().replace(old, new), encoding="utf-8")
    assert run(["sweep", "run", str(path), "--root", str(REPOSITORY)]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert re.search(r"mine\.yaml:\d+: ", told)


def test_options_beside_a_configuration_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sweep", "run", "roofline", "--gamma", "3"]) == 2
    assert "in options too" in capsys.readouterr().err
    assert run(["sweep", "run", "study", "--cost", "roofline"]) == 2
    assert "has the cost model `constant`" in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    out = str(tmp_path / "file" / "set")
    assert run(["sweep", "run", "roofline", "--root", str(REPOSITORY), "--out", out]) == 2
    assert "cannot write" in capsys.readouterr().err


def test_what_is_kept_is_what_is_computed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sweep", "run", "roofline", "--check", "--root", str(REPOSITORY)]) == 0
    assert "everything is current" in capsys.readouterr().err


def test_its_records_validate() -> None:
    assert run(["validate", "--root", str(REPOSITORY), "--no-cache", str(KEPT / "records")]) == 0


def test_the_tables_hold_together() -> None:
    """Of the kept tables: best gammas are best, and B* lies between the last gain and the first loss."""
    grid = load_grid(CONFIGS / "roofline.yaml")
    with (KEPT / "results" / "results.csv").open(encoding="utf-8") as file:
        points = list(csv.DictReader(file))
    with (KEPT / "results" / "curves.csv").open(encoding="utf-8") as file:
        curves = list(csv.DictReader(file))
    assert len(points) == grid.axes.points == 120
    key = ("model", "draft", "context", "quality", "batch_size")
    crossed = 0
    for curve in curves:
        own = [point for point in points if all(point[name] == curve[name] for name in key)]
        speedup = {point["gamma"]: float(point["speedup"]) for point in own}
        assert speedup[curve["best_gamma"]] == max(speedup.values()) == float(curve["speedup"])
        critical = float(curve["critical_batch"])
        if math.isfinite(critical) and float(curve["batch_size"]) > critical:
            assert max(speedup.values()) < 1
            crossed += 1
    assert crossed
    summary = (KEPT / "results" / "summary.txt").read_text(encoding="utf-8")
    assert max(map(len, summary.splitlines())) <= 100
    assert "there is no B*" in summary
    assert "It pays up to B* =" in summary


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    assert run(call(format="parquet", out=str(tmp_path / "set"))) == 2
    assert "cannot write" in capsys.readouterr().err
