"""The requests of a study: what acceptance probability q each of them has.

Requests come in blocks of `BLOCK`, each with a random stream of its own that depends on seed, quality mode and
block number alone: blocks can be computed in any order, and a mode keeps its requests when another is added.
Every gamma and batch size sees the same requests (common random numbers), so that two points of a mode differ
by what they are and not by the luck of the draw.

Only the uniform doubles of PCG64 are used, and only compared, multiplied and added: the draws are the same on
every machine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tools.sweep.config import Population

BLOCK = 2048
"""Requests drawn at once: what bounds the memory, and the largest number that can share a batch."""


@dataclass(frozen=True)
class Block:
    """Some requests of a quality mode: q of each, and the random stream for what happens to them."""

    q: NDArray[np.float64]
    stream: np.random.Generator


def blocks(name: str, population: Population, seed: int, requests: int) -> Iterator[Block]:
    """The requests of a quality mode, block by block."""
    digest = hashlib.sha256(name.encode()).digest()
    for number, first in enumerate(range(0, requests, BLOCK)):
        key = np.random.SeedSequence([seed, int.from_bytes(digest[:8], "big"), number])
        stream = np.random.Generator(np.random.PCG64(key))
        yield Block(draw_q(population, stream, min(BLOCK, requests - first)), stream)


def draw_q(population: Population, stream: np.random.Generator, requests: int) -> NDArray[np.float64]:
    """q of each request, drawn independently; requests of one batch may be of any part of a mixture."""
    if population.single is not None:
        return np.full(requests, population.single)
    uniform = stream.random(requests)
    if population.ends is not None:
        low, high = population.ends
        return low + (high - low) * uniform
    values = np.array([q for q, _ in population.parts])
    upper_ends = np.cumsum([share for _, share in population.parts])[:-1]
    return values[np.searchsorted(upper_ends, uniform, side="right")]
