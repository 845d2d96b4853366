"""Where the batch grows too large for speculation: the critical batch B*, and the largest batch that fits at all."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tools.sweep.roofline.network import Array
from tools.sweep.roofline.speedup import Setting

LARGEST = 2.0**16
"""Batches above are not looked at."""

_SCANNED = 129
_HALVINGS = 40


def critical_batch(setting: Setting, gamma: Array, context: Array, emitted: Array) -> Array:
    """B*: the batch above which a step that emits so many tokens loses, up to `LARGEST`.

    0 where no batch gains, infinity where even the largest does: with a long context the cache is read once for all
    positions of a step, so its growth with the batch never turns the step compute-bound. A mixture of experts may lose
    at middle batches and gain above them, since more positions touch more experts; B* is the last crossing.
    """
    gamma, context, emitted = np.broadcast_arrays(gamma, context, emitted)

    def gains(batch: Array) -> NDArray[np.bool_]:
        return setting.times(batch, gamma, context).cost < emitted

    scanned = np.geomspace(1.0, LARGEST, _SCANNED)
    low, high = np.zeros(gamma.shape), np.full(gamma.shape, np.inf)
    for left, right in pairwise(scanned):
        falls = gains(np.array(left)) & ~gains(np.array(right))
        low, high = np.where(falls, left, low), np.where(falls, right, high)
    crosses = np.isfinite(high)
    at_end = gains(np.array(LARGEST))
    bottom, top = np.where(crosses, low, 1.0), np.where(crosses, high, 1.0)
    for _ in range(_HALVINGS):
        middle = np.sqrt(bottom * top)
        good = gains(middle)
        bottom, top = np.where(good, middle, bottom), np.where(good, top, middle)
    found = np.where(crosses, bottom, 0.0)
    return np.where(at_end, np.inf, found)


def largest_batch(setting: Setting, context: Array) -> Array:
    """Requests whose cache of `context` tokens fits beside the target's weights; NaN where the capacity is not stated.

    Draft, activations and what an engine keeps for itself are left out, so no larger batch fits.
    """
    on = setting.machine
    if on.capacity is None:
        return np.full(context.shape, np.nan)
    left = on.capacity * on.count - setting.target.resident
    found: Array = np.maximum(0.0, np.floor(left / setting.target.cache(context)))
    return found
