"""A grid cut into chunks, and what it takes to compute it: known before anything is."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tools.errors import ToolsError
from tools.sweep.roofline.axes import Axes, Block
from tools.sweep.roofline.choice import Choice
from tools.sweep.roofline.parameters import Parameters
from tools.sweep.roofline.points import COLUMNS
from tools.sweep.roofline.speedup import Setting

CHUNK = 2**19
"""Points of a chunk at most: about 200 MB while it is computed."""
BYTES_PER_POINT = 14
"""Of Parquet, as `benchmarks.sweep` measures it; grids with few values of q take more."""
POINTS_PER_SECOND = 500_000
"""Written by one core, the order of magnitude that `benchmarks.sweep` measures."""
MOST_UNASKED = 100_000_000
"""Points that are computed without `--yes`."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """One file of the data set: its number, the setting and the block it holds."""

    number: int
    setting: int
    block: Block


@dataclass(frozen=True)
class Plan:
    """The chunks of a grid, with the setting of each choice."""

    axes: Axes
    choices: tuple[Choice, ...]
    settings: tuple[Setting, ...]
    chunk_points: int

    @property
    def count(self) -> int:
        """How many chunks there are."""
        return len(self.choices) * self.axes.places.count_blocks(self.chunk_points)

    def chunks(self) -> Iterator[Chunk]:
        """All chunks, numbered in the order of the axes."""
        number = 0
        for setting in range(len(self.choices)):
            for block in self.axes.places.blocks(self.chunk_points):
                yield Chunk(number, setting, block)
                number += 1

    def path(self, chunk: Chunk) -> str:
        """The file of a chunk, below the folder of the data set."""
        choice = self.choices[chunk.setting]
        names = {
            "accelerator": choice.accelerator,
            "model": choice.model,
            "engine": choice.engine,
            "draft": choice.proposal.slug,
        }
        folders = "/".join(f"{key}={name}" for key, name in names.items())
        return f"{folders}/part-{chunk.number:08}.parquet"

    def description(self) -> dict[str, Any]:
        """What makes the bytes of the data set: grid, facts, constants, columns and versions."""
        return {
            "cost_model": "roofline",
            "points": self.axes.points,
            "chunks": self.count,
            "chunk_points": self.chunk_points,
            "axes": asdict(self.axes),
            "settings": [_facts(setting) for setting in self.settings],
            "columns": {name: {"type": kind, "meaning": says} for name, (kind, says) in COLUMNS.items()},
            "versions": {name: version(name) for name in ("inference-ledger", "numpy", "scipy", "duckdb")},
        }

    def digest(self) -> str:
        """A digest of the description: two plans with the same one give the same files."""
        return hashlib.sha256(json.dumps(self.description(), sort_keys=True).encode()).hexdigest()


def _facts(setting: Setting) -> dict[str, Any]:
    """The facts of records that a setting rests on, and its constants."""
    constants: Parameters = setting.constants
    return {
        "target": {**asdict(setting.target.model)},
        "machine": asdict(setting.machine),
        "constants": asdict(constants),
        "draft": repr(setting.draft),
    }


def refuse_too_large(axes: Axes, folder: Path | None, workers: int, agreed: bool) -> None:
    """Raises `ToolsError` for a grid that would take the machine long, or more disk than there is.

    `agreed` allows the time, never the disk. `folder` is None where nothing is written.
    """
    points = axes.points
    need = points * BYTES_PER_POINT
    seconds = points / (POINTS_PER_SECOND * workers)
    size = f"the grid has {points:,} points: about {human_bytes(need)} of Parquet and {human_time(seconds)} with "
    size += f"{workers} worker{'s' if workers > 1 else ''}"
    if points > MOST_UNASKED and not agreed:
        raise ToolsError(
            size,
            "say --yes to start it all the same, spread it with --executor dask, or take fewer values on an axis",
        )
    if folder is not None:
        free = shutil.disk_usage(next(path for path in (folder, *folder.parents) if path.exists())).free
        if need > free:
            raise ToolsError(
                f"{size}, and {folder} has {human_bytes(free)} free",
                "name a larger disk with --out DIR, compute a share of it with --share, or take fewer values",
            )


def human_bytes(count: float) -> str:
    """Bytes as a person reads them."""
    units = ["B", "kB", "MB", "GB", "TB", "PB"]
    while count >= 1000 and len(units) > 1:
        count /= 1000
        units.pop(0)
    return f"{count:,.1f} {units[0]}" if count < 10 and units[0] != "B" else f"{count:,.0f} {units[0]}"


def human_time(seconds: float) -> str:
    """A duration as a person reads it, in its largest fitting unit."""
    for unit, length in (("year", 31_557_600), ("day", 86_400), ("hour", 3600), ("minute", 60)):
        if seconds >= length:
            amount = seconds / length
            return f"{amount:,.1f} {unit}s" if amount >= 1.05 else f"1 {unit}"
    return f"{max(1, round(seconds))} s"
