"""Plain decoding of the same requests in the same batch: the other side of every speedup."""

from __future__ import annotations

from tools.sweep.cost import CostModel


def autoregressive_rate(batch_size: int, cost: CostModel) -> float:
    """Tokens per unit of time of the whole batch: each step gives every request one token.

    All requests have the same output length, so none finishes before the others and no slot idles.
    """
    return batch_size / cost.plain_step(batch_size)
