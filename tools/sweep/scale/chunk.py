"""One chunk: computed, written as Parquet under a hidden name, and renamed into its place.

DuckDB scans NumPy columns where they lie, without a copy; one thread for each chunk, so that the order of rows and
the bytes do not depend on luck. Dictionaries are left to constant columns: building them for floats that repeat along
q costs more than the little they would save. Names go into the path for the same reason: five constant columns of text
would take a third of the time.
"""

from __future__ import annotations

import hashlib
import secrets
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import duckdb

from tools.sweep.roofline.axes import Places
from tools.sweep.roofline.choice import Choice
from tools.sweep.roofline.points import COLUMNS, columns
from tools.sweep.roofline.speedup import Setting
from tools.sweep.scale.plan import Chunk

_FORMAT = "FORMAT parquet, COMPRESSION lz4_raw, PARQUET_VERSION v2, DICTIONARY_SIZE_LIMIT 1"
PARTIAL = ".partial"


@dataclass(frozen=True, slots=True)
class Job:
    """All that a worker needs to write one chunk; `target` is the file."""

    chunk: Chunk
    choice: Choice
    setting: Setting
    places: Places
    quality_sd: float
    target: str


@dataclass(frozen=True, slots=True)
class Written:
    """A chunk that is in its place."""

    number: int
    points: int
    size: int
    sha256: str


def write_chunk(job: Job) -> Written:
    """Computes a chunk and writes its file; whatever interrupts it leaves no file under the final name."""
    points = columns(job.setting, job.places, job.chunk.block, job.quality_sd)
    target = Path(job.target)
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f".{target.stem}.{secrets.token_hex(4)}{PARTIAL}")
    try:
        with duckdb.connect(config={"threads": 1}) as connection:
            connection.register("points", points)
            connection.execute(f"COPY ({_query(job.choice)}) TO '{_quoted(partial)}' ({_FORMAT})")
        content = partial.read_bytes()
        partial.replace(target)
    finally:
        with suppress(OSError):
            partial.unlink()
    return Written(
        job.chunk.number, job.chunk.block.points, len(content), hashlib.sha256(content).hexdigest()
    )


def _query(choice: Choice) -> str:
    """The rows of `points`, with the names that are the same for all of them in front."""
    names = {"precision": choice.precision, "cache_precision": choice.cache_precision}
    constant = [f"'{_quoted(value)}' AS {name}" for name, value in names.items()]
    constant.append(f"{choice.tensor_parallel}::SMALLINT AS tensor_parallel")
    fits = "CASE WHEN isnan(fits) THEN NULL ELSE fits > 0 END AS fits"
    listed = [fits if name == "fits" else name for name in COLUMNS]
    return f"SELECT {', '.join([*constant, *listed])} FROM points"


def _quoted(text: object) -> str:
    return str(text).replace("'", "''")


def remove_partial(folder: Path) -> None:
    """Removes what a killed worker left below a folder."""
    for left in folder.glob(f"**/.*{PARTIAL}"):
        with suppress(OSError):
            left.unlink()
