"""Every point of a study: quality modes, synchronisations, batch sizes and gammas, each with its figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tools.sweep.acceptance import accepted_tokens
from tools.sweep.config import Population, Study
from tools.sweep.cost import CostModel, cost_model
from tools.sweep.metrics import Figures, figures
from tools.sweep.speculative import SYNCHRONISATIONS, run_block
from tools.sweep.totals import Totals
from tools.sweep.workload import BLOCK, blocks


class Place(NamedTuple):
    """A point of the grid under a synchronisation."""

    quality: str
    synchronisation: str
    batch_size: int
    gamma: int


@dataclass(frozen=True)
class Results:
    """The figures of every place, in the order of the axes; of all synchronisations, not only of those that the
    serving modes of the study use.
    """

    study: Study
    cost: CostModel
    at: Mapping[Place, Figures]

    def best_gamma(self, quality: str, synchronisation: str, batch_size: int) -> int:
        """The gamma of the largest speedup; of equal ones the smallest."""
        return max(
            self.study.gammas,
            key=lambda gamma: self.at[Place(quality, synchronisation, batch_size, gamma)].speedup,
        )

    def best(self, quality: str, synchronisation: str, batch_size: int) -> Figures:
        """The figures at the best gamma."""
        gamma = self.best_gamma(quality, synchronisation, batch_size)
        return self.at[Place(quality, synchronisation, batch_size, gamma)]

    def peak(self, quality: str, synchronisation: str) -> Place:
        """Where the speedup of a quality mode is largest."""
        places = (place for place in self.at if place[:2] == (quality, synchronisation))
        return max(places, key=lambda place: self.at[place].speedup)

    def served(self) -> Iterator[tuple[str, Place, Figures]]:
        """(serving mode, place, figures) of each point of the study."""
        for quality in self.study.qualities:
            for serving, synchronisation in self.study.serving.items():
                for batch_size in self.study.batch_sizes:
                    for gamma in self.study.gammas:
                        place = Place(quality, synchronisation, batch_size, gamma)
                        yield serving, place, self.at[place]


def simulate(study: Study, advance: Callable[[int], None]) -> Results:
    """The results of a study. `advance` is told of every block done; there are `count_blocks` of them."""
    cost = cost_model(study)
    found: dict[Place, Figures] = {}
    for quality, population in study.qualities.items():
        totals = count(
            quality,
            population,
            study.seed,
            study.requests,
            study.output_length,
            study.batch_sizes,
            study.gammas,
            advance,
        )
        for name in SYNCHRONISATIONS:
            for batch_size in study.batch_sizes:
                for gamma in study.gammas:
                    place = Place(quality, name, batch_size, gamma)
                    found[place] = figures(totals[place], name, batch_size, gamma, cost).rounded()
    return Results(study, cost, found)


def count(
    quality: str,
    population: Population,
    seed: int,
    requests: int,
    length: int,
    batch_sizes: Sequence[int],
    gammas: Sequence[int],
    advance: Callable[[int], None],
) -> dict[Place, Totals]:
    """The totals of every place of a quality mode; `gammas` and `batch_sizes` rise."""
    totals: dict[Place, Totals] = {}
    for block in blocks(quality, population, seed, requests):
        accepted = accepted_tokens(block, gammas[-1], length)
        for gamma in gammas:
            cut = np.minimum(accepted, np.int8(gamma))
            for name, batch_size, more in run_block(cut, batch_sizes, length):
                place = Place(quality, name, batch_size, gamma)
                totals[place] = totals[place] + more if place in totals else more
        advance(1)
    return totals


def count_blocks(study: Study) -> int:
    """How many blocks `simulate` will tell of."""
    return len(study.qualities) * -(-study.requests // BLOCK)
