"""What a speculative step costs at measured points, by the roofline: plain and speculative step times.

Points of one choice are computed together. The constants come from a function, so that the same points can be asked
with spec sheets alone and with any calibration.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tools.records.catalog import Catalog
from tools.roofline.bounds import OPERATIONS_PER_PARAMETER
from tools.sweep.measured.points import Head, Point
from tools.sweep.roofline.choice import Choice, setting
from tools.sweep.roofline.draft import Parallel, Sequential
from tools.sweep.roofline.network import Array, Layer
from tools.sweep.roofline.parameters import Parameters
from tools.sweep.roofline.speedup import Setting
from tools.sweep.roofline.steps import ACTIVATION_BYTES

Constants = Callable[[Choice, float], Parameters]
"""Constants of a choice whose target has so many layers."""


@dataclass(frozen=True)
class DenseHead(Layer):
    """A draft layer without experts, whatever the target has: `width` of its feed-forward, `rows` of its output."""

    width: int = 0
    rows: int = 0

    @property
    def _parameters(self) -> float:
        hidden = self.hidden
        attention = self.target.counts.attention / self.target.layers
        return attention + hidden * (3 * self.width + self.inputs * hidden + self.rows)

    @property
    def operations(self) -> float:
        """Two for each parameter."""
        return OPERATIONS_PER_PARAMETER * self._parameters

    def read(self, positions: Array) -> Array:
        """All of it, in 16 bits, whatever the positions."""
        return np.full_like(positions, self._parameters * ACTIVATION_BYTES, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Steps:
    """Times in seconds at each point: a plain step, and the parts of a speculative one."""

    plain: Array
    verify: Array
    draft: Array
    speculation: Array
    is_compute_bound: Array

    @property
    def cost(self) -> Array:
        """A speculative step over a plain one."""
        return (self.verify + self.draft + self.speculation) / self.plain


class Bench:
    """Settings of all points, made once; `steps` computes their times for given constants."""

    def __init__(self, catalog: Catalog, points: Sequence[Point]) -> None:
        self.points = tuple(points)
        groups: dict[tuple[Choice, Head | None], list[int]] = defaultdict(list)
        for index, point in enumerate(points):
            groups[point.choice, point.head].append(index)
        self._groups = [
            (choice, _with_head(setting(catalog, choice, Parameters()), head), np.array(indices))
            for (choice, head), indices in groups.items()
        ]
        self._batch = np.array([point.batch for point in points], dtype=np.float64)
        self._gamma = np.array([point.gamma for point in points], dtype=np.float64)
        self._context = np.array([point.context for point in points], dtype=np.float64)

    def steps(self, constants: Constants, context_factor: float = 1.0) -> Steps:
        """The times at every point, with its context multiplied by a factor."""
        made = np.zeros((5, len(self.points)))
        for choice, one, at in self._groups:
            times = replace(one, constants=constants(choice, one.target.layers)).times(
                self._batch[at], self._gamma[at], self._context[at] * context_factor
            )
            made[0, at], made[1, at], made[2, at] = times.plain, times.verify, times.draft
            made[3, at] = times.speculation
            made[4, at] = times.verify_pass.is_compute_bound
        return Steps(*made)


def _with_head(one: Setting, head: Head | None) -> Setting:
    """The setting with such a draft layer."""
    draft = one.draft
    if head is None or not isinstance(draft, (Sequential, Parallel)) or not isinstance(draft.network, Layer):
        return one
    network = DenseHead(draft.network.target, draft.network.inputs, head.width, head.rows)
    return replace(one, draft=replace(draft, network=network))
