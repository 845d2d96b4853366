"""Parameters, weights touched and cache of models, against the counts that their publishers give."""

from __future__ import annotations

from typing import Any

import pytest

from tools.checks.cases import REPOSITORY
from tools.errors import ToolsError
from tools.records.catalog import Catalog
from tools.roofline import Attention, FeedForward, Model, model

LEDGER = Catalog(REPOSITORY.parents[1])
LLAMA_8B = Model(
    id="dense",
    total=8.03e9,
    active=8.03e9,
    layers=32,
    hidden_size=4096,
    vocab_size=128256,
    tied=False,
    attention=Attention("gqa", heads=32, kv_heads=8, head_dim=128),
    feed_forward=FeedForward(intermediate_size=14336),
)
MIXTURE = Model(
    id="mixture",
    total=30.532e9,
    active=3.353e9,
    layers=48,
    hidden_size=2048,
    vocab_size=151936,
    tied=False,
    attention=Attention("gqa", heads=32, kv_heads=4, head_dim=128),
    feed_forward=FeedForward(experts=128, experts_per_token=8, moe_intermediate_size=768),
)


def of_ledger(record_id: str) -> Model:
    value = LEDGER.record(record_id)
    assert value is not None
    return model(value)


@pytest.mark.parametrize(
    ("record_id", "total", "active"),
    [
        ("llama-3.1-8b", 8.03e9, 8.03e9),
        ("llama-3.1-405b", 405.85e9, 405.85e9),
        ("mixtral-8x7b", 46.7e9, 12.9e9),
        ("qwen3-30b-a3b", 30.53e9, 3.35e9),
        ("deepseek-v3", 671e9, 37.5e9),
        ("falcon-7b", 6.92e9, 6.92e9),
        ("llama-4-maverick", 400.7e9, 17.2e9),
        ("gpt-oss-120b", 116.8e9, 5.71e9),
    ],
)
def test_counts_are_those_of_the_architecture(record_id: str, total: float, active: float) -> None:
    counts = of_ledger(record_id).counts
    assert counts is not None
    assert counts.total == pytest.approx(total, rel=0.005)
    assert counts.active == pytest.approx(active, rel=0.005)


@pytest.mark.parametrize(
    "without",
    [
        {"layers": None},
        {"vocab_size": None},
        {"attention": Attention("hybrid", heads=32, kv_heads=8, head_dim=128)},
        {"attention": Attention("gqa", heads=32, head_dim=128)},
        {"attention": Attention("mla", heads=32, kv_lora_rank=512)},
        {"feed_forward": FeedForward()},
        {"feed_forward": FeedForward(experts=8, experts_per_token=2)},
    ],
)
def test_an_incomplete_shape_has_no_counts(without: dict[str, Any]) -> None:
    from dataclasses import replace

    changed = replace(LLAMA_8B, **without)
    assert changed.counts is None
    assert changed.touched(1) is None
    with pytest.raises(ToolsError, match="`dense` does not state a shape"):
        changed.required_touched(1)


def test_a_dense_model_reads_the_same_for_any_number_of_positions() -> None:
    one, many = LLAMA_8B.required_touched(1), LLAMA_8B.required_touched(4096)
    assert one == many
    assert one.experts == 0
    # All but the input embedding, of which single rows are read.
    assert one.dense == pytest.approx(8.03e9 - 128256 * 4096, rel=1e-3)


def test_a_mixture_reads_more_experts_with_more_positions() -> None:
    counts = MIXTURE.counts
    assert counts is not None
    one, two, many = (MIXTURE.required_touched(positions) for positions in (1, 2, 100_000))
    assert one.experts == pytest.approx(48 * 8 * counts.expert)
    # Two tokens share an expert with probability 8/128 each.
    assert two.experts == pytest.approx(one.experts * (2 - 8 / 128))
    assert many.experts == pytest.approx(48 * 128 * counts.expert)
    assert one.dense == two.dense == many.dense
    assert many.dense + many.experts == pytest.approx(counts.total - counts.embedding)


def test_bounds_use_what_is_surely_read() -> None:
    from dataclasses import replace

    rows = 128256 * 4096
    assert LLAMA_8B.read_per_token == 8.03e9 - rows
    assert LLAMA_8B.prompt_parameters == 8.03e9 - 2 * rows
    tied = replace(LLAMA_8B, tied=True)
    assert tied.read_per_token == 8.03e9
    assert tied.prompt_parameters == 8.03e9 - rows
    assert replace(LLAMA_8B, active=None).read_per_token is None


@pytest.mark.parametrize(
    ("record_id", "context", "values"),
    [
        # 2 vectors x 8 heads x 128 in 32 layers.
        ("llama-3.1-8b", 1000, 2 * 8 * 128 * 32 * 1000),
        # 512 + 64 values in 61 layers, whatever the heads.
        ("deepseek-v3", 1000, 576 * 61 * 1000),
        # Half of 36 layers keep 128 tokens only.
        ("gpt-oss-120b", 1000, 2 * 8 * 64 * (18 * 1000 + 18 * 128)),
        ("gpt-oss-120b", 100, 2 * 8 * 64 * 36 * 100),
        # 12 of 48 layers keep a cache.
        ("qwen3-next-80b-a3b", 1000, 2 * 2 * 256 * 12 * 1000),
        # Keys of 192 and values of 128.
        ("mimo-v2-flash", 100, 4 * (192 + 128) * 48 * 100),
    ],
)
def test_the_cache_of_a_request(record_id: str, context: float, values: float) -> None:
    assert of_ledger(record_id).kv_values(context) == values


@pytest.mark.parametrize("record_id", ["deepseek-v4-pro", "glm-4.6"])
def test_a_cache_that_a_record_does_not_describe(record_id: str) -> None:
    found = of_ledger(record_id)
    assert found.kv_values(1000) is None
    with pytest.raises(ToolsError, match=f"`{record_id}` does not state"):
        found.required_kv_values(1000)


def test_arithmetic_of_attention() -> None:
    # Scores and weighted values: 4 operations for each head, its width, token and layer.
    assert LLAMA_8B.attention_operations(1000) == 4 * 32 * 128 * 32 * 1000
    assert of_ledger("deepseek-v3").attention_operations(10) == 2 * 128 * (2 * 512 + 64) * 61 * 10
    assert of_ledger("glm-4.6").attention_operations(10) is None


def test_a_missing_count_is_named() -> None:
    with pytest.raises(ToolsError, match="`bare` does not state its active parameters"):
        model({"id": "bare"}).required_active()
    with pytest.raises(ToolsError, match="`bare` does not state its total parameters"):
        model({"id": "bare"}).required_total()
    assert LLAMA_8B.required_active() == LLAMA_8B.required_total() == 8.03e9


@pytest.mark.parametrize(
    "broken",
    [
        {"parameters": [8.03], "attention": "gqa"},
        {"layers": "32", "hidden_size": 4096.5, "tied_embeddings": "no"},
        {"feed_forward": {"experts": True, "experts_per_token": None}},
        {
            "layers": 0,
            "hidden_size": 0,
            "vocab_size": 0,
            "attention": {"heads": 0, "kv_heads": 0, "head_dim": 0},
        },
    ],
)
def test_anything_is_read(broken: dict[str, Any]) -> None:
    found = model({"id": "broken", **broken})
    assert found.counts is None
    assert found.active is None
    assert found.looked_up == 0
