"""One writer at a time: a lock that the system takes back when its holder ends, however it ends.

It is held on a folder itself, so that no lock file is left behind, in the ledger or elsewhere.
"""

from __future__ import annotations

import errno
import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools.errors import ToolsError

PATIENCE = 30.0
"""Seconds to wait for another writer."""

_INTERVAL = 0.02


@contextmanager
def only_writer(folder: Path, patience: float = PATIENCE) -> Iterator[None]:
    """Holds the lock of a folder while the block runs; whoever asks meanwhile waits.

    Raises `ToolsError` when another holds it for longer than `patience` seconds, or when the file system knows
    no locks.
    """
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise ToolsError(f"cannot lock {folder}: {error.strerror}") from error
    try:
        _wait(descriptor, folder, patience)
        yield
    finally:
        os.close(descriptor)


def _wait(descriptor: int, folder: Path, patience: float) -> None:
    end = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
                raise ToolsError(
                    f"cannot lock {folder}: {error.strerror}",
                    "work on a copy of the ledger on a local disk: this file system keeps no two writers apart",
                ) from error
            if time.monotonic() >= end:
                raise ToolsError(
                    f"another command is writing to {folder}, and has been for {patience:g} seconds",
                    "wait for it to end, or end it, and call again",
                ) from error
            time.sleep(_INTERVAL)
        else:
            return
