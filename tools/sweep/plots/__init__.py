"""The plots of a study. Each has the numbers it shows, as plain data, and a drawing of those and nothing else.

So a plot is current when its data and this folder's code are: `fingerprint` hashes both. The bytes of a drawing also
depend on the version of the drawing library, which is why they are not compared.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from tools.sweep.grid import Results
from tools.sweep.plots import divergence, heatmap, speedup, synchronisation, utilization

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Data: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot: the name of its file, the numbers it shows, and how they are drawn."""

    name: str
    data: Callable[[Results], Data]
    draw: Callable[[Data], Figure]


PLOTS = (
    Plot("speedup_vs_batch", speedup.data, speedup.draw),
    Plot("utilization_vs_batch", utilization.data, utilization.draw),
    Plot("divergence_penalty", divergence.data, divergence.draw),
    Plot("gamma_batch_heatmap", heatmap.data, heatmap.draw),
    Plot("synchronisation", synchronisation.data, synchronisation.draw),
)


def fingerprint(data: Data) -> str:
    """A digest of the numbers of a plot and of the code that draws it."""
    found = hashlib.sha256(json.dumps(data, sort_keys=True).encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        found.update(path.read_bytes())
    return found.hexdigest()
