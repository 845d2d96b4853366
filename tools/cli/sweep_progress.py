"""How a long run tells how far it is: points done, their rate, and the time left."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_ON_TERMINAL_S = 0.2
_IN_LOG_S = 60.0
_RATE_FROM_S = 1.0


@contextmanager
def points_done(total: int) -> Iterator[Callable[[int], None]]:
    """Gives the function that is told of points done; on a terminal one line that moves, in a log a line a minute.

    The rate is that of this run: points found done at once, before the first second is over, do not count.
    """
    from tools.sweep.scale.plan import human_time

    started = told = time.monotonic()
    done = before = 0
    moving = sys.stderr.isatty()

    def advance(points: int) -> None:
        nonlocal done, before, told
        now = time.monotonic()
        done += points
        if now - started < _RATE_FROM_S:
            before = done
            return
        if now - told < (_ON_TERMINAL_S if moving else _IN_LOG_S):
            return
        told = now
        rate = (done - before) / (now - started)
        left = human_time((total - done) / rate) if rate else "?"
        line = f"{done:,} of {total:,} points ({done / total:.0%}), {rate / 1e6:.2f} million a second, {left} left"
        sys.stderr.write(f"\r{line}\x1b[K" if moving else f"{line}\n")
        sys.stderr.flush()

    try:
        yield advance
    finally:
        if moving and told > started:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
