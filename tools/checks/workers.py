"""Work on many files, done here or, when there are many, in forked processes that inherit what is loaded.

Results come in the order in which the work was given, however it was done. What a worker raises is raised here, after
the results of everything before it. An interrupt is left to this process, which ends the others.
"""

from __future__ import annotations

import os
import signal
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tools.errors import ToolsError

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

Item = TypeVar("Item")
Result = TypeVar("Result")

CHUNK = 50
"""Files handed to a worker at a time."""
SERIAL_LIMIT = 300
"""Files below which forking costs more than it saves."""
WINDOW = 8
"""Chunks under way at once for each worker; bounds the memory that waiting files take."""


def cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Workers(Generic[Item, Result]):
    """Applies `work` to what it is given, in `jobs` processes (0 for one per core) once that is worth its start.

    An item may be several files: `chunk` is how many items a worker gets at a time, `serial_limit` how many there have
    to be. To be used as a context; raises `ToolsError` when a worker was killed.
    """

    def __init__(
        self,
        work: Callable[[Item], Result],
        jobs: int = 0,
        *,
        chunk: int = CHUNK,
        serial_limit: int = SERIAL_LIMIT,
    ) -> None:
        self.work = work
        self.jobs = jobs or cores()
        self.chunk = chunk
        self.serial_limit = serial_limit
        self._may_fork = self.jobs > 1 and hasattr(os, "fork")
        self._waiting: list[Item] = []
        self._executor: ProcessPoolExecutor | None = None
        self._pending: deque[Future[_Done]] = deque()

    def __enter__(self) -> Workers[Item, Result]:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if self._executor is None:
            return
        self._executor.shutdown(cancel_futures=True)
        from concurrent.futures.process import BrokenProcessPool

        if isinstance(error, BrokenProcessPool):
            raise ToolsError(
                "a worker process was killed, so not every file was looked at",
                "the machine may be short of memory: try again with --jobs 1",
            ) from error

    def give(self, item: Item) -> Iterator[Result]:
        """Take on an item, and give the results that are there meanwhile."""
        if not self._may_fork:
            yield self.work(item)
            return
        self._waiting.append(item)
        if self._executor is not None or len(self._waiting) >= self.serial_limit:
            while len(self._waiting) >= self.chunk:
                self._hand_over()
            while len(self._pending) > WINDOW * self.jobs:
                yield from self._next()

    def finish(self) -> Iterator[Result]:
        """The results of everything that is still under way."""
        if self._executor is None:
            yield from map(self.work, self._waiting)
            return
        while self._waiting:
            self._hand_over()
        while self._pending:
            yield from self._next()

    def _hand_over(self) -> None:
        global _work
        chunk, self._waiting = self._waiting[: self.chunk], self._waiting[self.chunk :]
        if self._executor is not None:
            self._pending.append(self._executor.submit(_done, chunk))
            return
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor

        _work = self.work
        self._executor = ProcessPoolExecutor(self.jobs, multiprocessing.get_context("fork"))
        # The workers are forked here, and keep what is blocked.
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._pending.append(self._executor.submit(_done, chunk))
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)

    def _next(self) -> Iterator[Result]:
        results, error = self._pending.popleft().result()
        yield from results
        if error is not None:
            raise error


_Done = tuple[list[Any], Exception | None]
"""The results of a chunk up to what was raised, if anything was."""

_work: Callable[[Any], Any] | None = None
"""What forked workers do: inherited, so that it need not be sent."""


def _done(chunk: list[Any]) -> _Done:
    assert _work is not None
    results: list[Any] = []
    for item in chunk:
        try:
            results.append(_work(item))
        except Exception as error:
            error.add_note(f"in a worker process:\n{traceback.format_exc()}")
            return results, error
    return results, None
