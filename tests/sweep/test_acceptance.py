"""The sampler against the distribution it stands for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.sweep.acceptance import accepted_tokens, expected_divergence, expected_emitted
from tools.sweep.config import Population
from tools.sweep.workload import BLOCK, Block, blocks, draw_q

SHARES = st.floats(0.05, 0.95)


def drawn(q: float, gamma: int, seed: int, requests: int = 400, steps: int = 100) -> np.ndarray:
    stream = np.random.Generator(np.random.PCG64(seed))
    return accepted_tokens(Block(np.full(requests, q), stream), gamma, steps)


@settings(max_examples=25, deadline=None)
@given(SHARES, st.integers(1, 16), st.integers(0, 2**32))
def test_accepted_tokens_have_their_distribution(q: float, gamma: int, seed: int) -> None:
    accepted = drawn(q, gamma, seed)
    assert accepted.min() >= 0
    assert accepted.max() <= gamma
    for k in range(1, gamma + 1):
        share = q**k
        error = np.sqrt(share * (1 - share) / accepted.size)
        assert abs((accepted >= k).mean() - share) <= 6 * error + 1e-4
    spread = accepted.std() / np.sqrt(accepted.size)
    assert (accepted + 1).mean() == pytest.approx(expected_emitted(q, gamma), abs=6 * spread + 1e-4)


@settings(max_examples=20, deadline=None)
@given(SHARES, st.integers(1, 8), st.integers(0, 2**32))
def test_a_shorter_draft_is_the_same_luck_cut_earlier(q: float, gamma: int, seed: int) -> None:
    assert np.array_equal(np.minimum(drawn(q, 16, seed, 50, 20), gamma), drawn(q, gamma, seed, 50, 20))


@settings(max_examples=30, deadline=None)
@given(SHARES, st.floats(0.0, 1.0), st.integers(0, 2**32))
def test_requests_have_the_q_of_their_population(low: float, width: float, seed: int) -> None:
    stream = np.random.Generator(np.random.PCG64(seed))
    high = low + width * (0.99 - low)
    ends = Population(ends=(low, high))
    q = draw_q(ends, stream, 2000)
    assert low <= q.min()
    assert q.max() <= high
    assert q.mean() == pytest.approx(ends.mean, abs=6 * (high - low) / np.sqrt(12 * 2000) + 1e-9)
    mixture = Population(parts=((low, 0.3), (high, 0.7)))
    mixed = draw_q(mixture, stream, 2000)
    assert set(mixed) <= {low, high}
    assert mixed.mean() == pytest.approx(mixture.mean, abs=6 * (high - low) * 0.5 / np.sqrt(2000) + 1e-9)


def test_a_mode_keeps_its_requests_whatever_stands_beside_it() -> None:
    population = Population(ends=(0.4, 0.9))
    few = list(blocks("mixed", population, 7, BLOCK))
    many = list(blocks("mixed", population, 7, BLOCK + 10))
    assert np.array_equal(few[0].q, many[0].q)
    assert [len(block.q) for block in many] == [BLOCK, 10]
    other = next(blocks("other", population, 7, BLOCK))
    assert not np.array_equal(few[0].q, other.q)
    assert not np.array_equal(few[0].q[:10], many[1].q)


@settings(max_examples=20, deadline=None)
@given(SHARES, st.integers(1, 8), st.integers(1, 16), st.integers(0, 2**32))
def test_expected_divergence_is_the_mean_of_many_steps(
    q: float, gamma: int, batch_size: int, seed: int
) -> None:
    powers = q ** np.arange(gamma + 1)
    shares = np.append(powers[:-1] - powers[1:], powers[-1])
    accepted = drawn(q, gamma, seed, batch_size, 4000).astype(float)
    most = accepted.max(axis=0)
    penalty = np.where(most > 0, 1 - accepted.mean(axis=0) / np.maximum(most, 1), 0.0)
    assert expected_divergence(shares, batch_size) == pytest.approx(
        penalty.mean(), abs=6 * penalty.std() / np.sqrt(4000) + 2e-3
    )
