"""What the numbers of a study say, in sentences made of the numbers.

Each statement says what it rests on: `simulated` holds of the numbers under the definitions of the study,
`assumed` follows from an assumption that was put in (what a step costs, how a batch waits) and would fall with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from tools.sweep.acceptance import expected_emitted
from tools.sweep.config import Population
from tools.sweep.grid import Place, Results
from tools.sweep.speculative import SYNCHRONISATIONS

NOTICEABLE = 0.005
"""Smallest relative change of a speedup that is told as one."""

Basis = Literal["simulated", "assumed"]


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence or two, and what they rest on."""

    basis: Basis
    text: str


def statements(results: Results) -> Iterator[Statement]:
    """All that is found, the plainest first."""
    for quality in results.study.qualities:
        yield Statement("simulated", _best(results, quality))
    for quality in results.study.qualities:
        yield Statement("simulated", _batch_effect(results, quality))
    yield Statement("simulated", _divergence(results))
    yield Statement("assumed", _verify_cost(results))
    yield Statement("assumed", _best_gamma_over_batches(results))
    yield from (Statement("assumed", text) for text in _headroom(results))
    yield Statement("assumed", _weakest_request(results))


def described(population: Population) -> str:
    """A distribution of q in words."""
    if population.single is not None:
        return f"q = {population.single:g} for every request"
    if population.ends is not None:
        return f"q uniform between {population.ends[0]:g} and {population.ends[1]:g}"
    return "q = " + " or ".join(f"{q:g} (share {share:g})" for q, share in population.parts)


def batch_change(results: Results, quality: str, synchronisation: str) -> float:
    """Speedup at the largest batch over that at the smallest, minus 1, both at the best gamma of the smallest."""
    small, large = results.study.batch_sizes[0], results.study.batch_sizes[-1]
    gamma = results.best_gamma(quality, synchronisation, small)
    at = results.at
    return (
        at[Place(quality, synchronisation, large, gamma)].speedup
        / at[Place(quality, synchronisation, small, gamma)].speedup
        - 1
    )


def _main(results: Results) -> str:
    """The synchronisation of the first serving mode, which the statements about one are made for."""
    return next(iter(results.study.serving.values()))


def _best(results: Results, quality: str) -> str:
    place = results.peak(quality, _main(results))
    figures = results.at[place]
    worst = min((results.at[Place(*place[:3], gamma)].speedup, gamma) for gamma in results.study.gammas)
    text = (
        f"{quality}: at best {figures.speedup:.2f} times plain decoding (gamma {place.gamma}, batch "
        f"{place.batch_size}), where a step emits {figures.acceptance_length:.2f} tokens of a request and costs "
        f"{results.cost.speculative_step(place.batch_size, place.gamma):.2f} plain steps. "
    )
    if worst[0] < 1:
        return text + f"Drafting too far loses: at gamma {worst[1]} the same batch is at {worst[0]:.2f}."
    return text + f"No gamma of the grid loses: the lowest is {worst[0]:.2f}, at gamma {worst[1]}."


def _batch_effect(results: Results, quality: str) -> str:
    small, large = results.study.batch_sizes[0], results.study.batch_sizes[-1]
    parts = []
    for serving, synchronisation in results.study.serving.items():
        gamma = results.best_gamma(quality, synchronisation, small)
        ends = [results.at[Place(quality, synchronisation, size, gamma)].speedup for size in (small, large)]
        change = batch_change(results, quality, synchronisation)
        way = "rises" if change > 0 else "falls"
        parts.append(
            f"{serving} stays at {ends[0]:.2f}"
            if abs(change) <= NOTICEABLE
            else f"{serving} {way} from {ends[0]:.2f} to {ends[1]:.2f} ({change:+.1%})"
        )
    why = (
        "all requests have one q, so the batch has nothing to mix"
        if results.study.qualities[quality].single is not None
        else "in a ragged batch quick requests emit tokens in place of slow ones (the mean over q is arithmetic); one "
        "request after the other, the slow ones hold their slot longer (the mean is harmonic)"
    )
    return f"{quality}, from batch {small} to {large}: {'; '.join(parts)}. Why: {why}."


