"""A model that does not fit into the memory it is said to have run in."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks import limits
from tools.checks.limits import Lack
from tools.checks.point import OperatingPoint, operating_point
from tools.checks.quantity import shown
from tools.checks.rule import Fault, Ledger, Record, Rule, Skip
from tools.finding import Level
from tools.roofline import Model, bounds
from tools.roofline.accelerator import GB
from tools.roofline.precision import bytes_of, bytes_per_parameter

_ELSEWHERE = ("offload", "cpu", "ngl", "n-gpu-layers", "disk", "swap")
"""Words of engine flags that put weights outside the accelerators."""


def check(record: Record, ledger: Ledger) -> Iterator[Fault | Skip]:
    value = record.value
    if value.get("evidence") != "measured" or not {"accelerator_ids", "precision"} <= value.keys():
        return
    point = operating_point(record)
    size, count = bytes_per_parameter(value), point.accelerators
    if size is None or count is None or not point.figures:
        return
    found, parts = limits.model_of(point, ledger), limits.parts(point, ledger)
    if isinstance(found, Lack) or isinstance(parts, Lack):
        return
    if found.total is None:
        yield Skip("/model_id", f"`parameters.total_b` of the model `{found.id}`")
        return
    room = 0.0
    for part in parts:
        if part.most_capacity is None:
            yield Skip("/accelerator_ids", f"`memory.capacity` of the accelerator `{part.id}`")
            return
        room = max(room, part.most_capacity * count.value)
    replicas = point.number("/parallelism/data")
    copies = replicas.value if replicas else 1.0
    cache, cache_text = _cache(point, found)
    need = bounds.memory_need(found.total * size, copies) + cache
    if need > room and not _uses_other_memory(record):
        times = f" x {shown(copies)} replicas" if copies > 1 else ""
        yield Fault(
            "/hardware/accelerator_count",
            f"{shown(found.total / GB)} x 10^9 parameters x {shown(size)} bytes{times}{cache_text} = "
            f"{shown(need / GB)} GB, but {shown(count.value)} x {shown(room / count.value / GB)} GB = "
            f"{shown(room / GB)} GB is what there is at most",
            "look at the number of accelerators, at the memory size of the part and at the format of the weights; "
            "where weights lay in host memory, say so in `engine.flags`",
        )


def _uses_other_memory(record: Record) -> bool:
    flags = (record.text("/engine/flags") or "").casefold()
    return any(word in flags for word in _ELSEWHERE)


def _cache(point: OperatingPoint, found: Model) -> tuple[float, str]:
    """Bytes of the key-value cache of a fixed batch of equal requests at its end, and words for it.

    Only sequences of one engine batch are resident together; requests in flight may wait in a queue.
    """
    batch, size = point.condition("batch_size"), bytes_of(point.record.text("/precision/kv_cache"))
    sides = [point.length(side) for side in ("input", "output")]
    if batch is None or size is None or None in sides:
        return 0.0, ""
    tokens = sum(side.quantity.value for side in sides if side is not None)
    values = found.kv_values(tokens)
    if values is None:
        return 0.0, ""
    cache = batch.value * values * size
    return cache, f" + {batch.text} x {shown(tokens)} tokens of cache ({shown(cache / GB)} GB)"


RULE = Rule(
    name="memory-above-capacity",
    level=Level.WARNING,
    summary="The model and its cache do not fit into the accelerators.",
    why=(
        "All weights have to lie somewhere: total parameters (a mixture of experts stores them all, however few are "
        "active) times bytes each, once for every full replica, plus the cache of a fixed batch. More than the "
        "accelerators hold means that a count, a memory size or a number format is wrong, or that weights were "
        "kept in host memory, which changes what the numbers mean and belongs in `engine.flags`. The capacity is "
        "what devices report, else the label read as GiB, so a part is never too small by its label alone."
    ),
    reference="ggml-org/llama.cpp#24436, AlexsJones/llmfit#46",
    formula=(
        "total_b x bytes per parameter x data replicas + batch_size x cache values(input + output length) x bytes "
        "per value <= accelerator_count x memory.capacity (as reported, else the label in GiB)"
    ),
    tolerance="None: the need leaves out activations, buffers and norms, and the capacity is the most a part can hold.",
    kinds=("benchmark",),
    needs=(("/accelerator_ids",), ("/precision",), ("/hardware/accelerator_count",)),
    check=check,
)
