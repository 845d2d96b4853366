"""Python's garbage collector kept out of work that makes many objects and no cycles.

It walks all that is alive whenever much has been made, so reading one large file would be half collecting.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """No collection inside; afterwards it is as it was before."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
