"""Exact totals of simulated batches; those of blocks add up to those of the whole."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.integer]


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over batches, all of whole numbers.

    `passes` counts verifying passes of requests, `slot_steps` steps times slots, `unfinished` slots at the start
    of a step whose request had emitted less than the output length. The squares and the product are of tokens
    and steps of a batch, for the sampling error of their ratio. `by_most[m, n]` is (steps, accepted tokens) of
    the steps in which n requests took part and the luckiest accepted m.
    """

    batches: int
    tokens: int
    steps: int
    slot_steps: int
    unfinished: int
    passes: int
    tokens_squared: int
    steps_squared: int
    tokens_steps: int
    by_most: dict[tuple[int, int], tuple[int, int]]

    def __add__(self, other: Totals) -> Totals:
        """The totals of both."""
        by_most = dict(self.by_most)
        for key, (steps, accepted) in other.by_most.items():
            known_steps, known_accepted = by_most.get(key, (0, 0))
            by_most[key] = (known_steps + steps, known_accepted + accepted)
        return Totals(
            batches=self.batches + other.batches,
            tokens=self.tokens + other.tokens,
            steps=self.steps + other.steps,
            slot_steps=self.slot_steps + other.slot_steps,
            unfinished=self.unfinished + other.unfinished,
            passes=self.passes + other.passes,
            tokens_squared=self.tokens_squared + other.tokens_squared,
            steps_squared=self.steps_squared + other.steps_squared,
            tokens_steps=self.tokens_steps + other.tokens_steps,
            by_most=by_most,
        )


def total(
    *,
    tokens: Whole,
    steps: Whole,
    unfinished: int,
    passes: int,
    accepted: Whole,
    most: Whole,
    taking_part: Whole | int,
    slots: int,
) -> Totals:
    """Totals of some batches.

    `tokens` and `steps` have an entry for each batch; `accepted`, `most` and `taking_part` one for each step of
    all of them: tokens accepted in it, the largest number a request accepted, and how many requests took part.
    """
    tokens, steps = tokens.astype(np.int64), steps.astype(np.int64)
    width = int(np.max(taking_part)) + 1
    key = most.astype(np.int64) * width + taking_part
    counts = np.bincount(key)
    # Sums of whole numbers below 2^53 are exact as doubles.
    sums = np.bincount(key, weights=accepted)
    return Totals(
        batches=len(tokens),
        tokens=int(tokens.sum()),
        steps=int(steps.sum()),
        slot_steps=int(steps.sum()) * slots,
        unfinished=unfinished,
        passes=passes,
        tokens_squared=int((tokens * tokens).sum()),
        steps_squared=int((steps * steps).sum()),
        tokens_steps=int((tokens * steps).sum()),
        by_most={
            (found // width, found % width): (int(counts[found]), int(sums[found]))
            for found in np.flatnonzero(counts).tolist()
        },
    )
