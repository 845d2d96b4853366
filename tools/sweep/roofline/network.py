"""What one pass of a network reads and computes: a target, a draft model, or a prediction head on a target.

Everything is counted by `tools.roofline` from the model record; this module only multiplies by the bytes of a
format and cuts a layer out of a model. Facts are asked for when a network is made, so that a missing one is an error
before anything is computed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from tools.errors import ToolsError
from tools.roofline import Model, required
from tools.roofline.bounds import OPERATIONS_PER_PARAMETER
from tools.roofline.precision import BITS, bytes_of
from tools.roofline.shape import Counts

Array: TypeAlias = NDArray[np.float64]
"""Quantities of several points; all arrays of a call broadcast against each other."""


class Network(Protocol):
    """What the time of a pass depends on. `layers` and `hidden` size what tensor-parallel parts exchange."""

    @property
    def layers(self) -> float:
        """Layers, each of which tensor parallelism synchronises twice."""

    @property
    def hidden(self) -> float:
        """Width of what they exchange."""

    @property
    def operations(self) -> float:
        """Operations of the linear layers for one position."""

    def read(self, positions: Array) -> Array:
        """Bytes of weights that a pass over so many positions reads."""

    def cache(self, context: Array) -> Array:
        """Bytes of the cache of one request."""

    def attention(self, context: Array) -> Array:
        """Operations of attention for one position."""


@dataclass(frozen=True)
class Whole:
    """A model as a network; `weight_bytes` and `cache_bytes` are those of one value.

    Raises `ToolsError` where the record does not state what weights, cache or attention follow from.
    """

    model: Model
    weight_bytes: float
    cache_bytes: float

    def __post_init__(self) -> None:
        self.model.required_touched(1)
        self.model.required_kv_values(1)
        required(
            self.model.attention_operations(1),
            "a shape from which the operations of attention follow",
            self.model.id,
            "layers and attention",
        )

    # The formulas of `tools.roofline` are plain arithmetic and take arrays as they take numbers.
    def read(self, positions: Array) -> Array:
        """Weights touched, routed experts in expectation."""
        touched = self.model.required_touched(cast(float, positions))
        return cast(Array, (touched.dense + touched.experts) * self.weight_bytes)

    def cache(self, context: Array) -> Array:
        """kappa S."""
        return cast(Array, self.model.required_kv_values(cast(float, context)) * self.cache_bytes)

    def attention(self, context: Array) -> Array:
        """4 S h_q d_h L, or that of the latent."""
        return cast(Array, self.model.attention_operations(cast(float, context)))

    @cached_property
    def operations(self) -> float:
        """Two for each parameter on the path of a token."""
        touched = self.model.required_touched(1)
        return OPERATIONS_PER_PARAMETER * (touched.dense + touched.experts)

    @cached_property
    def counts(self) -> Counts:
        """Parameters by what reads them."""
        return required(self.model.counts, "a shape", self.model.id, "layers, attention and feed_forward")

    @property
    def layers(self) -> float:
        """Layers."""
        return float(self.model.layers or 0)

    @property
    def hidden(self) -> float:
        """Hidden size."""
        return float(self.model.hidden_size or 0)

    @property
    def resident(self) -> float:
        """Bytes of all weights."""
        return self.counts.total * self.weight_bytes


@dataclass(frozen=True)
class Layer:
    """One layer of a target as its draft (EAGLE, MTP): a layer, a projection of `inputs` hidden states to one, and
    the output embedding. The layer is of the kind the target has most of: a mixture layer in a mixture model."""

    target: Whole
    inputs: int = 2

    layers = 1.0

    @property
    def hidden(self) -> float:
        """As the target's."""
        return self.target.hidden

    @cached_property
    def _every(self) -> float:
        """Parameters that each position reads, whichever experts it is routed to."""
        counts, layers, width = self.target.counts, self.target.layers, self.target.hidden
        mixtures = counts.mixture_layers
        forward = (
            counts.shared_experts_and_routers / mixtures if mixtures else counts.dense_feed_forward / layers
        )
        return counts.attention / layers + forward + self.inputs * width * width + counts.embedding

    @property
    def operations(self) -> float:
        """Two for each parameter on the path of a token."""
        counts = self.target.counts
        routed = counts.experts_per_token * counts.expert if counts.mixture_layers else 0.0
        return OPERATIONS_PER_PARAMETER * (self._every + routed)

    def read(self, positions: Array) -> Array:
        """The layer's weights, of its experts those touched."""
        mixtures = self.target.counts.mixture_layers
        routed = cast(Any, self.target.model.required_touched(cast(float, positions))).experts
        experts = routed / mixtures if mixtures else np.zeros_like(positions)
        return cast(Array, (self._every + experts) * self.target.weight_bytes)

    def cache(self, context: Array) -> Array:
        """The share of one layer in the target's cache."""
        return self.target.cache(context) / self.target.layers

    def attention(self, context: Array) -> Array:
        """The share of one layer in the target's attention."""
        return self.target.attention(context) / self.target.layers


@dataclass(frozen=True)
class MedusaHead:
    """One Medusa head: a residual block of hidden size squared, and an output embedding. It has no cache."""

    target: Whole

    layers = 0.0

    @property
    def hidden(self) -> float:
        """As the target's."""
        return self.target.hidden

    @property
    def _parameters(self) -> float:
        return self.hidden * self.hidden + self.target.counts.embedding

    @property
    def operations(self) -> float:
        """Two for each parameter."""
        return OPERATIONS_PER_PARAMETER * self._parameters

    def read(self, positions: Array) -> Array:
        """All of it, whatever the positions."""
        return np.full_like(positions, self._parameters * self.target.weight_bytes, dtype=np.float64)

    def cache(self, context: Array) -> Array:
        """None."""
        return np.zeros_like(context, dtype=np.float64)

    def attention(self, context: Array) -> Array:
        """None."""
        return np.zeros_like(context, dtype=np.float64)


def whole(model: Model, precision: str, cache_precision: str) -> Whole:
    """A model in the formats of its weights and its cache. Raises `ToolsError` for a format without a size."""
    return Whole(model, _size(precision), _size(cache_precision))


def _size(precision: str) -> float:
    size = bytes_of(precision)
    if size is None:
        from tools.schema.spelling import listed, nearest, proposal

        near = proposal(nearest(precision, list(BITS)))
        raise ToolsError(
            f"no number format is called `{precision}`{near}", f"there is {listed(BITS, 'and', 20)}"
        )
    return size
