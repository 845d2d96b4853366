"""What the uncertainty of q makes of a speedup: an interval, and the chance that speculation pays.

q is taken to have a beta distribution with the stated mean and standard deviation. A normal one would put weight
above 1 just where drafts are good (at 0.9 and 0.08, a tenth of it); a beta one stays inside (0, 1), and it is what
counting accepted and rejected proposals gives: after a accepted and b rejected ones q is Beta(a, b), so a standard
deviation can be read as q (1 - q) / sd^2 - 1 proposals seen.

The cost of a step does not depend on q and tau grows with it, so both answers are exact: the ends of the interval
are the speedups at two quantiles of q, and speculation pays with the chance that q is above its break-even value.
Neither says how far the model itself is off; docs/sweep.md does.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from tools.errors import ToolsError
from tools.sweep.metrics import CONFIDENCE
from tools.sweep.roofline.network import Array
from tools.sweep.roofline.shape import Shape

TYPICAL_SD = 0.08
"""Of the acceptance lengths of single requests, EAGLE drafts have a spread of 0.2 to 0.4 tokens at gamma 3; around
q = 0.7, where 0.3 tokens are d tau / d q = 1 + 2 q + 3 q^2 = 3.87 times a change of q, the middle is 0.08."""

_CHAIN_STEPS = 4096
_TREE_STEPS = 512


@dataclass(frozen=True, slots=True)
class Belief:
    """Beta distributions of several q, by `mean`, all with one standard deviation `sd`."""

    mean: Array
    sd: float

    def __post_init__(self) -> None:
        if ((self.mean <= 0) | (self.mean >= 1)).any():
            wrong = self.mean[(self.mean <= 0) | (self.mean >= 1)].flat[0]
            raise ToolsError(
                f"a quality of {wrong:g} is no chance that can be missed", "q lies between 0 and 1"
            )
        widest = np.sqrt(self.mean * (1 - self.mean))
        if not 0 < self.sd < widest.min():
            at = float(self.mean.flat[int(widest.argmin())])
            raise ToolsError(
                f"nothing between 0 and 1 has the mean {at:g} and a standard deviation of {self.sd:g}",
                f"the uncertainty of q is above 0 and, for that mean, below {widest.min():.3g}",
            )

    @property
    def shapes(self) -> tuple[Array, Array]:
        """a and b of the beta distributions."""
        seen = self.mean * (1 - self.mean) / self.sd**2 - 1
        return self.mean * seen, (1 - self.mean) * seen

    def interval(self, level: float = CONFIDENCE) -> tuple[Array, Array]:
        """The quantiles of q that hold `level` between them, the same on either side."""
        from scipy.special import betaincinv  # type: ignore[import-untyped]

        a, b = self.shapes
        return betaincinv(a, b, (1 - level) / 2), betaincinv(a, b, (1 + level) / 2)

    def above(self, least: Array) -> Array:
        """The chance that q is at least `least`, whose last axis is 1 long and goes over `mean` in the result.

        From tables, on straight lines between steps that are dense at both ends: within 1e-5 of the exact chance,
        except at the very ends where the distribution piles up there (a or b far below 1).
        """
        tables = _tables(tuple(self.mean.tolist()), self.sd)
        steps = len(tables) - 1
        place = np.arccos(1 - 2 * np.clip(least[..., 0], 0, 1)) * (steps / np.pi)
        left = np.minimum(place.astype(np.int32), steps - 1)
        low = tables[left]
        found: Array = low + (place - left)[..., None] * (tables[left + 1] - low)
        return found


@lru_cache(maxsize=8)
def _tables(means: tuple[float, ...], sd: float) -> Array:
    """The chance of each q (column) to be above each of the steps (row)."""
    from scipy.special import betaincc

    a, b = Belief(np.array(means), sd).shapes
    angles = np.linspace(0, np.pi, int(np.clip(100 / sd, 1024, 16384)) + 1)
    found: Array = betaincc(a, b, (1 - np.cos(angles[:, None])) / 2)
    return found


def break_even_q(shape: Shape, cost: Array, gamma: Array) -> Array:
    """The q from which tau exceeds `cost`; 1 where none does. tau is taken as straight between steps of q."""
    cost, gamma = np.broadcast_arrays(cost, gamma)
    steps = np.linspace(0, 1, (_TREE_STEPS if shape.nodes else _CHAIN_STEPS) + 1)
    found = np.empty(cost.shape)
    for depth in np.unique(gamma):
        at = gamma == depth
        emitted = np.maximum.accumulate(shape.emitted(steps, np.array(depth)))
        found[at] = np.interp(cost[at], emitted, steps, right=1.0)
    return found
