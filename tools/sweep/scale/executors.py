"""Where chunks are computed: in this process, in several, or on a Dask cluster.

An executor takes jobs and gives what was written, in any order. A worker that dies takes its chunks with it and
nothing else: they are handed to another one, a few times, before the run gives up.
"""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol

from tools.errors import InternalError, ToolsError
from tools.sweep.scale.chunk import Job, Written, write_chunk

if TYPE_CHECKING:
    from concurrent.futures import Future

MOST_DEATHS = 3
"""How often a chunk may lose its worker: a chunk that kills each of them is at fault itself."""
_WAITING = 3
"""Jobs handed out ahead, for each worker."""
ANSWERS_WITHIN = "10s"
"""How long a Dask scheduler may take to answer."""
EXECUTORS = ("local", "processes", "dask")


class Executor(Protocol):
    """Runs jobs."""

    def run(self, jobs: Iterable[Job]) -> Iterator[Written]:
        """What was written, as it comes."""


class Local:
    """One chunk after the other, here."""

    def run(self, jobs: Iterable[Job]) -> Iterator[Written]:
        """In the order of the jobs."""
        return map(write_chunk, jobs)


class Processes:
    """So many processes on this machine."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def run(self, jobs: Iterable[Job]) -> Iterator[Written]:
        """As the processes finish them; one that dies breaks the pool, which is replaced."""
        waiting = iter(jobs)
        lost: list[Job] = []
        deaths: dict[int, int] = {}
        while True:
            lost = yield from self._pool(lost, waiting)
            if not lost:
                return
            for job in lost:
                deaths[job.chunk.number] = deaths.get(job.chunk.number, 0) + 1
                if deaths[job.chunk.number] > MOST_DEATHS:
                    raise _killed(job)

    def _pool(self, first: list[Job], waiting: Iterator[Job]) -> Generator[Written, None, list[Job]]:
        """Runs a pool until all is done or it breaks; returns the jobs that were under way then."""
        from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
        from concurrent.futures.process import BrokenProcessPool
        from multiprocessing import get_context

        ahead = self.workers * _WAITING
        running: dict[Future[Written], Job] = {}
        lost: list[Job] = []
        # Not forked: a fork copies the locks of threads that DuckDB and NumPy run.
        pool = ProcessPoolExecutor(self.workers, get_context("spawn"))
        try:
            queue = list(first)
            while True:
                queue += islice(waiting, max(0, ahead - len(running) - len(queue)))
                if not queue and not running:
                    return lost
                try:
                    with _deaf_children():
                        for job in queue:
                            running[pool.submit(write_chunk, job)] = job
                    queue = []
                except BrokenProcessPool:
                    queue = [job for job in queue if job not in running.values()]
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    job = running.pop(future)
                    try:
                        yield future.result()
                    except BrokenProcessPool:
                        lost.append(job)
                if lost:
                    return [*lost, *running.values(), *queue]
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


class Dask:
    """The workers of a Dask cluster; they must see the output folder under the same path."""

    def __init__(self, scheduler: str | None, workers: int) -> None:
        self.scheduler, self.workers = scheduler, workers

    def run(self, jobs: Iterable[Job]) -> Iterator[Written]:
        """As the cluster finishes them; without an address, on a cluster of processes on this machine."""
        try:
            from distributed import Client, KilledWorker, as_completed
        except ImportError:
            raise ToolsError(
                "the executor dask needs distributed, which this installation does not have",
                "install the extra: pip install 'inference-ledger[cluster]', or pip install '.[cluster]' in a checkout",
            ) from None
        client = self._client(Client)
        waiting = iter(jobs)
        try:
            under_way: dict[str, Job] = {}

            def more(count: int) -> list[Any]:
                taken = list(islice(waiting, count))
                futures = [client.submit(write_chunk, job, pure=False) for job in taken]
                under_way.update({future.key: job for future, job in zip(futures, taken, strict=True)})
                return futures

            ahead = max(1, len(client.scheduler_info()["workers"])) * _WAITING
            results: Any = as_completed(more(ahead), loop=client.loop)  # type: ignore[no-untyped-call]
            for future in results:
                job = under_way.pop(future.key)
                try:
                    yield future.result()
                except KilledWorker:
                    raise _killed(job) from None
                results.update(more(1))
        finally:
            client.close()

    def _client(self, connect: Any) -> Any:
        if self.scheduler is None:
            with _deaf_children():
                return connect(
                    n_workers=self.workers,
                    threads_per_worker=1,
                    dashboard_address=None,
                    set_as_default=False,
                    silence_logs=logging.ERROR,
                )
        try:
            return connect(self.scheduler, timeout=ANSWERS_WITHIN, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise ToolsError(
                f"no Dask scheduler answers at {self.scheduler}",
                f"start one with `dask scheduler`, and name its address as tcp://HOST:8786 ({type(error).__name__})",
            ) from None


def executor(name: str, workers: int, scheduler: str | None) -> Executor:
    """The executor of a name. Raises `ToolsError` for one that there is not."""
    if scheduler is not None and name != "dask":
        raise ToolsError("--scheduler names a Dask scheduler", "say --executor dask with it")
    if workers < 1:
        raise ToolsError(f"{workers} workers do nothing", "--workers is 1 or more")
    if name == "local":
        return Local()
    if name == "processes":
        return Processes(workers)
    if name == "dask":
        return Dask(scheduler, workers)
    from tools.schema.spelling import listed, nearest, proposal

    raise ToolsError(
        f"there is no executor `{name}`{proposal(nearest(name, EXECUTORS))}",
        f"there is {listed(EXECUTORS, 'and')}",
    )


def _killed(job: Job) -> ToolsError:
    return InternalError(
        f"the worker of chunk {job.chunk.number} died {MOST_DEATHS + 1} times",
        "a worker may lack memory: take fewer workers; what is done stays, and --resume continues",
    )


@contextmanager
def _deaf_children() -> Iterator[None]:
    """Processes started within are deaf to Ctrl-C, which a terminal sends to all of them: it is for their parent,
    which lets running chunks end."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
