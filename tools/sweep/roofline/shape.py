"""How many positions of a request are verified in a step, and how many tokens it emits on average (tau).

q is the chance that a proposed token is accepted, given that those before it were. `factors` makes it depend on the
position: that of position i is min(1, q f_i), with f_1 = 1.

* Chain of gamma tokens: n = gamma + 1, tau = 1 + sum over j of the product of the first j chances; for one q that
  is (1 - q^(gamma + 1)) / (1 - q).
* Tree of `nodes` nodes and depth gamma: n = nodes + 1. The second candidate of a position is right with chance q
  where the first was wrong, and so on: the k-th is accepted with q (1 - q)^(k - 1). The tree holds the nodes that are
  likeliest to be reached, as dynamic trees do, so tau = 1 + the sum of their chances.
* A draft that does not always propose (n-gram): n = 1 + fill gamma, tau = 1 + fill (tau of a chain - 1).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import comb

import numpy as np

from tools.errors import ToolsError
from tools.sweep.roofline.network import Array


@dataclass(frozen=True, slots=True)
class Shape:
    """Chain, or tree where `nodes` is given; `fill` is the share of requests that propose in a step.

    Raises `ToolsError` for what no draft can have.
    """

    nodes: int | None = None
    fill: float = 1.0
    factors: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if self.nodes is not None and self.nodes < 1:
            raise ToolsError(f"a tree of {self.nodes} nodes proposes nothing", "it has 1 node or more")
        if not 0 < self.fill <= 1:
            raise ToolsError(
                f"fill is {self.fill:g}", "the share of requests that propose is above 0 and at most 1"
            )
        if any(not np.isfinite(factor) or factor < 0 for factor in self.factors):
            raise ToolsError("a factor of q is below 0 or no number", "factors of q are 0 or more")
        if self.nodes is not None and self.factors:
            raise ToolsError("a tree takes no factors by position", "give a chain, or one q")

    def positions(self, gamma: Array) -> Array:
        """n, the positions of a request that a step verifies, in expectation."""
        proposed = np.full_like(gamma, self.nodes, dtype=np.float64) if self.nodes else gamma
        return 1 + self.fill * proposed

    def width(self, gamma: Array) -> Array:
        """Positions of a request in one pass of a draft that proposes depth after depth."""
        return np.maximum(1.0, self.nodes / gamma) if self.nodes else np.ones_like(gamma, dtype=np.float64)

    def emitted(self, q: Array, gamma: Array) -> Array:
        """tau, the mean tokens of a step; `gamma` is of whole numbers of at least 1."""
        found = self._tree(q, gamma) if self.nodes else self._chain(q, gamma)
        return 1 + self.fill * (found - 1)

    def _chain(self, q: Array, gamma: Array) -> Array:
        q, gamma = np.broadcast_arrays(q, gamma)
        total, reached = np.ones(q.shape), np.ones(q.shape)
        for position in range(1, int(gamma.max(initial=0)) + 1):
            reached = reached * np.minimum(1.0, q * self._factor(position))
            total += np.where(position <= gamma, reached, 0.0)
        return total

    def _factor(self, position: int) -> float:
        """That of a position; the last one given holds for those after it."""
        return self.factors[min(position, len(self.factors)) - 1] if self.factors else 1.0

    def _tree(self, q: Array, gamma: Array) -> Array:
        q, gamma = np.broadcast_arrays(q, gamma)
        pairs, places = np.unique(np.stack([q.ravel(), gamma.ravel()]), axis=1, return_inverse=True)
        found = np.array([best_tree(float(one), int(depth), self.nodes or 0) for one, depth in pairs.T])
        return found[places].reshape(q.shape)


@lru_cache(maxsize=65536)
def best_tree(q: float, depth: int, nodes: int) -> float:
    """tau of the tree of so many nodes that are likeliest to be reached, none deeper than `depth`.

    A node at depth d whose path takes the candidates k_1, ..., k_d is reached with q^d (1 - q)^s, s the sum of
    k_i - 1; there are C(s + d - 1, d - 1) of them. A node is never likelier than its parent, so the likeliest nodes
    are a tree.
    """
    if q >= 1:
        return 1.0 + min(depth, nodes)
    if q <= 0:
        return 1.0
    chances = [
        (q**d * (1 - q) ** skipped, min(nodes, comb(skipped + d - 1, d - 1)))
        for d in range(1, min(depth, nodes) + 1)
        for skipped in range(nodes)
    ]
    total, left = 1.0, nodes
    for chance, count in sorted(chances, reverse=True):
        taken = min(left, count)
        total += taken * chance
        left -= taken
        if not left:
            break
    return total
