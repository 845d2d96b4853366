"""The ledger of the tests with names that the programs of this folder use."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.importers.programs.conftest import laid_out

MORE = """engine,tensorrt-llm,example-engine,a page,
engine,transformers,example-engine,a page,
accelerator,Example SXM Part,example-sxm-80gb,a page,
"""


@pytest.fixture(scope="session")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small ledger with aliases for what these programs name; nobody writes to it."""
    return with_names(tmp_path_factory.mktemp("reports") / "ledger")


def with_names(root: Path) -> Path:
    """The small ledger with the aliases, in a folder of its own."""
    laid_out(root)
    aliases = root / "data" / "aliases.csv"
    aliases.write_text(aliases.read_text(encoding="utf-8") + MORE, encoding="utf-8")
    return root
