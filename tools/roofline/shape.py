"""Parameters, weights touched and cache of an architecture, summed from its shape.

Norms, biases, vision towers, prediction heads and sparse-attention indexers are left out. Shapes that mix attention
with recurrent layers (`hybrid`) are not summed, since a record does not hold the shape of the recurrent ones. On the 84
models of the ledger that can be summed the result is within 0.4 % of the sums that their records carry.

Two things a record does not state are taken from the total it does state. A feed-forward layer has three matrices
with a gate and two without; a mixture fills all layers after the leading dense ones or every second layer. Of these
forms the one whose sum is nearest to the stated total counts; without a total, the usual one (gated, all layers).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tools.roofline.model import Attention, Model

_LATENT = "mla"
_HYBRID = "hybrid"


@dataclass(frozen=True, slots=True)
class Counts:
    """Parameters by what reads them. `embedding` is one matrix of vocabulary x hidden size, of which there are
    `embeddings` (one where input and output share it); the rest is over all layers."""

    embedding: float
    embeddings: int
    attention: float
    dense_feed_forward: float
    shared_experts_and_routers: float
    expert: float
    mixture_layers: int
    experts: int
    experts_per_token: int

    @property
    def _apart_from_routed(self) -> float:
        return (
            self.embeddings * self.embedding
            + self.attention
            + self.dense_feed_forward
            + self.shared_experts_and_routers
        )

    @property
    def total(self) -> float:
        """All parameters."""
        return self._apart_from_routed + self.mixture_layers * self.experts * self.expert

    @property
    def active(self) -> float:
        """Parameters of one token's path, both embeddings included."""
        return self._apart_from_routed + self.mixture_layers * self.experts_per_token * self.expert


class Touched(NamedTuple):
    """Parameters read in one pass: those that every pass reads, and those of the routed experts that were hit."""

    dense: float
    experts: float


def counted(model: Model) -> Counts | None:
    """The sum over the architecture in the form that fits the stated total; None where the shape is incomplete."""
    forms = list(_forms(model))
    if not forms or model.total is None:
        return forms[0] if forms else None
    total = model.total
    return min(forms, key=lambda form: abs(form.total / total - 1))