def _divergence(results: Results) -> str:
    synchronisation, large = _main(results), results.study.batch_sizes[-1]
    found = {
        quality: results.best(quality, synchronisation, large).divergence_penalty
        for quality in results.study.qualities
    }
    most, least = max(found, key=lambda name: found[name]), min(found, key=lambda name: found[name])
    return (
        f"At batch {large} and the best gamma, a request accepts on average {found[least]:.0%} ({least}) to "
        f"{found[most]:.0%} ({most}) less than the luckiest one of its step. This divergence costs nothing where each "
        "request keeps its own tokens."
    )


def _verify_cost(results: Results) -> str:
    study, cost = results.study, results.cost
    ratios = [
        [cost.speculative_step(size, gamma) / cost.plain_step(size) for size in study.batch_sizes]
        for gamma in study.gammas
    ]
    changes = [
        batch_change(results, quality, synchronisation)
        for quality in study.qualities
        for synchronisation in study.serving.values()
    ]
    lowest = f"the largest loss from batch {study.batch_sizes[0]} to {study.batch_sizes[-1]} is {-min(changes):.1%}"
    if min(changes) >= -NOTICEABLE:
        lowest = f"none loses from batch {study.batch_sizes[0]} to {study.batch_sizes[-1]}"
    if all(max(row) == min(row) for row in ratios):
        return (
            f"That speedups hold at large batches ({lowest}) is what was put in: the cost model "
            f"({study.cost_model}: a step costs {cost.formula()} plain steps) does not know the batch. On an "
            "accelerator verification becomes compute-bound as batch x (gamma + 1) grows, and then this ends."
        )
    widest = max(max(row) / min(row) for row in ratios)
    return (
        f"The cost of a speculative step against a plain one changes with the batch, by up to {widest:.2f} times "
        f"({study.cost_model}): {lowest}."
    )


def _best_gamma_over_batches(results: Results) -> str:
    parts = []
    several = False
    for quality in results.study.qualities:
        found = sorted(
            {
                results.best_gamma(quality, synchronisation, size)
                for synchronisation in results.study.serving.values()
                for size in results.study.batch_sizes
            }
        )
        several |= len(found) > 1
        parts.append(f"{quality} {' or '.join(map(str, found))}")
    verdict = (
        "So it does not depend on quality alone: it moves with the batch or the serving mode"
        if several
        else "So it depends on quality alone, as long as a step costs the same at any batch"
    )
    return f"The best gamma over all batch sizes and serving modes: {', '.join(parts)}. {verdict}."


def _headroom(results: Results) -> Iterator[str]:
    synchronisation, large = _main(results), results.study.batch_sizes[-1]
    for quality in results.study.qualities:
        gamma = results.best_gamma(quality, synchronisation, large)
        figures = results.at[Place(quality, synchronisation, large, gamma)]
        plain = results.cost.plain_step(large)
        slack = (figures.speedup - 1) * results.cost.speculative_step(large, gamma) / plain
        yield (
            f"{quality}, batch {large}, gamma {gamma}: the gain is used up once a step costs {slack:.2f} plain steps "
            f"more than assumed. Checking {gamma + 1} positions costs up to {gamma} more when it is compute-bound."
        )


def _weakest_request(results: Results) -> str:
    large = results.study.batch_sizes[-1]
    if results.study.batch_sizes[0] != 1:
        return f"Without batch 1 in the grid, what waiting costs at batch {large} cannot be told."
    changes = {
        name: [
            results.best(quality, name, large).speedup / results.best(quality, name, 1).speedup - 1
            for quality in results.study.qualities
        ]
        for name in SYNCHRONISATIONS
    }
    parts = [f"{name} {min(found):+.0%} to {max(found):+.0%}" for name, found in changes.items()]
    falling = [name for name, found in changes.items() if max(found) < -NOTICEABLE]
    return (
        f"How a batch waits decides whether its weakest request limits it. Best speedup at batch {large} against batch "
        f"1, over the quality modes: {', '.join(parts)}. For every mode it falls under "
        f"{' and '.join(falling) or 'none of them'}."
    )


def closed_form(results: Results, place: Place) -> float | None:
    """The speedup by formula, where it is exact: one q, and a synchronisation in which no request waits."""
    q = results.study.qualities[place.quality].single
    if q is None or (place.synchronisation not in ("ragged", "refill") and place.batch_size > 1):
        return None
    step = results.cost.speculative_step(place.batch_size, place.gamma)
    return expected_emitted(q, place.gamma) * results.cost.plain_step(place.batch_size) / step
