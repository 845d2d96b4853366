"""Whether the optional libraries of this room are there, asked before any of them is imported."""

from __future__ import annotations

from importlib.util import find_spec

from tools.errors import ToolsError

NEEDED = ("numpy", "matplotlib", "scipy")


def require_libraries() -> None:
    """Raises `ToolsError` where a library of the extra `sweep` is not installed."""
    lacking = [name for name in NEEDED if find_spec(name) is None]
    if lacking:
        raise ToolsError(
            f"the sweep needs {' and '.join(lacking)}, which this installation does not have",
            "install the extra: pip install 'inference-ledger[sweep]', or pip install '.[sweep]' in a checkout",
        )
