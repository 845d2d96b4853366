"""Batches of speculative decoding, run to their end under each synchronisation.

All works on whole numbers: a run of a block gives exact totals, totals of blocks add up, and no result depends
on the order of the sums. With L the output length, a step emits at least one token of each request, so no
batch needs more than L steps.

| synchronisation | a batch ends when | emitted in a step |
| --- | --- | --- |
| ragged | its B requests have emitted B L tokens in sum | each request its own accepted tokens + 1 |
| run_to_completion | each of its requests has emitted L | as ragged, by those that have not |
| lock_step | each of its requests has emitted L | each request the smallest accepted number + 1 |
| refill | never: a request that has emitted L gives its slot to the next | as ragged |

Tokens of the step in which a batch (or request) ends all count. So E[tokens] = E[steps] E[tokens of a step]
(Wald), and the closed form for one q is exact, not only a limit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from tools.sweep.cohort import Cohort, Counts, Flags, single
from tools.sweep.totals import Totals, total

SYNCHRONISATIONS = ("ragged", "run_to_completion", "lock_step", "refill")


def run_block(
    accepted: NDArray[np.int8], batch_sizes: Sequence[int], length: int
) -> Iterator[tuple[str, int, Totals]]:
    """(synchronisation, batch size, totals) of one block.

    `accepted` has a row for each request and a column for each of its first `length` steps. A batch size groups
    neighbours; requests that fill no batch are left out.
    """
    alone = single(accepted, length)
    one = _run_to_completion(alone)
    grouped = alone
    for batch_size in batch_sizes:
        if batch_size == 1:
            # A request alone in its batch waits for nobody: all synchronisations are the same.
            yield from ((name, 1, one) for name in SYNCHRONISATIONS)
            continue
        # Batches of 8 are made of the batches of 4 before them; where that does not go, of single requests.
        of = grouped if batch_size % grouped.size == 0 else alone
        if len(accepted) >= batch_size:
            grouped = of.merged(batch_size // of.size)
            yield "ragged", batch_size, _ragged(grouped, length)
            yield "run_to_completion", batch_size, _run_to_completion(grouped)
            yield "lock_step", batch_size, _lock_step(grouped, length)
        # One slot that serves request after request has, by the renewal theorem, the mean tokens of a request
        # over its mean steps as its long-run rate, whatever the batch size: batches of one, run to completion.
        # What a step of B such slots looks like follows from the accepted numbers of all steps (`metrics`).
        yield "refill", batch_size, one


def _ragged(batches: Cohort, length: int) -> Totals:
    runs = _begun(batches.emitted, batches.size * length)
    most = batches.most[runs]
    return total(
        tokens=_at_end(batches.emitted, runs),
        steps=runs.sum(axis=1, dtype=np.int32),
        unfinished=int(batches.unfinished[runs].sum(dtype=np.int64)),
        passes=len(most) * batches.size,
        accepted=batches.accepted[runs],
        most=most,
        taking_part=batches.size,
        slots=batches.size,
    )


def _run_to_completion(batches: Cohort) -> Totals:
    runs = batches.unfinished > 0
    unfinished = batches.unfinished[runs]
    passes = int(unfinished.sum(dtype=np.int64))
    return total(
        tokens=batches.own_tokens,
        steps=runs.sum(axis=1, dtype=np.int32),
        unfinished=passes,
        passes=passes,
        accepted=batches.kept[runs],
        most=batches.most_kept[runs],
        taking_part=unfinished,
        slots=batches.size,
    )


def _lock_step(batches: Cohort, length: int) -> Totals:
    together = np.cumsum(batches.least + 1, axis=1, dtype=np.int32)
    runs = _begun(together, length)
    least = batches.least[runs]
    slot_steps = len(least) * batches.size
    return total(
        tokens=_at_end(together, runs) * batches.size,
        steps=runs.sum(axis=1, dtype=np.int32),
        unfinished=slot_steps,
        passes=slot_steps,
        accepted=least.astype(np.int32) * batches.size,
        most=least,
        taking_part=batches.size,
        slots=batches.size,
    )


def _begun(emitted: Counts, wanted: int) -> Flags:
    """Which steps of each row run: those before which it had emitted less than wanted."""
    runs = np.ones(emitted.shape, dtype=np.bool_)
    runs[:, 1:] = emitted[:, :-1] < wanted
    return runs


def _at_end(emitted: Counts, runs: Flags) -> Counts:
    """Tokens emitted when the last step of each row has run."""
    found: Counts = emitted[np.arange(len(emitted)), runs.sum(axis=1, dtype=np.int32) - 1]
    return found
