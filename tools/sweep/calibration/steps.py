"""What a step takes at measured points, by the roofline: a plain step and the parts of a speculative one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tools.records.catalog import Catalog
from tools.sweep.calibration.efficiencies import Efficiencies
from tools.sweep.calibration.networks import Routed, with_head
from tools.sweep.calibration.terms import Terms
from tools.sweep.measured.conditions import Head
from tools.sweep.measured.points import Point
from tools.sweep.roofline.choice import Choice, setting
from tools.sweep.roofline.draft import Load
from tools.sweep.roofline.network import Array
from tools.sweep.roofline.parameters import Parameters
from tools.sweep.roofline.speedup import Setting
from tools.sweep.roofline.steps import one_pass


@dataclass(frozen=True, slots=True)
class Steps:
    """Times in seconds at each point: a plain step and the parts of a speculative one. `token` is what every token
    that a request emits adds to a step."""

    plain: Array
    verify: Array
    draft: Array
    overhead: Array
    token: Array
    is_compute_bound: NDArray[np.bool_]

    def speedup(self, tau: Array) -> Array:
        """tau (plain + token) / (speculative + tau token)."""
        return tau * (self.plain + self.token) / (self.speculative + tau * self.token)

    def tau(self, speedup: Array) -> Array:
        """The acceptance length at which a speedup would come out; NaN where none does."""
        left = self.plain + self.token - speedup * self.token
        exists = (left > 0) & (speedup > 0)
        return np.where(exists, speedup * self.speculative / np.where(exists, left, 1.0), np.nan)

    @property
    def speculative(self) -> Array:
        """A speculative step without what its tokens add."""
        return self.verify + self.draft + self.overhead


class Bench:
    """Passes of all points, computed once; `steps` adds the terms of a calibration.

    `efficiencies` gives the constants of each part. All overheads are linear, so that a search over them costs a few
    sums; only the routing of experts needs a pass again, and only for mixtures.
    """

    def __init__(self, catalog: Catalog, points: Sequence[Point], efficiencies: Efficiencies) -> None:
        self.points = tuple(points)
        self.tau = np.array([np.nan if point.tau is None else point.tau for point in points])
        self.speedup = np.array([point.speedup for point in points], dtype=np.float64)
        self.plain_s = np.array([np.nan if point.plain_s is None else point.plain_s for point in points])
        self._batch, self._gamma, self._context = (
            np.array([getattr(point, name) for point in points], dtype=np.float64)
            for name in ("batch", "gamma", "context")
        )
        groups: dict[tuple[Choice, Head | None], list[int]] = defaultdict(list)
        for index, point in enumerate(points):
            groups[point.choice, point.head].append(index)
        count = len(points)
        self._plain, self._verify, self._draft, self._drafts, self._layer, self._hops, self._draft_hops = (
            np.zeros(count) for _ in range(7)
        )
        self._bound = np.zeros(count, dtype=np.bool_)
        self._mixtures: list[tuple[Setting, NDArray[np.intp]]] = []
        for (choice, head), indices in groups.items():
            part = efficiencies.of(choice.accelerator, choice.arithmetic or choice.precision)
            constants = Parameters(
                corner=part.corner,
                memory_efficiency=part.memory,
                compute_efficiency=part.compute,
                cache_efficiency=part.cache,
                link_latency_s=0.0,
                draft_s=0.0,
            )
            made = with_head(setting(catalog, choice, constants), head)
            self._fill(made, np.array(indices), part.layer_s)

    def _fill(self, made: Setting, at: NDArray[np.intp], layer_s: float) -> None:
        batch, gamma, context = self._batch[at], self._gamma[at], self._context[at]
        plain = made.plain_pass(batch, context)
        self._plain[at] = plain.total
        load = Load(batch, gamma, context, plain.total)
        self._draft[at] = made.draft.time(load, made.shape, made.machine, made.constants)
        # What one second of overhead would add is how many passes there are.
        later = replace(made.constants, draft_s=1.0)
        self._drafts[at] = made.draft.time(load, made.shape, made.machine, later) - self._draft[at]
        shared = made.machine.count > 1
        self._layer[at] = made.target.layers * layer_s
        self._hops[at] = 2 * made.target.layers if shared else 0.0
        self._draft_hops[at] = 2 * self._drafts[at] if shared else 0.0
        if made.target.counts.mixture_layers:
            self._mixtures.append((made, at))
        self._verified(made, at, 1.0)

    def _verified(self, made: Setting, at: NDArray[np.intp], routing: float) -> None:
        positions = made.shape.positions(self._gamma[at])
        target = Routed(
            made.target.model, made.target.weight_bytes, made.target.cache_bytes, positions ** (routing - 1)
        )
        one = one_pass(target, made.machine, made.constants, self._batch[at], positions, self._context[at])
        self._verify[at] = one.total
        self._bound[at] = one.is_compute_bound

    def steps(self, terms: Terms) -> Steps:
        """The times at every point."""
        for made, at in self._mixtures:
            self._verified(made, at, terms.routing)
        of = [terms.of(point.choice.engine) for point in self.points]
        step, draft, request, token, extra = (
            np.array([getattr(one, name) for one in of])
            for name in ("step_s", "draft_s", "request_s", "token_s", "speculation_s")
        )
        shared = step + self._layer + self._hops * terms.link_latency_s + self._batch * request
        return Steps(
            self._plain + shared,
            self._verify + shared,
            self._draft + self._drafts * draft + self._draft_hops * terms.link_latency_s,
            extra,
            self._batch * token,
            self._bound.copy(),
        )
