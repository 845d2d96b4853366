"""The definition of the batched study, token by token in plain Python: slow, short, and without a line of ours.

It stands beside the vectorised generator for two questions: are the answers the same, and how much faster are they?
It follows docs/sweep.md and shares no code with `tools.sweep`; a refilled batch is really run, request after request.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple

Draw = Callable[[], float]


class Run(NamedTuple):
    """What a run gave: speedup, tokens it went through, utilisation and mean divergence."""

    speedup: float
    tokens: int
    slot_utilization: float
    divergence_penalty: float


def accept(q: float, gamma: int, rng: random.Random) -> int:
    """Accepted tokens of a step, one proposed token after the other."""
    accepted = 0
    while accepted < gamma and rng.random() < q:
        accepted += 1
    return accepted


def simulate(
    synchronisation: str,
    draw_q: Draw,
    batch_size: int,
    gamma: int,
    requests: int,
    length: int,
    step_cost: float,
    rng: random.Random,
) -> Run:
    """So many requests in batches, or as many tokens in a batch that is refilled."""
    tokens = steps = slots = unfinished = 0
    penalties = 0.0
    refill = synchronisation == "refill"
    for _ in range(1 if refill else max(1, requests // batch_size)):
        q = [draw_q() for _ in range(batch_size)]
        emitted = [0] * batch_size
        passed = 0
        # The slots of a refilled batch start together; their first requests are not the long run yet.
        warm = 8 * batch_size * length if refill else 0
        while True:
            counting = passed >= warm
            accepted = [accept(q[i], gamma, rng) for i in range(batch_size)]
            open_slots = [i for i in range(batch_size) if emitted[i] < length]
            if synchronisation == "lock_step":
                accepted = [min(accepted)] * batch_size
            taking_part = open_slots if synchronisation == "run_to_completion" else range(batch_size)
            for i in taking_part:
                emitted[i] += accepted[i] + 1
                passed += accepted[i] + 1
            if counting:
                steps += 1
                slots += batch_size
                unfinished += len(open_slots)
                kept = [accepted[i] for i in taking_part]
                tokens += sum(kept) + len(kept)
                penalties += 1 - sum(kept) / len(kept) / max(kept) if max(kept) else 0.0
            if refill:
                for i in range(batch_size):
                    if emitted[i] >= length:
                        q[i], emitted[i] = draw_q(), 0
                if passed - warm >= max(requests, batch_size) * length:
                    break
            elif synchronisation == "ragged":
                if sum(emitted) >= batch_size * length:
                    break
            elif min(emitted) >= length:
                break
    speedup = tokens / (steps * batch_size * step_cost)
    return Run(speedup, tokens, unfinished / slots, penalties / steps)


def drawer(population: object, rng: random.Random) -> Draw:
    """Draws q of a request from a configured population (`parts` of q and share, or `ends`)."""
    ends = getattr(population, "ends", None)
    if ends is not None:
        return lambda: rng.uniform(*ends)
    parts = getattr(population, "parts", ())
    values, shares = [q for q, _ in parts], [share for _, share in parts]
    return lambda: rng.choices(values, shares)[0]
