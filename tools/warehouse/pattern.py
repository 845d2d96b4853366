"""Names of files for the functions of DuckDB that read files, which take every name for a pattern.

Without this, a sweep called `a*` is read from the files of all sweeps that begin so, and of a ledger in a folder
`[1]` nothing is found.
"""

from __future__ import annotations

import re
from pathlib import Path

_SPECIAL = re.compile(r"[*?\[]")


def literally(path: Path | str) -> str:
    """A pattern that fits this path alone."""
    return _SPECIAL.sub(lambda found: f"[{found[0]}]", str(path))