def _forms(model: Model) -> Iterator[Counts]:
    """The usual form first, then the others in use."""
    layers, hidden, vocabulary = model.layers, model.hidden_size, model.vocab_size
    attention = _attention_parameters(model.attention, hidden)
    if not layers or not hidden or not vocabulary or attention is None:
        return
    shape = model.feed_forward
    if shape.experts:
        per_token, width = shape.experts_per_token, shape.moe_intermediate_size
        leading = shape.leading_dense_layers or 0
        if not per_token or not width or leading > layers or (leading and not shape.intermediate_size):
            return
        mixtures = [layers - leading]
        if shape.intermediate_size and shape.leading_dense_layers is None:
            mixtures.append(layers // 2)
    elif shape.intermediate_size:
        per_token, width, mixtures = 0, 0, [0]
    else:
        return
    for mixture in mixtures:
        for matrices in (3, 2):
            expert = float(matrices * hidden * width)
            router = hidden * (shape.experts or 0)
            yield Counts(
                embedding=float(vocabulary * hidden),
                embeddings=1 if model.tied else 2,
                attention=float(layers * attention),
                dense_feed_forward=float(
                    (layers - mixture) * matrices * hidden * (shape.intermediate_size or 0)
                ),
                shared_experts_and_routers=mixture * ((shape.shared_experts or 0) * expert + router),
                expert=expert,
                mixture_layers=mixture,
                experts=shape.experts or 0,
                experts_per_token=per_token,
            )


def _attention_parameters(shape: Attention, hidden: int | None) -> int | None:
    """Projections of one layer: query, key, value, output; for latent attention the down and up projections."""
    heads, kv_heads, width = shape.heads, shape.kv_heads, shape.head_dim
    if hidden is None or heads is None or shape.kind == _HYBRID:
        return None
    if shape.kind != _LATENT:
        if kv_heads is None or width is None:
            return None
        return hidden * width * (2 * heads + 2 * kv_heads)
    latent, rotary = shape.kv_lora_rank, shape.qk_rope_head_dim
    plain, value = shape.qk_nope_head_dim, shape.v_head_dim
    if latent is None or rotary is None or plain is None or value is None:
        return None
    queries = heads * (plain + rotary)
    query = shape.q_lora_rank * (hidden + queries) if shape.q_lora_rank else hidden * queries
    return query + hidden * (latent + rotary) + latent * heads * (plain + value) + heads * value * hidden


def touched(model: Model, positions: float) -> Touched | None:
    """Parameters read in one pass over `positions` tokens, whichever requests they belong to.

    Dense weights are read once. Of E experts a token uses K; with tokens that choose independently and evenly, N of
    them hit E (1 - (1 - K/E)^N) in each mixture layer. Real routing is skewed, so this is the expectation under an
    even choice and an upper end for skewed ones, not a bound. The input embedding is a look-up and left out.
    """
    counts = model.counts
    if counts is None:
        return None
    dense = counts.active - counts.mixture_layers * counts.experts_per_token * counts.expert
    dense -= (counts.embeddings - 1) * counts.embedding
    if not counts.mixture_layers:
        return Touched(dense, 0.0)
    missed = (1 - counts.experts_per_token / counts.experts) ** positions
    return Touched(dense, counts.mixture_layers * counts.expert * counts.experts * (1 - missed))


def kv_values(model: Model, context: float) -> float | None:
    """Values in the cache of one request of `context` tokens: times bytes per value gives its size.

    A plain layer keeps two vectors per key-value head (key and value may differ in width), a latent one
    `kv_lora_rank` + `qk_rope_head_dim`; a windowed layer keeps at most its window. Hybrid models keep a cache in
    `full_cache_layers` and `windowed_layers`; their recurrent state does not grow and is left out. None where a hybrid
    model does not state its layers with a full cache.
    """
    layers = _cache_layers(model)
    width = _cached_width(model.attention)
    if layers is None or width is None:
        return None
    full, windowed, window = layers
    return width * (full * context + windowed * _shorter(context, window))


def _shorter(context: float, window: float) -> float:
    """The smaller of two lengths, in arithmetic alone so that the sweep can give arrays of contexts."""
    return (context + window - abs(context - window)) / 2


def _cache_layers(model: Model) -> tuple[int, int, float] | None:
    """(layers with a full cache, windowed layers, window in tokens)."""
    shape, layers = model.attention, model.layers
    if layers is None:
        return None
    windowed = shape.windowed_layers or 0
    full = shape.full_cache_layers if shape.kind == _HYBRID else max(layers - windowed, 0)
    if full is None or (windowed and shape.window is None):
        return None
    return full, windowed, float(shape.window or 0)


def _cached_width(shape: Attention) -> int | None:
    """Values per token and layer."""
    if shape.kv_lora_rank is not None and shape.kind in (_LATENT, _HYBRID):
        return None if shape.qk_rope_head_dim is None else shape.kv_lora_rank + shape.qk_rope_head_dim
    if shape.kind == _LATENT or shape.kv_heads is None or shape.head_dim is None:
        return None
    return shape.kv_heads * (shape.head_dim + (shape.v_head_dim or shape.head_dim))


def attention_operations(model: Model, context: float) -> float | None:
    """Operations of scores and weighted values for one position that looks back on `context` tokens.

    4 x heads x head width per token looked at and layer (a multiply-add is two, and there are two products). Latent
    attention is counted as serving runs it, on the latent itself: 2 x heads x (2 kv_lora_rank + qk_rope_head_dim).
    """
    layers, shape = _cache_layers(model), model.attention
    if layers is None or shape.heads is None:
        return None
    if shape.kv_lora_rank is not None and shape.kind in (_LATENT, _HYBRID):
        if shape.qk_rope_head_dim is None:
            return None
        widths = 2 * shape.kv_lora_rank + shape.qk_rope_head_dim
    elif shape.head_dim is not None:
        widths = shape.head_dim + (shape.v_head_dim or shape.head_dim)
    else:
        return None
    full, windowed, window = layers
    return 2.0 * shape.heads * widths * (full * context + windowed * _shorter(context, window))
