"""Writing a file that is not there yet: it appears whole, and never in the place of another."""

from __future__ import annotations

import errno
import os
import secrets
from contextlib import suppress
from pathlib import Path

from tools.errors import ToolsError
from tools.records.edit import replace_file

_NO_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EXDEV)


def create_file(path: Path, text: str) -> None:
    """Makes a file with a text, in UTF-8. Raises `ToolsError` where one is there, or it cannot be written."""
    refuse_existing(path)
    whole = path.with_name(f".{path.name}.{secrets.token_hex(4)}.new")
    replace_file(whole, text)
    try:
        _give_name(whole, path)
    finally:
        with suppress(OSError):
            whole.unlink()


def refuse_existing(path: Path) -> None:
    """Raises `ToolsError` where anything has that name."""
    if os.path.lexists(path):
        raise ToolsError(f"{path} is there already", "nothing is written over; choose another name")


def _give_name(whole: Path, path: Path) -> None:
    """A link refuses a name that is taken, even by somebody who took it an instant ago; a renaming does not."""
    try:
        os.link(whole, path)
    except FileExistsError:
        refuse_existing(path)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise ToolsError(f"cannot write {path}: {error.strerror}") from error
        refuse_existing(path)
        whole.rename(path)
