"""Limits of a run from the records of its hardware and model: the sum in words, and what is missing for it."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from tools.checks import limits
from tools.checks.cases import REPOSITORY
from tools.checks.ledger import CatalogLedger
from tools.checks.limits import Lack, Limit
from tools.checks.point import OperatingPoint
from tools.checks.rule import Record
from tools.records.catalog import Catalog
from tools.records.parse import parse

LEDGER = CatalogLedger(Catalog(REPOSITORY / "ledger"), date(2026, 6, 30))
RUN: dict[str, Any] = {
    "model_id": "example-8b",
    "accelerator_ids": ["example-sxm-80gb"],
    "hardware": {"accelerator_count": 2},
    "precision": {"weights": "bf16"},
    "conditions": {"concurrency": 4},
}


def run(**changed: Any) -> OperatingPoint:
    value = {**RUN, **changed}
    return OperatingPoint(Record("run", "benchmark", "run.yaml", value, parse(b"{}")))


def test_a_decode_rate_shows_its_sum() -> None:
    limit = limits.decode_rate(run(), LEDGER, 1.0, 2)
    assert isinstance(limit, Limit)
    # 8.03e9 parameters less 128256 x 4096 that are looked up, 2 bytes each, over 2 x 3350 GB/s.
    assert limit.value == pytest.approx(6.7e12 / (2 * (8.03e9 - 128256 * 4096)))
    assert limit.text == (
        "1 / (7.505 x 10^9 parameters x 2 bytes = 15.01 GB / (3,350 GB/s x 2) = 2.24 ms) = 446.4 tok/s"
    )


@pytest.mark.parametrize(
    ("changed", "most"),
    [
        ({"conditions": {"concurrency": 4}}, 4),
        ({"conditions": {"concurrency": 4, "batch_size": 16}}, 16),
        ({"conditions": {"batch_size": 16}, "parallelism": {"tensor": 1, "data": 4}}, 64),
        ({"conditions": {"batch_size": {"min": 1, "max": 8}}}, None),
    ],
)
def test_the_most_requests_of_a_step(changed: dict[str, Any], most: float | None) -> None:
    found = limits.requests(run(**changed))
    assert (found.value if found else None) == most


@pytest.mark.parametrize(
    ("technique", "tokens"),
    [
        ({"kind": "autoregressive"}, 1),
        ({"kind": "eagle3", "acceptance_length": 2.5}, 2.5),
        ({"kind": "draft_model", "gamma": 4}, 5),
    ],
)
def test_drafts_multiply_the_rate(technique: dict[str, Any], tokens: float) -> None:
    plain, drafted = (
        limits.decode_rate(run(technique=kind), LEDGER, 1.0, 1)
        for kind in ({"kind": "autoregressive"}, technique)
    )
    assert isinstance(plain, Limit)
    assert isinstance(drafted, Limit)
    assert drafted.value == pytest.approx(plain.value * tokens)


@pytest.mark.parametrize(
    ("precision", "peak"),
    [
        ({"weights": "bf16"}, 989e12),
        ({"weights": "fp8"}, 1979e12),
        ({"weights": "fp8", "activations": "bf16"}, 989e12),
    ],
)
def test_the_peak_is_that_of_the_arithmetic(precision: dict[str, str], peak: float) -> None:
    found = limits.peak(run(precision=precision), LEDGER)
    assert isinstance(found, Limit)
    assert found.value == peak


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"model_id": "example-7b"}, "`parameters.active_b` of the model `example-7b`"),
        ({"model_id": "no-such-model"}, "a record of the model"),
        ({"precision": {"quantization": "Q4_K_M"}}, "`precision.weights`"),
        ({"accelerator_ids": ["example-card-80gb-pcie"]}, "`memory.bandwidth` of the accelerator"),
        ({"accelerator_ids": ["no-such-part"]}, "a record of the accelerator `no-such-part`"),
        ({"accelerator_ids": []}, "which accelerator ran it"),
        ({"technique": {"kind": "ngram"}}, "`technique.acceptance_length`"),
    ],
)
def test_what_a_decode_rate_lacks(changed: dict[str, Any], what: str) -> None:
    found = limits.decode_rate(run(**changed), LEDGER, 1.0, 1)
    assert isinstance(found, Lack)
    assert what in found.what


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"precision": {"weights": "nvfp4"}}, "a dense matrix peak in fp4 in `peaks` of the accelerator"),
        ({"precision": {}}, "`precision.activations`"),
        ({"model_id": "example-7b"}, "`parameters.active_b`"),
    ],
)
def test_what_a_token_rate_lacks(changed: dict[str, Any], what: str) -> None:
    found = limits.token_rate(run(**changed), LEDGER, 1)
    assert isinstance(found, Lack)
    assert what in found.what


def test_prompt_tokens_cost_less() -> None:
    plain, prompt = (limits.token_rate(run(), LEDGER, 1, prompt=prompt) for prompt in (False, True))
    assert isinstance(plain, Limit)
    assert isinstance(prompt, Limit)
    assert prompt.value > plain.value
    assert "989 TFLOP/s dense bf16 / (2 x 7.505 x 10^9 parameters)" in plain.text


def test_facts_of_one_run_are_not_those_of_the_next() -> None:
    first, second = run(), run(accelerator_ids=["example-sxm-141gb"])
    speeds = [limits.bandwidth(point, LEDGER) for point in (first, second, first)]
    assert [speed.value for speed in speeds if isinstance(speed, Limit)] == [3.35e12, 4.8e12, 3.35e12]
