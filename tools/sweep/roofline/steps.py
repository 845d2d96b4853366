"""The time of one pass over a batch, and its parts, in seconds.

    T_lin = (x^p + y^p)^(1/p),  x = W(N) / (t M e_m),  y = 2 P N / (t F e_f),  N = B n
    T_att = max(B kappa S / (t M e_kv), B n a(S) / (t F e_a))
    T_tp  = 2 L (alpha + 2 (t - 1) / t x N d b / link)   for t > 1

W(N) are the bytes of weights that N positions touch, P the parameters on the path of one, kappa S the cache of a
request, a(S) the operations of attention for a position, d the hidden size and b the bytes of an activation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tools.errors import ToolsError
from tools.roofline import Accelerator
from tools.roofline.bounds import step_time
from tools.sweep.roofline.network import Array, Network
from tools.sweep.roofline.parameters import Parameters

ACTIVATION_BYTES = 2
"""Activations are exchanged in 16 bits, whatever the format of the weights."""


@dataclass(frozen=True, slots=True)
class Machine:
    """Accelerators that share each layer: `count` of them (t), with the bandwidth (M), dense peak (F) and link of one.

    `link` is 0 where there is no other one to talk to.
    """

    id: str
    bandwidth: float
    peak: float
    link: float
    count: int
    capacity: float | None


def machine(accelerator: Accelerator, precision: str, count: int = 1) -> Machine:
    """The machine of so many accelerators, computing in a format. Raises `ToolsError` for a fact that is missing."""
    if count < 1:
        raise ToolsError(f"{count} accelerators share nothing", "tensor parallelism is 1 or more")
    return Machine(
        accelerator.id,
        accelerator.required_bandwidth(),
        accelerator.required_peak(precision),
        accelerator.required_link() if count > 1 else 0.0,
        count,
        accelerator.most_capacity,
    )


class Pass(NamedTuple):
    """Parts of the time of a pass; `memory` and `arithmetic` are what each alone would take, without exchange."""

    linear: Array
    attention: Array
    exchange: Array
    memory: Array
    arithmetic: Array

    @property
    def total(self) -> Array:
        """T_lin + T_att + T_tp."""
        return self.linear + self.attention + self.exchange

    @property
    def is_compute_bound(self) -> NDArray[np.bool_]:
        """Whether arithmetic takes longer than reading."""
        return self.arithmetic > self.memory


def one_pass(
    network: Network, on: Machine, constants: Parameters, batch: Array, positions: Array, context: Array
) -> Pass:
    """A pass over `batch` requests with so many `positions` each, which look back on `context` tokens."""
    total = batch * positions
    rate = on.peak * on.count
    read = step_time(1.0, on.bandwidth * constants.memory_efficiency, on.count) * network.read(total)
    compute = total * (network.operations / (rate * constants.compute_efficiency))
    kept = batch * network.cache(context)
    kept_s = step_time(1.0, on.bandwidth * constants.cache_efficiency, on.count) * kept
    attended = total * network.attention(context) / (rate * constants.attention_efficiency)
    return Pass(
        norm(read, compute, constants.corner),
        np.maximum(kept_s, attended),
        _exchange(network, on, constants, total),
        read + kept_s,
        compute + attended,
    )


def norm(one: Array, other: Array, corner: float) -> Array:
    """(one^p + other^p)^(1/p): the sum for p = 1, the larger for p to infinity."""
    if corner == 1:
        return one + other
    larger = np.maximum(one, other)
    if np.isinf(corner):
        return larger
    share: Array = np.minimum(one, other) / larger
    return larger * (1 + share**corner) ** (1 / corner)


def _exchange(network: Network, on: Machine, constants: Parameters, total: Array) -> Array:
    if on.count == 1:
        return np.zeros_like(total, dtype=np.float64)
    sent = 2 * (on.count - 1) / on.count * network.hidden * ACTIVATION_BYTES / on.link
    return 2 * network.layers * (constants.link_latency_s + sent * total)
