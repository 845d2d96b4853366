"""Networks that the sweep has no options for: published draft heads, targets whose requests share experts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tools.roofline.bounds import OPERATIONS_PER_PARAMETER
from tools.sweep.measured.conditions import Head
from tools.sweep.roofline.draft import Parallel, Sequential
from tools.sweep.roofline.network import Array, Layer, Whole
from tools.sweep.roofline.speedup import Setting
from tools.sweep.roofline.steps import ACTIVATION_BYTES


@dataclass(frozen=True)
class DenseHead(Layer):
    """`depth` draft layers without experts, whatever the target has: `width` of their feed-forward, `rows` of the
    output."""

    depth: int = 1
    width: int = 0
    rows: int = 0

    @property
    def layers(self) -> float:  # type: ignore[override]
        """Layers."""
        return float(self.depth)

    @property
    def _parameters(self) -> float:
        hidden = self.hidden
        layer = self.target.counts.attention / self.target.layers + 3 * hidden * self.width
        return self.depth * layer + hidden * (self.inputs * hidden + self.rows)

    @property
    def operations(self) -> float:
        """Two for each parameter."""
        return OPERATIONS_PER_PARAMETER * self._parameters

    def cache(self, context: Array) -> Array:
        """That of so many layers of the target."""
        return self.depth * super().cache(context)

    def attention(self, context: Array) -> Array:
        """That of so many layers of the target."""
        return self.depth * super().attention(context)

    def read(self, positions: Array) -> Array:
        """All of it, in 16 bits, whatever the positions."""
        return np.full_like(positions, self._parameters * ACTIVATION_BYTES, dtype=np.float64)


@dataclass(frozen=True)
class Routed(Whole):
    """A target of whose experts a pass touches those of `share` times as many independent positions."""

    share: Any = 1.0

    def read(self, positions: Array) -> Array:
        """Weights touched."""
        return super().read(positions * self.share)


def with_head(one: Setting, head: Head | None) -> Setting:
    """The setting with such a draft layer."""
    draft = one.draft
    if head is None or not isinstance(draft, (Sequential, Parallel)) or not isinstance(draft.network, Layer):
        return one
    network = DenseHead(draft.network.target, draft.network.inputs, *head)
    return replace(one, draft=replace(draft, network=network))
