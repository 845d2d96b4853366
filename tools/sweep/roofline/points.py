"""The figures of a block of points, as columns.

Times are computed where they differ, for each context, batch size and gamma, and only spread over q at the end: all
arithmetic is in doubles, the columns are single precision, whose seven digits are more than the model has.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tools.sweep.roofline.axes import Block, Places
from tools.sweep.roofline.chance import Belief, break_even_q
from tools.sweep.roofline.critical import largest_batch
from tools.sweep.roofline.speedup import Setting

Columns: TypeAlias = dict[str, NDArray[Any]]

COLUMNS: dict[str, tuple[str, str]] = {
    "context": ("INTEGER", "tokens that each request looks back on, S"),
    "batch_size": ("INTEGER", "requests in a step, B"),
    "gamma": ("SMALLINT", "depth of the proposal"),
    "quality": ("DOUBLE", "q, chance that a proposed token is accepted"),
    "speedup": ("FLOAT", "rate over that of plain decoding at the same batch"),
    "speedup_low": ("FLOAT", "the same at the lower end of the 95 % interval of q"),
    "speedup_high": ("FLOAT", "the same at its upper end"),
    "acceptance_length": ("FLOAT", "tau, tokens of a step and request"),
    "chance_pays": ("FLOAT", "chance that the speedup is above 1, given how uncertain q is"),
    "break_even_acceptance": ("FLOAT", "A_be, accepted share of gamma from which speculation pays"),
    "break_even_quality": ("FLOAT", "q from which speculation pays; 1 where none does"),
    "plain_ms": ("FLOAT", "a plain step, T_verify(B, 1)"),
    "verify_ms": ("FLOAT", "the verifying pass with its overhead, T_verify(B, n)"),
    "verify_linear_ms": ("FLOAT", "its linear layers, T_lin"),
    "verify_attention_ms": ("FLOAT", "its attention, T_att"),
    "verify_exchange_ms": ("FLOAT", "its exchange between accelerators, T_tp"),
    "draft_ms": ("FLOAT", "the proposal, T_draft"),
    "compute_bound": ("BOOLEAN", "whether arithmetic takes longer than reading in the verifying pass"),
    "fits": ("BOOLEAN", "whether weights and cache fit in memory; empty where the capacity is not stated"),
}
"""Type in Parquet and meaning of each column; the partition adds accelerator and model, the setting its names."""

_MS = 1e3
_AXIS_TYPES = {"context": np.int32, "batch_size": np.int32, "gamma": np.int16, "quality": np.float64}


def columns(setting: Setting, places: Places, block: Block, quality_sd: float) -> Columns:
    """The columns of a block, each in the order of the axes; `fits` is a float with NaN where it is not known."""
    context, batch, gamma, q = block.arrays(places)
    times = setting.times(batch, gamma, context)
    belief = Belief(q.ravel(), quality_sd)
    low, high = belief.interval()
    least = break_even_q(setting.shape, times.cost, gamma)
    emitted = [setting.shape.emitted(quality, gamma) for quality in (q, low, high)]
    made = times.verify_pass
    figures: dict[str, NDArray[Any]] = {
        "context": context,
        "batch_size": batch,
        "gamma": gamma,
        "quality": q,
        "speedup": times.speedup(emitted[0]),
        "speedup_low": times.speedup(emitted[1]),
        "speedup_high": times.speedup(emitted[2]),
        "acceptance_length": emitted[0],
        "chance_pays": belief.above(least),
        "break_even_acceptance": times.break_even,
        "break_even_quality": least,
        "plain_ms": times.plain * _MS,
        "verify_ms": times.verify * _MS,
        "verify_linear_ms": made.linear * _MS,
        "verify_attention_ms": made.attention * _MS,
        "verify_exchange_ms": made.exchange * _MS,
        "draft_ms": times.draft * _MS,
        "compute_bound": made.is_compute_bound,
        "fits": _fits(setting, batch, context),
    }
    shape = tuple(end - start for start, end in (block.context, block.batch, block.gamma, block.quality))
    return {name: _spread(name, values, shape) for name, values in figures.items()}


def _fits(setting: Setting, batch: NDArray[Any], context: NDArray[Any]) -> NDArray[Any]:
    most = largest_batch(setting, context)
    return np.where(np.isnan(most), np.nan, batch <= most)


def _spread(name: str, values: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    kind = _AXIS_TYPES.get(name, np.bool_ if values.dtype == np.bool_ else np.float32)
    return np.broadcast_to(values.astype(kind), shape).ravel()
