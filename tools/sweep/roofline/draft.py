"""The time of a proposal, T_draft in seconds, by the way it is made.

| way | T_draft |
| --- | --- |
| depth after depth (draft model, EAGLE and MTP heads) | gamma (pass of the draft over the batch + t_d) |
| Medusa heads | gamma heads on one position of each request, + t_d |
| in parallel | one pass over gamma positions of each request, + t_d |
| at a ratio | gamma c T_plain, c stated |
| look-up (n-gram) | 0: it runs on the host, and what it costs is in t_sp |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from tools.sweep.roofline.network import Array, MedusaHead, Network
from tools.sweep.roofline.parameters import Parameters
from tools.sweep.roofline.shape import Shape
from tools.sweep.roofline.steps import Machine, one_pass


@dataclass(frozen=True, slots=True)
class Load:
    """Where a step runs: arrays of batch size, draft length and context, and the time of a plain step there."""

    batch: Array
    gamma: Array
    context: Array
    plain: Array


class Draft(Protocol):
    """A way to propose; `kind` is the technique's name in the vocabulary."""

    @property
    def kind(self) -> str:
        """Technique."""

    def time(self, load: Load, shape: Shape, on: Machine, constants: Parameters) -> Array:
        """T_draft."""


@dataclass(frozen=True, slots=True)
class Sequential:
    """A draft that makes one pass for each depth of the proposal."""

    kind: str
    network: Network

    def time(self, load: Load, shape: Shape, on: Machine, constants: Parameters) -> Array:
        """gamma passes over the candidates of one depth."""
        made = one_pass(self.network, on, constants, load.batch, shape.width(load.gamma), load.context)
        return load.gamma * (made.total + constants.draft_s)


@dataclass(frozen=True, slots=True)
class Parallel:
    """A draft that proposes all gamma tokens in one pass."""

    kind: str
    network: Network

    def time(self, load: Load, shape: Shape, on: Machine, constants: Parameters) -> Array:
        """One pass over the whole proposal."""
        proposed = shape.positions(load.gamma) - 1
        made = one_pass(self.network, on, constants, load.batch, proposed, load.context)
        return made.total + constants.draft_s


@dataclass(frozen=True, slots=True)
class Medusa:
    """As many heads as the proposal is deep, each on the last position of every request."""

    head: MedusaHead
    kind: str = "medusa"

    def time(self, load: Load, shape: Shape, on: Machine, constants: Parameters) -> Array:  # noqa: ARG002 - a head is run once, whatever tree is made of its candidates
        """gamma heads side by side."""
        one = np.ones_like(load.gamma, dtype=np.float64)
        made = one_pass(self.head, on, constants, load.batch, one, load.context)
        return load.gamma * made.total + constants.draft_s


@dataclass(frozen=True, slots=True)
class Ratio:
    """A draft of which only its cost is known: `ratio` (c) of a plain step for each proposed token."""

    ratio: float
    kind: str = "draft_model"

    def time(self, load: Load, shape: Shape, on: Machine, constants: Parameters) -> Array:  # noqa: ARG002 - the ratio has all of it
        """gamma c T_plain."""
        return load.gamma * self.ratio * load.plain


@dataclass(frozen=True, slots=True)
class Lookup:
    """Proposals found in the text so far."""

    kind: str = "ngram"

    def time(self, load: Load, shape: Shape, on: Machine, constants: Parameters) -> Array:  # noqa: ARG002 - free
        """No time of the accelerator."""
        return np.zeros_like(load.gamma * load.plain)
