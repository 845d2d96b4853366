"""What a run writes, whichever cost model it used: texts, drawings, a Parquet of the results, a manifest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True)
class Drawing:
    """A plot with the numbers it shows; `fingerprint` is a digest of those and of the code that draws them."""

    name: str
    data: dict[str, Any]
    draw: Callable[[dict[str, Any]], Figure]
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Output:
    """`texts` are the same on every machine, byte for byte, by path below the folder; they hold results/results.csv,
    whose columns have the types of `columns`. `manifest` gives that of a folder that is otherwise complete."""

    texts: Mapping[str, str]
    drawings: tuple[Drawing, ...]
    columns: Mapping[str, str]
    manifest: Callable[[Path], str]
