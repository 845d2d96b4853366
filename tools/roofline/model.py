"""A model record as numbers: parameters, layers, heads, experts.

`Model` holds what the record states and asks `shape` for what follows from it. Parameter counts are in parameters,
not in 10^9.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from tools.records import pointer
from tools.records.parse import Json
from tools.roofline import shape
from tools.roofline.reading import positive, remembered, required, text, whole

BILLION = 10.0**9


@dataclass(frozen=True, slots=True)
class Attention:
    """Shape of the attention layers; None is what the record does not state."""

    kind: str | None = None
    heads: int | None = None
    kv_heads: int | None = None
    head_dim: int | None = None
    q_lora_rank: int | None = None
    kv_lora_rank: int | None = None
    qk_nope_head_dim: int | None = None
    qk_rope_head_dim: int | None = None
    v_head_dim: int | None = None
    full_cache_layers: int | None = None
    window: int | None = None
    windowed_layers: int | None = None


@dataclass(frozen=True, slots=True)
class FeedForward:
    """Shape of the feed-forward layers; None is what the record does not state."""

    intermediate_size: int | None = None
    experts: int | None = None
    experts_per_token: int | None = None
    shared_experts: int | None = None
    moe_intermediate_size: int | None = None
    leading_dense_layers: int | None = None


@dataclass(frozen=True)
class Model:
    """The facts of one model; None is a fact that the record does not state."""

    id: str
    total: float | None = None
    active: float | None = None
    layers: int | None = None
    hidden_size: int | None = None
    vocab_size: int | None = None
    tied: bool | None = None
    attention: Attention = Attention()
    feed_forward: FeedForward = FeedForward()

    @cached_property
    def counts(self) -> shape.Counts | None:
        """Parameters summed over the architecture; None where the shape is incomplete or hybrid."""
        return shape.counted(self)

    @cached_property
    def looked_up(self) -> float:
        """Parameters of which a token reads one row only: an input embedding of its own, 0 where it is shared.

        What is not known to be shared counts as separate, so that a bound from the remaining parameters holds.
        """
        if self.tied is True or self.vocab_size is None or self.hidden_size is None:
            return 0.0
        return float(self.vocab_size * self.hidden_size)

    @cached_property
    def read_per_token(self) -> float | None:
        """Parameters that decoding one token reads at least: the active ones without the input embedding.

        Published active counts may or may not hold the embedding, so this is a lower bound.
        """
        return None if self.active is None else max(self.active - self.looked_up, 0.0)

    @cached_property
    def prompt_parameters(self) -> float | None:
        """Parameters at work for one prompt token at least: the output embedding works for the last token only."""
        if self.active is None:
            return None
        rows = (self.vocab_size or 0) * (self.hidden_size or 0)
        return max(self.active - (rows if self.tied is True else 2 * rows), 0.0)

    def touched(self, positions: float) -> shape.Touched | None:
        """Parameters read in one pass over `positions` tokens; None where the shape is not known."""
        return shape.touched(self, positions)

    def kv_values(self, context: float) -> float | None:
        """Values that the cache of one request holds after `context` tokens; None where the shape is not known."""
        return shape.kv_values(self, context)

    def attention_operations(self, context: float) -> float | None:
        """Operations of attention for one position that looks back on `context` tokens, all layers."""
        return shape.attention_operations(self, context)

    def required_active(self) -> float:
        """Active parameters. Raises `ToolsError` where the record does not state them."""
        return required(self.active, "its active parameters", self.id, "parameters.active_b")

    def required_total(self) -> float:
        """All parameters. Raises `ToolsError` where the record does not state them."""
        return required(self.total, "its total parameters", self.id, "parameters.total_b")

    def required_touched(self, positions: float) -> shape.Touched:
        """As `touched`. Raises `ToolsError` where the shape is not known."""
        where = "layers, hidden_size, vocab_size, attention and feed_forward"
        return required(self.touched(positions), "a shape from which weights can be counted", self.id, where)

    def required_kv_values(self, context: float) -> float:
        """As `kv_values`. Raises `ToolsError` where the shape is not known."""
        where = "layers and attention"
        return required(self.kv_values(context), "a shape from which the cache follows", self.id, where)


@remembered
def model(value: Mapping[str, Json]) -> Model:
    """The facts of a model record; a record is read once and must not be changed afterwards."""
    record: Json = dict(value)
    total, active = positive(record, "/parameters/total_b"), positive(record, "/parameters/active_b")
    tied = pointer.find(record, "/tied_embeddings")
    attention = {name: whole(record, f"/attention/{name}") for name in Attention.__slots__ if name != "kind"}
    feed_forward = {name: whole(record, f"/feed_forward/{name}") for name in FeedForward.__slots__}
    return Model(
        id=text(record, "/id") or "",
        total=None if total is None else total * BILLION,
        active=None if active is None else active * BILLION,
        layers=whole(record, "/layers"),
        hidden_size=whole(record, "/hidden_size"),
        vocab_size=whole(record, "/vocab_size"),
        tied=tied if isinstance(tied, bool) else None,
        attention=Attention(text(record, "/attention/kind"), **attention),
        feed_forward=FeedForward(**feed_forward),
    )
