"""What all tests may use: reviewed outputs in `tests/golden/`, which `pytest --update-golden` rewrites.

Property tests draw the same examples each time, so that a change is judged by what it changed. With
HYPOTHESIS_PROFILE=wide they draw new ones; whoever changes a rule does that once.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("steady", derandomize=True)
settings.register_profile("wide")
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

GOLDEN = Path(__file__).parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="rewrite tests/golden/ from what is given now"
    )


@pytest.fixture
def golden(pytestconfig: pytest.Config) -> Callable[[str, str], None]:
    """Compare a text with `tests/golden/<name>`, character for character."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if pytestconfig.getoption("--update-golden"):
            path.write_bytes(text.encode())
            return
        expected = path.read_bytes().decode() if path.exists() else ""
        if text != expected:
            # `repr` also shows the differences that a terminal hides.
            sides = ([repr(line)[1:-1] for line in side.splitlines(True)] for side in (expected, text))
            diff = difflib.unified_diff(*sides, f"golden/{name}", "now", n=2, lineterm="")
            meant = "if this is meant: pytest --update-golden, and review the change"
            pytest.fail("\n".join([*diff, "", meant]), pytrace=False)

    return compare
