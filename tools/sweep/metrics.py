"""The figures of an operating point, made of its totals: speedup and its sampling error, tau, utilisation, divergence.

With T tokens and N steps of all batches, B slots, t the time of a speculative step and t_0 that of a plain one:

    speedup = (T / (N t)) / (B / t_0)
    acceptance length tau = T / verifying passes of requests
    slot utilisation = slots whose request has emitted less than L / all slots, over steps
    divergence penalty = 1 - mean(a) / max(a), over the requests that take part in a step, averaged over steps

Without idle slots tau = T / (N B) and the speedup is tau t_0 / t.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tools.sweep.acceptance import expected_divergence
from tools.sweep.baseline import autoregressive_rate
from tools.sweep.cost import CostModel
from tools.sweep.totals import Totals

CONFIDENCE = 0.95
DECIMALS = 6
Z = 1.959964
"""Half-width, in standard errors, of an interval that holds 95 % of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one point; `half_width` is that of the speedup's 95 % sampling interval."""

    speedup: float
    half_width: float
    acceptance_length: float
    acceptance_rate: float
    slot_utilization: float
    divergence_penalty: float

    def rounded(self) -> Figures:
        """To `DECIMALS`: below the sampling error, and above what differs between two machines."""
        return Figures(*(round(getattr(self, name), DECIMALS) for name in self.__slots__))


def figures(totals: Totals, synchronisation: str, batch_size: int, gamma: int, cost: CostModel) -> Figures:
    """What the totals of a point say."""
    # A batch of the refill totals is one request in one slot, so the rest of the batch multiplies its rate.
    slots = totals.slot_steps // totals.steps
    step_time = cost.speculative_step(batch_size, gamma)
    rate = totals.tokens / (totals.steps * step_time) * batch_size / slots
    speedup = rate / autoregressive_rate(batch_size, cost)
    length = totals.tokens / totals.passes
    return Figures(
        speedup=speedup,
        half_width=Z * speedup * relative_error(totals),
        acceptance_length=length,
        acceptance_rate=(length - 1) / gamma,
        slot_utilization=totals.unfinished / totals.slot_steps,
        divergence_penalty=(
            _refilled_divergence(totals, batch_size) if synchronisation == "refill" else _divergence(totals)
        ),
    )


def relative_error(totals: Totals) -> float:
    """Relative standard error of tokens over steps, a ratio of two sums over independent batches (delta method)."""
    ratio = totals.tokens / totals.steps
    squares = totals.tokens_squared - 2 * ratio * totals.tokens_steps + ratio**2 * totals.steps_squared
    return math.sqrt(max(0.0, squares) * totals.batches / (totals.batches - 1)) / totals.tokens


def _divergence(totals: Totals) -> float:
    steps = together = 0.0
    for (most, taking_part), (count, accepted) in sorted(totals.by_most.items()):
        steps += count
        together += accepted / (taking_part * most) if most else count
    return max(0.0, 1 - together / steps)


def _refilled_divergence(totals: Totals, batch_size: int) -> float:
    """In the long run each slot stands at a step of its own, drawn from all steps alike."""
    counts = np.zeros(max(most for most, _ in totals.by_most) + 1)
    for (most, _), (count, _) in totals.by_most.items():
        counts[most] += count
    return expected_divergence(counts / counts.sum(), batch_size)
