"""Batches against the closed form, against each other, and against what their definition promises."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.sweep.acceptance import expected_emitted
from tools.sweep.analysis import closed_form
from tools.sweep.cost import ConstantCost
from tools.sweep.grid import Place, Results
from tools.sweep.metrics import Figures, figures
from tools.sweep.speculative import SYNCHRONISATIONS, run_block

FREE = ConstantCost(0.2)


def test_monte_carlo_agrees_with_the_closed_form(small_results: Results) -> None:
    """Where both are exact: one q, and nobody waits."""
    compared = 0
    for place, found in small_results.at.items():
        exact = closed_form(small_results, place)
        if exact is not None:
            compared += 1
            # The interval is 1.96 standard errors wide on either side; 5 of them leave no room for luck.
            assert abs(found.speedup - exact) <= 2.6 * found.half_width, place
    # Two modes with one q: ragged and refill at each batch size, and each synchronisation at batch 1.
    assert compared == 2 * 4 * (2 * 4 + 2)


def test_a_refilled_slot_has_the_harmonic_mean(small_results: Results) -> None:
    at, cost = small_results.at, small_results.cost
    parts = small_results.study.qualities["bimodal"].parts
    for gamma in small_results.study.gammas:
        rate = 1 / sum(share / expected_emitted(q, gamma) for q, share in parts)
        found = at[Place("bimodal", "refill", 16, gamma)]
        assert found.speedup == pytest.approx(
            rate / cost.speculative_step(16, gamma), abs=3 * found.half_width
        )


def test_a_large_ragged_batch_nears_the_arithmetic_mean(small_results: Results) -> None:
    parts = small_results.study.qualities["bimodal"].parts
    gamma = 2
    step = small_results.cost.speculative_step(16, gamma)
    arithmetic = sum(share * expected_emitted(q, gamma) for q, share in parts) / step
    ragged = [small_results.at[Place("bimodal", "ragged", size, gamma)].speedup for size in (1, 3, 4, 16)]
    assert ragged == sorted(ragged)
    assert ragged[-1] == pytest.approx(arithmetic, rel=0.03)


def all_figures(accepted: np.ndarray, batch_size: int, gamma: int, length: int) -> dict[str, Figures]:
    return {
        name: figures(totals, name, batch_size, gamma, FREE).rounded()
        for name, size, totals in run_block(accepted, (batch_size,), length)
        if size == batch_size
    }


@settings(max_examples=40, deadline=None)
@given(st.data(), st.integers(1, 6), st.integers(1, 8), st.integers(1, 30))
def test_what_holds_of_any_luck(data: st.DataObject, batch_size: int, gamma: int, length: int) -> None:
    stream = np.random.Generator(np.random.PCG64(data.draw(st.integers(0, 2**32))))
    accepted = stream.integers(0, gamma + 1, size=(12, length)).astype(np.int8)
    found = all_figures(accepted, batch_size, gamma, length)
    assert set(found) == set(SYNCHRONISATIONS)
    for point in found.values():
        assert 1 <= point.acceptance_length <= gamma + 1
        assert 0 <= point.acceptance_rate <= 1
        assert 0 < point.slot_utilization <= 1
        assert 0 <= point.divergence_penalty < 1
    ragged, waiting, locked, refill = (found[name] for name in SYNCHRONISATIONS)
    assert ragged.speedup == pytest.approx(
        ragged.acceptance_length / FREE.speculative_step(1, gamma), abs=1e-5
    )
    assert waiting.speedup == pytest.approx(
        waiting.acceptance_length * waiting.slot_utilization / FREE.speculative_step(1, gamma), abs=1e-5
    )
    assert locked.slot_utilization == refill.slot_utilization == 1
    assert locked.divergence_penalty == 0
    if batch_size == 1:
        assert ragged == waiting == locked == refill


def test_a_batch_worked_by_hand() -> None:
    """Two requests, L = 6: the first accepts 2 in each step, the second 0."""
    accepted = np.zeros((2, 6), dtype=np.int8)
    accepted[0] = 2
    twice = np.concatenate([accepted, accepted])
    found = all_figures(twice, 2, 2, 6)
    # Ragged: 4 tokens a step, 12 wanted: 3 steps. The first has its 6 after 2 steps, so 5 of 6 slots are unfinished.
    assert found["ragged"].acceptance_length == pytest.approx(12 / 6, abs=1e-6)
    assert found["ragged"].slot_utilization == pytest.approx(5 / 6, abs=1e-6)
    assert found["ragged"].divergence_penalty == pytest.approx(1 - (2 / 2) / 2, abs=1e-6)
    # To completion: 2 steps for the first, 6 for the second; divergence only while both take part.
    assert found["run_to_completion"].slot_utilization == pytest.approx(8 / 12, abs=1e-6)
    assert found["run_to_completion"].acceptance_length == pytest.approx(12 / 8, abs=1e-6)
    assert found["run_to_completion"].divergence_penalty == pytest.approx((0.5 + 0.5) / 6, abs=1e-6)
    # Lock-step: one token each, 6 steps.
    assert found["lock_step"].acceptance_length == 1
    assert found["lock_step"].speedup == pytest.approx(1 / 1.4, abs=1e-6)
    # Refill: a slot has both requests in turn, 12 tokens in 8 steps; two slots agree or not, step by step.
    assert found["refill"].acceptance_length == pytest.approx(12 / 8, abs=1e-6)
    share = 2 / 8
    assert found["refill"].divergence_penalty == pytest.approx(2 * share * (1 - share) * 0.5, abs=1e-6)


def test_waiting_costs_and_never_gains(small_results: Results) -> None:
    study = small_results.study
    for quality in study.qualities:
        for gamma in study.gammas:
            speedups = [
                small_results.at[Place(quality, name, 16, gamma)].speedup
                for name in ("ragged", "run_to_completion", "lock_step")
            ]
            assert speedups == sorted(speedups, reverse=True)
