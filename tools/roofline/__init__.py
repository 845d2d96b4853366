"""What accelerator and model records allow: their facts as typed values, and the limits that follow from them.

`accelerator` and `model` read a record; `shape` counts the parameters and the cache of an architecture, `precision`
says how many bytes a number format takes, `bounds` has the roofline itself, in plain numbers. Nothing here reads a
file or assumes a fact: what a record does not state is None, and `required` turns that into an error that names the
fact and the record. Rules hold benchmarks against these limits; the simulator computes step times from them.
"""

from __future__ import annotations

from tools.roofline.accelerator import Accelerator, Peak, accelerator
from tools.roofline.model import Attention, FeedForward, Model, model
from tools.roofline.reading import required
from tools.roofline.shape import Counts, Touched

__all__ = [
    "Accelerator",
    "Attention",
    "Counts",
    "FeedForward",
    "Model",
    "Peak",
    "Touched",
    "accelerator",
    "model",
    "required",
]
