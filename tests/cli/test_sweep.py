"""`tools sweep run`: what it writes, that it writes it again byte for byte, and what it refuses."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import REPOSITORY, Command
from tests.sweep.conftest import SMALL
from tools.cli.app import run
from tools.sweep.emit import write
from tools.sweep.emit.manifest import output_files

TINY = SMALL.replace("[1, 3, 4, 16]", "[1, 4]").replace("[1, 2, 4, 8]", "[2, 8]")
POINTS = 2 * 2 * 4 * 2


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("config") / "tiny.yaml"
    path.write_text(TINY, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def once(config: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The output of a run; drawing takes seconds, so the tests share one."""
    out = tmp_path_factory.mktemp("once") / "out"
    assert run(["sweep", "run", str(config), "--out", str(out)]) == 0
    return out


@pytest.fixture
def written(once: Path, tmp_path: Path) -> Path:
    """A copy of it for one test."""
    return Path(shutil.copytree(once, tmp_path / "out"))


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in [*output_files(folder), "manifest.json"]}


def _run(tools: Command, config: Path, out: Path) -> Path:
    assert tools("sweep", "run", config, "--out", out).returncode == 0
    return out


def test_it_writes_everything_and_again_the_same_bytes(
    tools: Command, config: Path, written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = set(output_files(written))
    plots = {"speedup_vs_batch", "utilization_vs_batch", "divergence_penalty", "gamma_batch_heatmap"}
    wanted = {f"plots/{name}.{end}" for name in {*plots, "synchronisation"} for end in ("png", "svg")}
    wanted |= {"results/results.csv", "results/summary.txt", "results/synchronisation.csv", "results.parquet"}
    assert {name for name in names if not name.startswith("records/")} == wanted
    assert len(names - wanted) == POINTS
    assert [path.name for path in written.parent.iterdir() if path.name.startswith(".")] == []
    # Drawing takes seconds: of the plots, one is drawn again.
    monkeypatch.setattr(write, "PLOTS", write.PLOTS[:1])
    again = bytes_of(_run(tools, config, written.with_name("again")))
    first = bytes_of(written)
    assert set(first) - set(again) == {name for name in wanted if "plots/" in name and "speedup" not in name}
    assert {name for name, content in again.items() if content != first[name]} == {"manifest.json"}


def test_its_records_validate(tools: Command, written: Path) -> None:
    done = tools("validate", written / "records", "--no-cache")
    assert done.returncode == 0
    assert f"{POINTS} records: no findings" in done.stdout


def test_a_check_finds_what_was_touched(tools: Command, config: Path, written: Path) -> None:
    call = ("sweep", "run", config, "--out", written, "--check")
    assert tools(*call).returncode == 0
    record = next((written / "records").iterdir())
    record.write_text(record.read_text().replace("tok/step", "tok/stop"))
    picture = written / "plots" / "synchronisation.png"
    picture.write_bytes(picture.read_bytes() + b"x")
    (written / "results" / "summary.txt").unlink()
    (written / "records" / "more.yaml").write_text("id: more\n")
    done = tools(*call)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "missing results/summary.txt",
        "not of this study records/more.yaml",
        f"out of date records/{record.name}",
        "changed after the run plots/synchronisation.png",
        "out of date manifest.json",
    ]


def test_another_seed_gives_other_numbers(tools: Command, config: Path, written: Path) -> None:
    done = tools("sweep", "run", config, "--out", written, "--check", "--seed", "1")
    assert done.returncode == 1
    assert "out of date results/results.csv" in done.stdout
    assert "out of date plots/speedup_vs_batch.png and .svg" in done.stdout


def test_the_manifest_names_what_made_it(written: Path) -> None:
    manifest = json.loads((written / "manifest.json").read_bytes())
    assert manifest["seed"] == 2026
    assert manifest["records"]["count"] == manifest["points"] == POINTS
    assert manifest["config"]["cost"] == {"model": "constant", "draft_cost_ratio": 0.2}
    assert set(manifest["versions"]) == {"inference-ledger", "numpy", "matplotlib", "duckdb"}


def test_parquet_has_the_rows(written: Path) -> None:
    import duckdb

    found = duckdb.sql(
        f"select count(*), count(distinct serving) from '{written}/results.parquet'"
    ).fetchone()
    assert found == (POINTS, 2)


def test_a_folder_with_other_things_is_never_replaced(tools: Command, config: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    done = tools("sweep", "run", config, "--out", tmp_path)
    assert done.returncode == 2
    assert "holds `thesis.txt`" in done.stderr
    assert (tmp_path / "thesis.txt").read_text() == "mine"


def test_an_output_that_cannot_be_written(tools: Command, config: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = tools("sweep", "run", config, "--out", tmp_path / "file" / "out")
    assert done.returncode == 2
    assert f"cannot write {tmp_path}/file/out: " in done.stderr
    assert "--out DIR" in done.stderr


def test_an_interruption_leaves_nothing_half_written(
    tools: Command, config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    out = tmp_path / "out"
    out.mkdir()
    monkeypatch.setattr(write, "write_parquet", interrupt)
    done = tools("sweep", "run", config, "--out", out)
    assert done.returncode == 130
    assert "interrupted" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert list(out.iterdir()) == []


def test_without_its_libraries_it_says_what_to_install(
    tools: Command, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What stands in `sys.modules` as None cannot be imported.
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = tools("sweep", "run", config, "--check")
    assert done.returncode == 2
    assert "needs matplotlib" in done.stderr
    assert "inference-ledger[sweep]" in done.stderr


def test_a_fault_in_a_configuration_has_its_line(tools: Command, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(TINY.replace("cost:", "costs:"), encoding="utf-8")
    done = tools("sweep", "run", path, "--out", tmp_path / "out")
    line = next(n for n, row in enumerate(TINY.splitlines(), 1) if row.startswith("cost:"))
    assert done.returncode == 2
    assert f"mine.yaml:{line}: " in done.stderr
    assert "`cost`" in done.stderr


def test_a_study_that_was_never_run(tools: Command, config: Path, tmp_path: Path) -> None:
    done = tools("sweep", "run", config, "--out", tmp_path / "none", "--check")
    assert done.returncode == 2
    assert "without --check" in done.stderr


def test_the_page_has_the_table_of_the_study() -> None:
    page = (REPOSITORY / "docs" / "sweep.md").read_text(encoding="utf-8")
    assert "24 of 24 figures are within 3%" in page
