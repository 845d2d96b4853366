"""The grid of the roofline: settings (what is named) times places (what is counted), point by point.

Settings differ in accelerator, model, formats, engine and draft; each is computed for every context, batch size,
gamma and quality, in this order, the last running quickest. A block is a part of the places of one setting that is
whole along the quick axes, so that what does not depend on q is computed once for all of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

import numpy as np

from tools.errors import ToolsError
from tools.sweep.roofline.choice import Choice, Proposal
from tools.sweep.roofline.network import Array

Span: TypeAlias = tuple[int, int]
MOST_GAMMA = 64
LARGEST_BATCH = 65_536
LONGEST_CONTEXT = 10_000_000


@dataclass(frozen=True, slots=True)
class Places:
    """Values of the counted axes. Raises `ToolsError` for one that cannot be."""

    contexts: tuple[int, ...]
    batch_sizes: tuple[int, ...]
    gammas: tuple[int, ...]
    qualities: tuple[float, ...]

    def __post_init__(self) -> None:
        _refuse("context", "tokens", self.contexts, 0, LONGEST_CONTEXT)
        _refuse("batch size", "requests", self.batch_sizes, 1, LARGEST_BATCH)
        _refuse(
            "gamma", "tokens proposed; 0 would be plain decoding, the baseline", self.gammas, 1, MOST_GAMMA
        )
        for q in self.qualities:
            if not 0 < q < 1:
                raise ToolsError(
                    f"a quality of {q:g} cannot be",
                    "q is the chance that a proposed token is accepted: above 0 and below 1",
                )

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """Lengths of the axes."""
        return len(self.contexts), len(self.batch_sizes), len(self.gammas), len(self.qualities)

    def blocks(self, most: int) -> Iterator[Block]:
        """Blocks of at most so many points, in order; one block where everything fits."""
        shape = self.shape
        axis = next((n for n in range(4) if math.prod(shape[n + 1 :]) <= most), 3)
        inner = math.prod(shape[axis + 1 :])
        step = max(1, min(most // inner, shape[axis]))
        for outer in product(*(range(length) for length in shape[:axis])):
            for first in range(0, shape[axis], step):
                spans = [(at, at + 1) for at in outer] + [(first, min(first + step, shape[axis]))]
                spans += [(0, length) for length in shape[axis + 1 :]]
                yield Block(spans[0], spans[1], spans[2], spans[3])

    def count_blocks(self, most: int) -> int:
        """How many blocks there are."""
        shape = self.shape
        axis = next((n for n in range(4) if math.prod(shape[n + 1 :]) <= most), 3)
        step = max(1, min(most // math.prod(shape[axis + 1 :]), shape[axis]))
        return math.prod(shape[:axis]) * -(-shape[axis] // step)


@dataclass(frozen=True, slots=True)
class Block:
    """A part of the places: from and to (excluded) on each axis."""

    context: Span
    batch: Span
    gamma: Span
    quality: Span

    @property
    def points(self) -> int:
        """Points of the block."""
        return math.prod(end - start for start, end in (self.context, self.batch, self.gamma, self.quality))

    def arrays(self, places: Places) -> tuple[Array, Array, Array, Array]:
        """Context, batch size, gamma and q of the block, each along its own axis of four."""
        values = (places.contexts, places.batch_sizes, places.gammas, places.qualities)
        spans = (self.context, self.batch, self.gamma, self.quality)
        cut = [
            np.array(axis[start:end], dtype=np.float64).reshape([-1 if n == at else 1 for n in range(4)])
            for at, (axis, (start, end)) in enumerate(zip(values, spans, strict=True))
        ]
        return cut[0], cut[1], cut[2], cut[3]


@dataclass(frozen=True, slots=True)
class Axes:
    """A whole grid: the names, the places, and how uncertain q is."""

    accelerators: tuple[str, ...]
    models: tuple[str, ...]
    proposals: tuple[Proposal, ...]
    engines: tuple[str, ...]
    tensor_parallel: tuple[int, ...]
    precision: str
    cache_precision: str
    arithmetic: str | None
    places: Places
    quality_sd: float

    def choices(self) -> Iterator[Choice]:
        """The settings, in the order of the axes."""
        axes = (self.accelerators, self.models, self.tensor_parallel, self.engines, self.proposals)
        for accelerator, model, count, engine, proposal in product(*axes):
            yield Choice(
                accelerator,
                model,
                proposal,
                engine,
                count,
                self.precision,
                self.cache_precision,
                self.arithmetic,
            )

    @property
    def settings(self) -> int:
        """How many settings there are."""
        named = (self.accelerators, self.models, self.tensor_parallel, self.engines, self.proposals)
        return math.prod(map(len, named))

    @property
    def points(self) -> int:
        """How many points there are."""
        return self.settings * math.prod(self.places.shape)


def _refuse(name: str, what: str, values: tuple[int, ...], least: int, most: int) -> None:
    for value in values:
        if not least <= value <= most:
            raise ToolsError(f"a {name} of {value:,} cannot be", f"it is {least:,} to {most:,} {what}")
