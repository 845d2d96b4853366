"""The roofline in numbers that can be checked by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.roofline import bounds
from tools.roofline.precision import BITS, arithmetic, bytes_of, bytes_per_parameter
from tools.schema.vocabulary import vocabulary

SIZES = st.floats(1e6, 1e13)


def test_sixteen_gigabytes_over_three_terabytes_a_second() -> None:
    assert bounds.step_time(16e9, 3.2e12) == pytest.approx(5e-3)
    assert bounds.step_time(16e9, 3.2e12, 4) == pytest.approx(1.25e-3)
    assert bounds.decode_rate(1, 16e9, 3.2e12) == pytest.approx(200)
    assert bounds.decode_rate(8, 16e9, 3.2e12, 2, tokens_per_step=2.5) == pytest.approx(8000)


def test_the_cache_of_every_request_is_read_too() -> None:
    assert bounds.decode_rate(4, 8e9, 3.2e12, cache=2e9) == pytest.approx(4 * 3.2e12 / 16e9)


def test_two_operations_for_each_parameter_and_token() -> None:
    assert bounds.token_rate(8e9, 1e15) == pytest.approx(62_500)
    assert bounds.prefill_time(62_500, 8e9, 1e15) == pytest.approx(1)
    assert bounds.prefill_time(62_500, 8e9, 1e15, 4) == pytest.approx(0.25)


def test_the_ridge_point() -> None:
    assert bounds.ridge_point(989e12, 3.35e12) == pytest.approx(295.2, abs=0.1)


def test_memory_is_weights_of_replicas_and_caches() -> None:
    assert bounds.memory_need(16e9) == 16e9
    assert bounds.memory_need(16e9, 2, 10, 1e9) == 42e9


@given(SIZES, SIZES, st.integers(1, 512), st.floats(0, 1e10))
def test_more_requests_never_lower_the_bound(read: float, bandwidth: float, batch: int, cache: float) -> None:
    one = bounds.decode_rate(batch, read, bandwidth, cache=cache)
    more = bounds.decode_rate(batch + 1, read, bandwidth, cache=cache)
    assert more >= one
    assert more * bounds.step_time(read, bandwidth) <= (batch + 1) * (1 + 1e-9)


def test_every_format_of_the_vocabulary_has_its_bits() -> None:
    formats = set(vocabulary().enumerations["precision"])
    assert set(BITS) == formats - {"mixed"}
    assert bytes_of("mixed") is None
    assert bytes_of(None) is None


@pytest.mark.parametrize(
    ("precision", "size"), [("bf16", 2), ("fp8", 1), ("nvfp4", 0.5625), ("mxfp4", 0.53125)]
)
def test_block_scales_count(precision: str, size: float) -> None:
    assert bytes_of(precision) == size


def test_a_stated_average_comes_before_the_format() -> None:
    assert bytes_per_parameter({"precision": {"weights": "int4"}}) == 0.5
    assert bytes_per_parameter({"precision": {"weights": "int4", "bits_per_weight": 4.8}}) == pytest.approx(
        0.6
    )
    assert bytes_per_parameter({"precision": {"quantization": "Q4_K_M"}}) is None
    assert bytes_per_parameter({}) is None


def test_variants_are_billed_on_one_peak() -> None:
    assert {arithmetic(name) for name in ("fp4", "nvfp4", "mxfp4")} == {"fp4"}
    assert arithmetic("mxfp8") == "fp8"
    assert arithmetic("bf16") == "bf16"
