"""An accelerator record in base units, and the facts it does not have."""

from __future__ import annotations

from typing import Any

import pytest

from tools.errors import ToolsError
from tools.roofline import accelerator

SOURCE = {"basis": "vendor_document", "source_id": "example-paper"}


def peak(precision: str, value: float, **more: Any) -> dict[str, Any]:
    return {
        "precision": precision,
        "unit_kind": "matrix",
        "value": value,
        "unit": "TFLOP/s",
        **SOURCE,
        **more,
    }


def record(**more: Any) -> dict[str, Any]:
    return {
        "id": "example-part",
        "memory": {
            "type": "HBM3",
            "capacity": {"value": 80, "unit": "GB"},
            "bandwidth": {"value": 3350, "unit": "GB/s"},
        },
        "peaks": [peak("bf16", 989), peak("fp8", 1979), peak("fp8", 3958, sparsity="2:4"), peak("fp4", 4000)],
        "power": {"tdp": {"value": 700, "unit": "W"}},
        "interconnect": {"per_direction": {"value": 450, "unit": "GB/s"}},
        **more,
    }


def test_figures_are_in_base_units() -> None:
    part = accelerator(record())
    assert part.capacity == 80e9
    assert part.bandwidth == 3.35e12
    assert part.link == 450e9
    assert part.tdp == 700
    assert part.dies == 1


def test_a_dense_peak_is_of_exactly_its_format() -> None:
    part = accelerator(record())
    found = part.dense_peak("fp8")
    assert found is not None
    assert (found.rate, found.index) == (1979e12, 1)
    assert part.dense_peak("fp16") is None
    assert part.dense_peak("int8") is None


@pytest.mark.parametrize("variant", ["fp4", "nvfp4", "mxfp4"])
def test_variants_of_a_format_share_its_peak(variant: str) -> None:
    found = accelerator(record()).dense_peak(variant)
    assert found is not None
    assert found.rate == 4000e12


@pytest.mark.parametrize("mark", [{"sparsity": "2:4"}, {"unit_kind": "vector"}])
def test_sparse_and_shader_rates_are_no_dense_peak(mark: dict[str, str]) -> None:
    assert accelerator(record(peaks=[peak("bf16", 1979, **mark)])).dense_peak("bf16") is None


def test_the_most_a_part_can_hold() -> None:
    assert accelerator(record()).most_capacity == 80 * 2**30
    memory = {"capacity": {"value": 80, "unit": "GB"}, "reported_mib": 81559}
    assert accelerator(record(memory=memory)).most_capacity == 81559 * 2**20
    memory = {"capacity": {"value": 80, "unit": "GiB"}}
    assert accelerator(record(memory=memory)).most_capacity == 80 * 2**30
    assert accelerator({"id": "bare"}).most_capacity is None


@pytest.mark.parametrize(
    ("ask", "what"),
    [
        (lambda part: part.required_bandwidth(), "memory bandwidth"),
        (lambda part: part.required_peak("nvfp4"), "dense matrix peak in fp4"),
        (lambda part: part.required_link(), "link speed"),
    ],
)
def test_a_missing_fact_is_named_with_its_record(ask: Any, what: str) -> None:
    with pytest.raises(ToolsError, match=f"`bare` does not state .*{what}") as caught:
        ask(accelerator({"id": "bare"}))
    assert "add `" in caught.value.hint


def test_required_facts_are_the_facts() -> None:
    part = accelerator(record())
    assert part.required_bandwidth() == part.bandwidth
    assert part.required_peak("bf16") == 989e12
    assert part.required_link() == part.link


@pytest.mark.parametrize(
    "broken",
    [
        {"memory": "80 GB"},
        {"memory": {"bandwidth": {"value": "fast"}, "capacity": {"value": -1}}},
        {"memory": {"bandwidth": {"value": 10**400}}},
        {"peaks": [None, {"precision": 8}, "989"]},
        {"power": {"tdp": {"value": True}}},
    ],
)
def test_anything_is_read(broken: dict[str, Any]) -> None:
    part = accelerator({"id": "broken", **broken})
    assert part.bandwidth is None
    assert part.capacity is None
    assert part.tdp is None
    assert part.dense_peak("bf16") is None


def test_a_record_is_read_once() -> None:
    value = record()
    assert accelerator(value) is accelerator(value)
    assert accelerator(value) is not accelerator(record())


def test_on_chip_memory_is_known() -> None:
    assert accelerator(record(memory={"type": "on-chip SRAM"})).is_sram
    assert not accelerator(record()).is_sram
