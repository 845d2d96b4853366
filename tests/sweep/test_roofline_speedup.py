"""Break-even, critical batch, chance and Monte Carlo of the roofline agree; what cannot be is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import betaincc

from tests.sweep.conftest import H100, LLAMA, a
from tools.errors import ToolsError
from tools.records.catalog import Catalog
from tools.sweep.acceptance import expected_emitted
from tools.sweep.config import Population
from tools.sweep.roofline.axes import Places
from tools.sweep.roofline.chance import Belief, break_even_q
from tools.sweep.roofline.choice import Choice, Proposal, setting
from tools.sweep.roofline.config import Requests
from tools.sweep.roofline.critical import LARGEST, critical_batch, largest_batch
from tools.sweep.roofline.monte_carlo import drawn, timed
from tools.sweep.roofline.parameters import ENGINES, Parameters, engine_parameters
from tools.sweep.roofline.points import columns
from tools.sweep.roofline.speedup import Setting


def test_speculation_pays_exactly_above_the_break_even_acceptance(eagle: Setting) -> None:
    q, gamma = a(0.1, 0.3, 0.5, 0.7, 0.9), a(1, 4, 8)[:, None]
    times = eagle.times(a(200), gamma, a(256))
    emitted = eagle.shape.emitted(q, gamma)
    accepted = (emitted - 1) / gamma
    pays = times.speedup(emitted) > 1
    assert pays.any()
    assert not pays.all()
    assert (pays == (accepted > times.break_even)).all()
    assert (pays == (q > break_even_q(eagle.shape, times.cost, gamma))).all()


def test_the_critical_batch_is_where_the_speedup_is_one(eagle: Setting) -> None:
    gamma, context, q = a(1, 3, 5)[:, None], a(256), a(0.4, 0.6)
    emitted = eagle.shape.emitted(q, gamma)
    found = critical_batch(eagle, gamma, context, emitted)
    inside = np.isfinite(found) & (found > 0)
    assert inside.sum() >= 4
    at = eagle.times(np.where(inside, found, 1), gamma, context).speedup(emitted)
    assert at[inside] == pytest.approx(1, abs=1e-6)
    above = eagle.times(np.where(inside, found * 1.05, 1), gamma, context).speedup(emitted)
    assert (above[inside] < 1).all()


def test_a_long_context_may_have_no_critical_batch(catalog: Catalog, eagle: Setting) -> None:
    emitted = eagle.shape.emitted(a(0.7), a(3))
    assert np.isinf(critical_batch(eagle, a(3), a(32_768), emitted)).all()
    assert eagle.times(a(LARGEST), a(3), a(32_768)).speedup(emitted) > 1
    hopeless = setting(catalog, Choice(H100, LLAMA, Proposal("5")))
    assert critical_batch(hopeless, a(3), a(400), emitted) == [0]


def test_the_largest_batch_is_the_memory_that_is_left(eagle: Setting) -> None:
    """80 GB as GiB, 16.06 GB of weights (8.03 x 10^9 parameters), 131,072 bytes of cache for each token."""
    room = 80 * 2**30 - eagle.target.resident
    assert eagle.target.resident == pytest.approx(16.06e9, rel=0.002)
    assert largest_batch(eagle, a(1000)) == [room // (1000 * 131_072)]


def test_the_chance_is_that_of_a_beta_distribution() -> None:
    belief = Belief(a(0.3, 0.6, 0.85), 0.08)
    ones, twos = belief.shapes
    assert ones / (ones + twos) == pytest.approx(belief.mean)
    assert ones * twos / ((ones + twos) ** 2 * (ones + twos + 1)) == pytest.approx(0.08**2)
    least = np.linspace(0, 1, 501)[:, None]
    assert belief.above(least) == pytest.approx(betaincc(ones, twos, least), abs=1e-5)
    low, high = belief.interval()
    assert betaincc(ones, twos, low) - betaincc(ones, twos, high) == pytest.approx(0.95)


def test_the_chance_and_the_interval_agree_with_draws_of_q(eagle: Setting) -> None:
    places = Places((256,), (100,), (4,), (0.6,))
    block = next(places.blocks(10))
    found = columns(eagle, places, block, 0.08)
    ones, twos = Belief(a(0.6), 0.08).shapes
    q = np.random.default_rng(1).beta(ones[0], twos[0], 200_000)
    speedup = eagle.speedup(a(100), a(4), a(256), q)
    assert found["chance_pays"] == pytest.approx([np.mean(speedup > 1)], abs=0.005)
    assert 0.05 < found["chance_pays"][0] < 0.95
    ends = np.quantile(speedup, [0.025, 0.975])
    assert [found["speedup_low"][0], found["speedup_high"][0]] == pytest.approx(ends, rel=0.01)


def test_monte_carlo_meets_the_closed_form_where_there_is_one(eagle: Setting) -> None:
    requests = Requests(7, 2048, 128, {})
    totals = drawn("one", Population(((0.7, 1.0),)), requests, (1, 16), (2, 4))
    seen = 0
    for place, figures in timed(totals, eagle, 1024).items():
        if place.synchronisation in ("ragged", "refill"):
            exact = eagle.speedup(a(place.batch_size), a(place.gamma), a(1024), a(0.7))[0]
            assert abs(figures.speedup - exact) < 2 * figures.half_width
            seen += 1
    assert seen == 8


def test_requests_that_differ_gain_less_than_their_mean_q_says_alone_and_share_a_step(eagle: Setting) -> None:
    population = Population(((0.85, 0.5), (0.4, 0.5)))
    totals = drawn("two", population, Requests(7, 2048, 128, {}), (1, 64), (2,))
    at = {
        (place.synchronisation, place.batch_size): found
        for place, found in timed(totals, eagle, 1024).items()
    }
    rates = [expected_emitted(q, 2) for q in (0.85, 0.4)]
    cost = {size: eagle.times(a(size), a(2), a(1024)).cost[0] for size in (1, 64)}
    harmonic, arithmetic = 2 / sum(1 / rate for rate in rates), sum(rates) / 2
    assert at["refill", 64].speedup == pytest.approx(harmonic / cost[64], rel=0.02)
    assert at["ragged", 1].speedup == pytest.approx(harmonic / cost[1], rel=0.02)
    assert at["ragged", 64].speedup == pytest.approx(arithmetic / cost[64], rel=0.02)


@pytest.mark.parametrize(
    ("changes", "message", "hint"),
    [
        (
            {"accelerator": "nvidia-h100-sxm-80g"},
            "no accelerator `nvidia-h100-sxm-80g`",
            "nvidia-h100-sxm-80gb",
        ),
        ({"accelerator": LLAMA}, "is a record of kind model", ""),
        ({"model": "llama3.1-8b"}, "no model `llama3.1-8b`", "`llama-3.1-8b`"),
        ({"proposal": Proposal("eagel3")}, "no way to draft", "`eagle3`"),
        ({"proposal": Proposal("-0.1")}, "cannot be", "above 0"),
        ({"proposal": Proposal("eagle3", 0)}, "0 nodes", ""),
        ({"proposal": Proposal("ngram", fill=1.5)}, "fill is 1.5", ""),
        ({"engine": "vlm"}, "did you mean `vllm`", ""),
        ({"precision": "bf61"}, "did you mean `bf16`", ""),
        ({"tensor_parallel": 0}, "0 accelerators", ""),
        (
            {"accelerator": "nvidia-v100-sxm2-32gb"},
            "`nvidia-v100-sxm2-32gb` does not state a dense matrix peak in bf16",
            "peaks",
        ),
        ({"model": "qwen3-next-80b-a3b"}, "`qwen3-next-80b-a3b` does not state a shape", "layers"),
    ],
)
def test_what_cannot_be_is_refused_with_a_way_out(
    catalog: Catalog, changes: dict[str, object], message: str, hint: str
) -> None:
    with pytest.raises(ToolsError) as refused:
        setting(catalog, replace(Choice(H100, LLAMA, Proposal("eagle3")), **changes))  # type: ignore[arg-type]
    assert message in refused.value.message
    assert hint in refused.value.hint


@pytest.mark.parametrize(
    ("changes", "symbol"),
    [
        ({"compute_efficiency": 1.2}, "e_f"),
        ({"corner": 0.5}, "p"),
        ({"step_s": -1.0}, "t_0"),
        ({"memory_efficiency": 0.0}, "e_m"),
    ],
)
def test_constants_that_nothing_physical_has_are_refused(changes: dict[str, float], symbol: str) -> None:
    with pytest.raises(ToolsError, match=rf"\({symbol}\)"):
        replace(engine_parameters("vllm"), **changes)
    assert Parameters() == ENGINES["sglang"]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (((-1,), (1,), (1,), (0.5,)), "a context of -1"),
        (((1,), (0,), (1,), (0.5,)), "a batch size of 0"),
        (((1,), (1,), (0,), (0.5,)), "a gamma of 0"),
        (((1,), (1,), (1,), (1.0,)), "a quality of 1"),
        (((1,), (1,), (1,), (0.0,)), "a quality of 0"),
    ],
)
def test_places_that_cannot_be_are_refused(values: tuple[tuple[int, ...], ...], message: str) -> None:
    with pytest.raises(ToolsError, match=message):
        Places(*values)


def test_an_uncertainty_that_no_distribution_has_is_refused() -> None:
    with pytest.raises(ToolsError, match=r"mean 0\.99 and a standard deviation of 0\.2"):
        Belief(a(0.5, 0.99), 0.2)
