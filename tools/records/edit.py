"""Writing a file so that a reader finds either the old text or the new one, whatever happens in between.

What the text should be is decided elsewhere (`tools.records.layout` lays out a changed record and keeps its
comments).
"""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from tools.errors import ToolsError

_HINTS = {
    errno.EACCES: "check who may write to the folder and the file",
    errno.EPERM: "check who may write to the folder and the file",
    errno.EROFS: "the file system is mounted read-only",
    errno.ENOSPC: "the disk is full: free some space and run the command again",
    errno.EDQUOT: "the disk quota is used up: free some space and run the command again",
    errno.ENOENT: "create the folder first",
}


def replace_file(path: Path, text: str) -> None:
    """Makes `text` the content of the file, in UTF-8, creating it where there is none and keeping its mode.

    A symbolic link stays one: the file it leads to is replaced. Raises `ToolsError` if the file cannot be
    written; the old content is then untouched and nothing is left beside it.
    """
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f"{_mark(target)}{secrets.token_hex(4)}.tmp")
    try:
        content = text.encode("utf-8")
        _refuse_protected(target)
        try:
            _write(temporary, content, target)
            temporary.replace(target)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise
    except OSError as error:
        reason = error.strerror or str(error)
        raise ToolsError(f"cannot write {path}: {reason}", _HINTS.get(error.errno or 0, "")) from error
    except UnicodeEncodeError as error:
        raise ToolsError(
            f"cannot write {path}: the text holds half a character (a lone surrogate)"
        ) from error
    _sync_folder(target.parent)


def remove_leftovers(path: Path) -> None:
    """Removes what a writer that was killed has left beside a file; only for whoever holds off the others."""
    target = Path(os.path.realpath(path))
    for leftover in target.parent.glob(f"{_mark(target)}*.tmp"):
        with suppress(OSError):
            leftover.unlink()


def _mark(target: Path) -> str:
    """What temporary names of a file start with: short, however long its own name is, and not that of another."""
    return f".{hashlib.blake2b(os.fsencode(target.name), digest_size=8).hexdigest()}."


def _refuse_protected(target: Path) -> None:
    """Renaming over a write-protected file would succeed; its owner meant that it should not."""
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, "the file is write-protected")


def _write(temporary: Path, content: bytes, target: Path) -> None:
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    with os.fdopen(descriptor, "wb") as stream:
        if target.exists():
            temporary.chmod(stat.S_IMODE(target.stat().st_mode))
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())


def _sync_folder(folder: Path) -> None:
    """Makes the rename itself durable; some file systems cannot, and the new file is in place either way."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
