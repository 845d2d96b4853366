"""How many proposed tokens a step accepts: the sampler, and the closed form for one q.

Each proposed token is accepted with probability q, independently, and the first rejection ends the step: the
number accepted is a = min(G, gamma) with P(G >= k) = q^k. Every step emits one token of the target besides, so
it emits a + 1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tools.sweep.workload import Block


def accepted_tokens(block: Block, gamma: int, steps: int) -> NDArray[np.int8]:
    """Accepted tokens of each request (row) in each of its steps, for a draft of `gamma` tokens.

    For a shorter draft take the minimum with its length: it is the same luck, cut earlier. One uniform number u
    decides a step: a is the number of k <= gamma with u < q^k.
    """
    requests = len(block.q)
    uniform = block.stream.random((requests, steps))
    accepted = np.zeros((requests, steps), dtype=np.int8)
    threshold = block.q[:, None].copy()
    for _ in range(gamma):
        accepted += uniform < threshold
        threshold *= block.q[:, None]
    return accepted


def expected_emitted(q: float, gamma: float) -> float:
    """Mean tokens of a step, accepted ones and the target's own: (1 - q^(gamma + 1)) / (1 - q)."""
    return float((1 - q ** (gamma + 1)) / (1 - q))


def expected_divergence(shares: NDArray[np.float64], batch_size: int) -> float:
    """Mean of 1 - mean(a) / max(a) over a batch of independent a, where `shares[k]` is P(a = k).

    By symmetry E[mean / max] = E[a_1 / max] = P(max = 0) + sum over m of E[a_1; max = m] / m, counting a step in
    which nobody accepts anything as one without divergence; and E[a_1; max <= m] = F(m)^(B - 1) S(m) with
    F(m) = P(a <= m) and S(m) = sum over k <= m of k P(a = k).
    """
    counts = np.arange(len(shares))
    below = np.cumsum(shares)
    up_to = below ** (batch_size - 1) * np.cumsum(counts * shares)
    together = below[0] ** batch_size + np.sum(np.diff(up_to) / counts[1:])
    return max(0.0, float(1 - together))
