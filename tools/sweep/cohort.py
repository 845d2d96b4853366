"""Requests that share batches, reduced to what the synchronisations ask of a batch in each step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

Small: TypeAlias = NDArray[np.int8]
Counts: TypeAlias = NDArray[np.int32]
Flags: TypeAlias = NDArray[np.bool_]
Whole = TypeVar("Whole", NDArray[np.int8], NDArray[np.int32])


@dataclass(frozen=True, slots=True)
class Cohort:
    """Batches of `size` requests: a row for each batch, a column for each step.

    Sums over the requests: tokens `emitted` up to and with the step; draft tokens `accepted` in it; requests
    `unfinished` at its start (emitted less than the output length); and `kept`, accepted by those alone. Of the
    single requests: the largest number accepted, by any (`most`) and by an unfinished one (`most_kept`), and the
    smallest (`least`). `own_tokens`, for each batch, counts what its requests emit until each of them is finished.

    All but `least` end with the last step in which a request is unfinished.
    """

    size: int
    emitted: Counts
    accepted: Counts
    unfinished: Counts
    kept: Counts
    most: Small
    most_kept: Small
    least: Small
    own_tokens: Counts

    def merged(self, together: int) -> Cohort:
        """Batches of so many of these batches, neighbours with neighbours; a rest that fills none is left out."""
        if together == 1:
            return self
        return Cohort(
            self.size * together,
            _sums(self.emitted, together),
            _sums(self.accepted, together),
            _sums(self.unfinished, together),
            _sums(self.kept, together),
            _grouped(self.most, together).max(axis=1),
            _grouped(self.most_kept, together).max(axis=1),
            _grouped(self.least, together).min(axis=1),
            _sums(self.own_tokens, together),
        )


def single(accepted: Small, length: int) -> Cohort:
    """Batches of one request each, from the accepted tokens of its first `length` steps."""
    emitted = np.cumsum(accepted + 1, axis=1, dtype=np.int32)
    unfinished = np.ones(accepted.shape, dtype=np.bool_)
    unfinished[:, 1:] = emitted[:, :-1] < length
    steps = unfinished.sum(axis=1, dtype=np.int32)
    needed = int(steps.max())
    emitted, unfinished, own = emitted[:, :needed], unfinished[:, :needed], accepted[:, :needed]
    kept = own * unfinished
    return Cohort(
        1,
        emitted,
        own.astype(np.int32),
        unfinished.astype(np.int32),
        kept.astype(np.int32),
        own,
        kept,
        accepted,
        emitted[np.arange(len(emitted)), steps - 1],
    )


def _grouped(rows: Whole, together: int) -> Whole:
    whole = len(rows) // together * together
    return rows[:whole].reshape(-1, together, *rows.shape[1:])


def _sums(rows: Counts, together: int) -> Counts:
    sums: Counts = _grouped(rows, together).sum(axis=1, dtype=np.int32)
    return sums
