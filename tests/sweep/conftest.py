"""A small study of its own for the sweep's tests, for the real grid takes seconds; and a setting of the roofline."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tools.records.catalog import Catalog
from tools.sweep.config import CONFIGS, Study, load_study
from tools.sweep.grid import Results, simulate
from tools.sweep.roofline.choice import Choice, Proposal, setting
from tools.sweep.roofline.speedup import Setting

REPOSITORY = Path(__file__).resolve().parents[2]
H100, LLAMA = "nvidia-h100-sxm-80gb", "llama-3.1-8b"

SMALL = (
    (CONFIGS / "study.yaml")
    .read_text(encoding="utf-8")
    .replace("requests: 8192", "requests: 512")
    .replace("[1, 2, 4, 8, 16, 32, 64]", "[1, 3, 4, 16]")
    .replace("[1, 2, 4, 6, 8, 12, 16]", "[1, 2, 4, 8]")
    .replace("\npublished: published.yaml\n", "\n")
)


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """4 x 4 x 4 x 2 points of 512 requests; batch sizes of which one does not divide the next."""
    path = tmp_path_factory.mktemp("config") / "small.yaml"
    path.write_text(SMALL, encoding="utf-8")
    return load_study(path)


@pytest.fixture(scope="session")
def small_results(small: Study) -> Results:
    return simulate(small, lambda _: None)


@pytest.fixture(scope="session")
def study() -> Study:
    """The study as it stands."""
    return load_study(Path(CONFIGS / "study.yaml"))


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    return Catalog(REPOSITORY)


@pytest.fixture(scope="session")
def eagle(catalog: Catalog) -> Setting:
    return setting(catalog, Choice(H100, LLAMA, Proposal("eagle3")))


def a(*values: float) -> NDArray[np.float64]:
    """An array of points."""
    return np.array(values, dtype=np.float64)
