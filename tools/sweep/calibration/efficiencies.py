"""Efficiencies of an accelerator: those tried by hand, or those that layer measurements give.

Where a part or a format was not measured, the median over the parts that were stands in: kernels of one format differ
less between parts than from the peaks that records state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Protocol

from tools.sweep.roofline.parameters import Parameters

KERNELS = 4
"""Matrix products of a layer: query, key and value; output; up; down."""

_VALUES = ("memory_efficiency", "compute_efficiency", "corner", "kernel_us")


@dataclass(frozen=True, slots=True)
class Efficiency:
    """Constants of a part in a format; `layer_s` is what the kernels of a layer take besides, in seconds."""

    memory: float
    compute: float
    corner: float
    cache: float
    layer_s: float


class Efficiencies(Protocol):
    """Where constants of a part come from."""

    def of(self, accelerator: str, format_: str) -> Efficiency:
        """Those of an accelerator computing in a format."""


class ByHand:
    """The constants tried by hand, the same for every part."""

    def of(self, accelerator: str, format_: str) -> Efficiency:  # noqa: ARG002 - the same for all
        """The constants."""
        made = Parameters()
        return Efficiency(
            made.memory_efficiency, made.compute_efficiency, made.corner, made.cache_efficiency, 0.0
        )


class Layers:
    """The constants that `layers.fit_layers` gave, refused ones left out."""

    def __init__(self, entries: Sequence[Mapping[str, Any]]) -> None:
        self._products: dict[tuple[str, str], Mapping[str, float]] = {}
        self._attention: dict[str, Mapping[str, float]] = {}
        for entry in entries:
            if "refused" in entry:
                continue
            if entry["operator"] == "product":
                self._products[entry["accelerator"], entry["format"]] = entry["values"]
            else:
                self._attention[entry["accelerator"]] = entry["values"]

    def of(self, accelerator: str, format_: str) -> Efficiency:
        """Those of the part and format, else the median over parts in that format, else over all."""
        # The matrix units treat both 16-bit formats alike.
        format_ = "bf16" if format_ == "fp16" else format_
        product = self._products.get((accelerator, format_)) or self._median(format_)
        attention = self._attention.get(accelerator) or _medians(
            list(self._attention.values()), ("cache_efficiency", "kernel_us")
        )
        kernels_us = KERNELS * product["kernel_us"] + attention["kernel_us"]
        return Efficiency(
            product["memory_efficiency"],
            product["compute_efficiency"],
            product["corner"],
            attention["cache_efficiency"],
            kernels_us * 1e-6,
        )

    def _median(self, format_: str) -> Mapping[str, float]:
        fitting = [values for (_, name), values in self._products.items() if name == format_]
        return _medians(fitting or list(self._products.values()), _VALUES)


def _medians(found: Sequence[Mapping[str, float]], names: Sequence[str]) -> Mapping[str, float]:
    return {name: median(values[name] for values in found) for name in names}
