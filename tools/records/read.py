"""Bytes of one file, or the problem that stands in the way.

A file of the ledger is an ordinary file of at most `MAX_BYTES`. Anything else (a symbolic link, a device, a file
without permission) is a problem of the data like any other, so that one bad file never stops the rest.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from tools.finding import START
from tools.records.parse import MAX_BYTES, Problem, too_large

_FLAGS = (
    os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
)


def read_file(path: Path | str) -> bytes | Problem:
    """The bytes of the file at `path`, or the problem with it; a file over the limit is not read."""
    try:
        descriptor = os.open(path, _FLAGS)
    except OSError as error:
        return _unreadable(path, error)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            return Problem("unreadable-file", START, "not an ordinary file", "put the record itself here")
        if status.st_size > MAX_BYTES:
            return too_large(status.st_size)
        parts: list[bytes] = []
        while part := os.read(descriptor, MAX_BYTES + 1):
            parts.append(part)
        return b"".join(parts)
    except OSError as error:
        return _unreadable(path, error)
    finally:
        os.close(descriptor)


def _unreadable(path: Path | str, error: OSError) -> Problem:
    if Path(path).is_symlink():
        return Problem(
            "unreadable-file",
            START,
            "a symbolic link; records are ordinary files",
            "put the record itself here",
        )
    reason = (error.strerror or str(error)).lower()
    return Problem(
        "unreadable-file", START, f"cannot be read: {reason}", "check the file and its permissions"
    )
