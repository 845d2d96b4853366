"""A data set is the same whoever computes it and however often it was interrupted, and refuses what cannot be."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
from collections.abc import Iterable, Iterator
from pathlib import Path

import duckdb
import numpy as np
import pytest

from tools.errors import ToolsError
from tools.records.catalog import Catalog
from tools.sweep.roofline.axes import Axes, Places
from tools.sweep.roofline.choice import Choice, Proposal, setting
from tools.sweep.scale.chunk import Job, Written
from tools.sweep.scale.executors import Executor, Local, Processes, executor
from tools.sweep.scale.plan import Plan, refuse_too_large
from tools.sweep.scale.run import Outcome, Share, parse_share, planned, write_data_set

REPOSITORY = Path(__file__).resolve().parents[2]
AXES = Axes(
    ("nvidia-h100-sxm-80gb",),
    ("llama-3.1-8b", "gpt-oss-20b"),
    (Proposal("eagle3"), Proposal("0.05")),
    ("vllm",),
    (1,),
    "bf16",
    "bf16",
    None,
    Places((512, 4096), (1, 8, 64), (1, 3), (0.5, 0.7, 0.9)),
    0.08,
)


@pytest.fixture(scope="module")
def plan() -> Plan:
    """144 points in 8 chunks of 18."""
    return planned(AXES, Catalog(REPOSITORY), 18)


@pytest.fixture(scope="module")
def whole(plan: Plan, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "set"
    write(plan, folder, Local())
    return folder


def write(
    plan: Plan, folder: Path, how: Executor, *, resume: bool = False, share: Share | None = None
) -> Outcome:
    return write_data_set(
        plan, folder, how, 1, resume=resume, agreed=False, share=share, advance=lambda _: None
    )


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


class Interrupted:
    """Stops as if Ctrl-C had been pressed after so many chunks."""

    def __init__(self, after: int) -> None:
        self.after = after

    def run(self, jobs: Iterable[Job]) -> Iterator[Written]:
        for number, written in enumerate(Local().run(jobs)):
            if number == self.after:
                raise KeyboardInterrupt
            yield written


def test_blocks_cover_every_place_once_in_order() -> None:
    for most in (1, 2, 3, 5, 7, 12, 36, 1000):
        blocks = list(AXES.places.blocks(most))
        assert all(block.points <= most for block in blocks)
        assert len(blocks) == AXES.places.count_blocks(most)
        found = [
            (s, b, g, q)
            for block in blocks
            for s in range(*block.context)
            for b in range(*block.batch)
            for g in range(*block.gamma)
            for q in range(*block.quality)
        ]
        assert found == list(np.ndindex(*AXES.places.shape))


def test_a_data_set_reads_as_one_table(whole: Path) -> None:
    with duckdb.connect() as connection:
        count, models, drafts = connection.execute(
            "SELECT count(*), count(DISTINCT model), list(DISTINCT draft ORDER BY draft) "
            f"FROM read_parquet('{whole}/**/*.parquet', hive_partitioning = true)"
        ).fetchall()[0]
        row = connection.execute(
            f"SELECT speedup, plain_ms, fits FROM read_parquet('{whole}/**/*.parquet', hive_partitioning = true) "
            "WHERE model = 'llama-3.1-8b' AND draft = 'eagle3' AND context = 4096 AND batch_size = 8 "
            "AND gamma = 3 AND quality = 0.7"
        ).fetchall()
    assert (count, models, drafts) == (144, 2, ["eagle3", "ratio-0.05"])
    made = setting(Catalog(REPOSITORY), Choice("nvidia-h100-sxm-80gb", "llama-3.1-8b", Proposal("eagle3")))
    at = [np.array(float(value)) for value in (8, 3, 4096, 0.7)]
    assert row == [
        (
            pytest.approx(float(made.speedup(*at)), rel=1e-6),
            pytest.approx(float(made.times(*at[:3]).plain) * 1e3, rel=1e-6),
            True,
        )
    ]
    manifest = json.loads((whole / "manifest.json").read_text())
    assert manifest["points"] == sum(file["points"] for file in manifest["files"]) == 144
    assert not list(whole.rglob(".*"))


def test_interrupted_and_resumed_it_is_the_same(whole: Path, plan: Plan, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    with pytest.raises(KeyboardInterrupt):
        write(plan, folder, Interrupted(5))
    assert not (folder / "manifest.json").exists()
    with pytest.raises(ToolsError, match="interrupted run") as refused:
        write(plan, folder, Local())
    assert "--resume" in refused.value.hint
    # A crash cuts the last line, loses a file and leaves a part of one.
    with (folder / "done.jsonl").open("a") as file:
        file.write('{"number": 7, "poi')
    kept = sorted(folder.rglob("*.parquet"))
    kept[0].unlink()
    kept[1].with_name(".part-00000099.abcd.partial").write_text("half")
    outcome = write(plan, folder, Local(), resume=True)
    assert contents(folder) == contents(whole)
    # Five were noted, of which one was lost; the sixth was in its place, but not noted.
    assert outcome.chunks == plan.count - 4


def test_another_grid_does_not_resume(plan: Plan, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    with pytest.raises(KeyboardInterrupt):
        write(plan, folder, Interrupted(1))
    with pytest.raises(ToolsError, match="of another grid"):
        write(planned(AXES, Catalog(REPOSITORY), 9), folder, Local(), resume=True)


def test_processes_give_the_same_bytes_though_one_is_killed(whole: Path, plan: Plan, tmp_path: Path) -> None:
    class Deadly(Processes):
        def run(self, jobs: Iterable[Job]) -> Iterator[Written]:
            results = super().run(jobs)
            yield next(results)
            victim = multiprocessing.active_children()[0].pid
            assert victim is not None
            os.kill(victim, signal.SIGKILL)
            yield from results

    write(plan, tmp_path / "set", Deadly(2))
    assert contents(tmp_path / "set") == contents(whole)


def test_dask_gives_the_same_bytes_though_a_worker_is_killed(whole: Path, plan: Plan, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")

    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        how = executor("dask", 2, cluster.scheduler_address)

        class Deadly:
            def run(self, jobs: Iterable[Job]) -> Iterator[Written]:
                results = how.run(jobs)
                yield next(results)
                os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)
                yield from results

        write(plan, tmp_path / "set", Deadly())
    assert contents(tmp_path / "set") == contents(whole)


def test_shares_together_are_the_whole(whole: Path, plan: Plan, tmp_path: Path) -> None:
    found: dict[str, bytes] = {}
    for own in (1, 2, 3):
        folder = tmp_path / str(own)
        write(plan, folder, Local(), share=parse_share(f"{own}/3"))
        assert (folder / f"manifest-{own}-of-3.json").is_file()
        own_files = {name: data for name, data in contents(folder).items() if name.endswith(".parquet")}
        assert not found.keys() & own_files.keys()
        found |= own_files
    assert found == {name: data for name, data in contents(whole).items() if name.endswith(".parquet")}
    for text in ("0/3", "4/3", "1", "a/b", "1/0"):
        with pytest.raises(ToolsError, match="is no share"):
            parse_share(text)


def test_a_folder_that_is_taken_or_closed_is_refused(whole: Path, plan: Plan, tmp_path: Path) -> None:
    with pytest.raises(ToolsError, match="holds a whole data set already"):
        write(plan, whole, Local())
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(ToolsError, match="is not empty"):
        write(plan, tmp_path, Local())
    (tmp_path / "file").write_text("")
    with pytest.raises(ToolsError, match="cannot write"):
        write(plan, tmp_path / "file" / "set", Local())


def test_a_grid_too_large_is_refused_with_its_size_and_time(tmp_path: Path) -> None:
    ten = tuple(range(1, 10_001))
    many = Places(ten, ten, tuple(range(1, 11)), tuple(n / 1001 for n in range(1, 1001)))
    huge = Axes(("a",), ("m",), (Proposal("eagle3"),), ("vllm",), (1,), "bf16", "bf16", None, many, 0.01)
    assert huge.points == 10**12
    with pytest.raises(
        ToolsError, match=r"1,000,000,000,000 points: about 14 TB of Parquet and 1[0-9]\.\d days"
    ):
        refuse_too_large(huge, tmp_path, 2, agreed=False)
    # Agreeing to the time makes the disk no larger.
    with pytest.raises(ToolsError, match="free"):
        refuse_too_large(huge, tmp_path, 2, agreed=True)


def test_an_executor_that_there_is_not() -> None:
    with pytest.raises(ToolsError, match="did you mean `dask`"):
        executor("dusk", 1, None)
    with pytest.raises(ToolsError, match="--scheduler"):
        executor("local", 1, "tcp://127.0.0.1:8786")
    with pytest.raises(ToolsError, match="0 workers"):
        executor("processes", 0, None)
