"""Where the command prints to, and what becomes of a call when that cannot be written.

A verb always runs to its end: once a stream takes no more, what is printed is dropped. A reader that goes away
(`tools validate | head`) is then no fault, and the exit code stays that of the verb, so that `pipefail` does not
hide findings; of any other trouble (a full disk) `fault` tells.
"""

from __future__ import annotations

import io
import os
import select
import sys
from typing import Any, TextIO

from tools.errors import ToolsError


class _Drain(io.FileIO):
    """A file descriptor that keeps its first fault instead of raising it, and drops what comes after.

    It waits for a slow reader even where the descriptor would not.
    """

    fault: OSError | None = None

    def write(self, data: Any, /) -> int:
        if self.fault is None:
            try:
                while (written := super().write(data)) is None:
                    select.select((), (self,), ())
                return written
            except OSError as error:
                self.fault = error
        return len(data)


class Streams:
    """Takes the place of stdout and stderr. Raises `ToolsError` where stdout is closed."""

    def __init__(self) -> None:
        if sys.stderr is None:
            # Nobody listens; and no file that is opened later may get the number that messages go to.
            sys.stderr = open(os.devnull, "w")  # noqa: SIM115, PTH123
        _, sys.stderr = _drained(sys.stderr)
        if sys.stdout is None:
            raise ToolsError("standard output is closed", "send it to a file, or to /dev/null to drop it")
        self._drain, sys.stdout = _drained(sys.stdout)

    def fault(self) -> OSError | None:
        """Why not all that was printed has arrived; None where it has, or where its reader went away."""
        sys.stdout.flush()
        error = self._drain.fault
        return None if isinstance(error, BrokenPipeError) else error


def _drained(stream: TextIO) -> tuple[_Drain, TextIO]:
    """The descriptor of a stream without faults, and a stream over it in which no character is one."""
    drain = _Drain(stream.fileno(), "wb", closefd=False)
    return drain, io.TextIOWrapper(
        io.BufferedWriter(drain), stream.encoding, "backslashreplace", line_buffering=True
    )
