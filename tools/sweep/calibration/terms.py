"""What layer measurements do not tell: overheads by engine class, and how alike the experts of a request are.

| term | symbol | unit | what it is |
| --- | --- | --- | --- |
| step_s | t_0 | s | of any step |
| draft_s | t_d | s | of a forward pass of a draft |
| request_s | t_r | s | of any step, for each request in it |
| token_s | t_e | s | for each token that is emitted: sampling, output, a request's share of prefill |
| speculation_s | t_sp | s | further, of a speculative step |
| routing | r | 1 | n positions of a request touch the experts of n^r independent ones |
| link_latency_s | alpha | s | of an exchange between accelerators |

r is between 0 (all positions of a request choose the same experts) and 1 (each chooses by itself). Without it the
expert weights that verification reads are overstated, and only an unphysical bandwidth would make up for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

POOLED = "other"
"""The class of engines that no measurement is of: values over all classes."""


class Range(NamedTuple):
    """Where a search starts, and between which values a term can physically be."""

    start: float
    low: float
    high: float


OVERHEADS: Mapping[str, Range] = {
    "step_s": Range(1e-3, 1e-5, 5e-2),
    "draft_s": Range(2.5e-4, 1e-6, 1e-2),
    "request_s": Range(5e-6, 1e-8, 3e-4),
    "token_s": Range(1e-5, 1e-8, 3e-4),
    "speculation_s": Range(3e-4, 1e-7, 2e-2),
}
SHARED: Mapping[str, Range] = {
    "routing": Range(0.5, 0.02, 1.0),
    "link_latency_s": Range(8e-6, 5e-7, 5e-5),
}


@dataclass(frozen=True, slots=True)
class Overheads:
    """Times in seconds that an engine class adds."""

    step_s: float
    draft_s: float
    request_s: float = 0.0
    token_s: float = 0.0
    speculation_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Terms:
    """Overheads by engine class, and what all classes share. A class that is not known has those of `POOLED`."""

    engines: Mapping[str, Overheads]
    routing: float
    link_latency_s: float

    def of(self, engine: str) -> Overheads:
        """The overheads of an engine class."""
        return self.engines.get(engine, self.engines[POOLED])


def starting(
    classes: tuple[str, ...],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """(start, low, high) of the vector that a search works on, for such classes beside the pooled one.

    Times are searched by their logarithm.
    """
    ranges = [*SHARED.values(), *(range_ for _ in range(len(classes) + 1) for range_ in OVERHEADS.values())]
    table = np.array(ranges)
    table[1:] = np.log(table[1:])
    return table[:, 0], table[:, 1], table[:, 2]


def unpacked(vector: NDArray[np.float64], classes: tuple[str, ...]) -> Terms:
    """The terms that a vector stands for; the pooled class is the last."""
    rows = np.exp(vector[2:]).reshape(len(classes) + 1, len(OVERHEADS))
    engines = {
        name: Overheads(**dict(zip(OVERHEADS, map(float, row), strict=True)))
        for name, row in zip((*classes, POOLED), rows, strict=True)
    }
    return Terms(engines, float(vector[0]), float(np.exp(vector[1])))


def names(classes: tuple[str, ...]) -> list[str]:
    """What each place of the vector is, as `vllm step_s`."""
    return [*SHARED, *(f"{engine} {term}" for engine in (*classes, POOLED) for term in OVERHEADS)]


def written(terms: Terms) -> dict[str, Any]:
    """The terms as plain data, three digits."""
    return {
        "routing": _rounded(terms.routing),
        "link_latency_s": _rounded(terms.link_latency_s),
        "engines": {
            name: {field.name: _rounded(getattr(overheads, field.name)) for field in fields(overheads)}
            for name, overheads in terms.engines.items()
        },
    }


def read(value: Mapping[str, Any]) -> Terms:
    """The terms out of plain data."""
    engines = {name: Overheads(**overheads) for name, overheads in value["engines"].items()}
    return Terms(engines, value["routing"], value["link_latency_s"])


def _rounded(value: float) -> float:
    return float(f"{value:.3g}")
