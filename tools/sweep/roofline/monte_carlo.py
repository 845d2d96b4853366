"""Monte Carlo with the step times of a roofline: for requests of several q, where who shares a batch matters.

The batches are those of the study (`tools.sweep.speculative`); only what a step costs is another. For one q this gives
the closed form within its sampling error, which is what it is tested by.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tools.sweep.config import Population
from tools.sweep.grid import Place, count
from tools.sweep.metrics import Figures, figures
from tools.sweep.roofline.config import Requests
from tools.sweep.roofline.speedup import Setting, Times
from tools.sweep.totals import Totals


@dataclass(frozen=True, slots=True)
class RooflineCost:
    """The cost model of one setting at one context, for `tools.sweep.metrics`; times in seconds."""

    setting: Setting
    context: float

    def plain_step(self, batch_size: int) -> float:
        """T_verify(B, 1)."""
        return float(self._times(batch_size, 1).plain)

    def speculative_step(self, batch_size: int, gamma: float) -> float:
        """T_verify(B, n) + T_draft + T_sp."""
        return float(self._times(batch_size, gamma).speculative)

    def formula(self) -> str:
        """In words: there is no short one."""
        return "T_verify(B, n) + T_draft + T_sp"

    def _times(self, batch_size: float, gamma: float) -> Times:
        return self.setting.times(np.array(float(batch_size)), np.array(float(gamma)), np.array(self.context))


def drawn(
    name: str,
    population: Population,
    requests: Requests,
    batch_sizes: Sequence[int],
    gammas: Sequence[int],
) -> Mapping[Place, Totals]:
    """Exact totals of the simulated batches of a population, under each synchronisation."""
    seed, many, length = requests.seed, requests.count, requests.output_length
    return count(name, population, seed, many, length, batch_sizes, gammas, lambda _: None)


def timed(totals: Mapping[Place, Totals], setting: Setting, context: float) -> dict[Place, Figures]:
    """The figures of those batches with the step times of a setting."""
    cost = RooflineCost(setting, context)
    return {
        place: figures(found, place.synchronisation, place.batch_size, place.gamma, cost).rounded()
        for place, found in totals.items()
    }
