"""Ctrl-C while the database is at work, told as the interrupt that it is.

DuckDB's client raises another error for it, by the message of which it is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

_SAYS = "Query interrupted"


@contextmanager
def interruptible() -> Iterator[None]:
    """Raises `KeyboardInterrupt` where somebody stopped what is inside."""
    try:
        yield
    except RuntimeError as error:
        if str(error) != _SAYS:
            raise
        raise KeyboardInterrupt from error
