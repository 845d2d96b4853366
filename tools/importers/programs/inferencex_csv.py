"""The CSV download of the InferenceX site: three lines of licence, then a row an operating point.

    # Licensed under ...
    Model,ISL,OSL,Hardware,...,Throughput/GPU (tok/s),...,Mean TTFT (ms),...,Disaggregated,...
    DeepSeek-R1-0528,1024,1024,h200,...,98.82,...,0.15776,...,false,...

The headers of the latencies say `(ms)` over values in seconds. That is told by the set of headers and the licence
lines, not by how large a value is: interactivity is 1 / TPOT, and is held against it in every row.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tools.importers.programs.content import Content, ContentError
from tools.importers.programs.format import Format, Reading
from tools.importers.programs.inferencex_run import (
    LACKS,
    RATES,
    add_latencies,
    add_rates,
    state_lengths,
    state_precision,
    state_system,
)
from tools.importers.programs.point import Point
from tools.importers.programs.spelling import is_name

_NEEDED = {
    "Model",
    "ISL",
    "OSL",
    "Hardware",
    "Framework",
    "Precision",
    "Concurrency",
    "Throughput/GPU (tok/s)",
}
_KEYS = dict(
    zip(
        RATES,
        ("Throughput/GPU (tok/s)", "Output Throughput/GPU (tok/s)", "Input Throughput/GPU (tok/s)"),
        strict=True,
    )
)
_LATENCY = re.compile(
    r"(Mean|Median|Std|P[0-9.]+) (TTFT|TPOT|ITL|E2E Latency|Interactivity) \((?:ms|tok/s/user)\)"
)
_QUANTITIES = {"TTFT": "ttft", "TPOT": "tpot", "ITL": "itl", "E2E Latency": "e2el", "Interactivity": "intvty"}


def recognise(content: Content) -> str | None:
    """The reason: the headers of the site and its licence lines."""
    is_theirs = any("InferenceX" in line for line in content.comments)
    if not is_theirs or not set(content.header) >= _NEEDED:
        return None
    return "it has the licence lines and the headers of the InferenceX site"


def read(reading: Reading) -> list[Point]:
    """A point of every row."""
    rows: list[tuple[str, Mapping[str, Any]]] = []
    try:
        rows += [(f"row {number}", row) for number, row in enumerate(reading.content.rows, 1)]
    except ContentError as error:
        reading.refusals.append((reading.place, str(error)))
    return reading.each(_read_row, rows)


def _read_row(point: Point) -> None:
    draft = point.draft
    point.skip("Hardware Key", "Is Multinode")
    split = bool(point.flag("Disaggregated"))
    state_system(point, hardware="Hardware", framework="Framework", technique="Spec Decoding")
    model = point.text("Model")
    point.model(model)
    point.slug += [
        model if model and is_name(model) else "model not named",
        str(point.text("Hardware") or ""),
    ]
    state_precision(point, point.text("Precision"))
    state_lengths(point, "ISL", "OSL")
    concurrency = point.count("Concurrency")
    draft.put("/conditions/concurrency", concurrency or None)
    draft.put("/conditions/concurrency_cap", concurrency or None)
    point.slug.append(f"conc{concurrency}")
    point.day(point.text("Date"))
    for key, name in (("TP", "tensor"), ("EP", "expert")):
        draft.put(f"/parallelism/{name}", point.count(key) or None)
    if point.flag("DP Attention"):
        draft.put("/parallelism/attention_data", point.count("TP") or None)
    pools = {"prefill": point.count("Num Prefill GPUs"), "decode": point.count("Num Decode GPUs")}
    for pool, number in pools.items():
        draft.put(f"/disaggregation/{pool}_accelerators", number or None)
    add_rates(point, {name: key for name, key in _KEYS.items() if key in point.values}, split)
    found = [(match, key) for key in point.values if (match := _LATENCY.fullmatch(key))]
    add_latencies(
        point,
        {(_QUANTITIES[match[2]], match[1].lower()): key for match, key in found},
        "s, under a header that says ms",
    )


FORMAT = Format("inferencex-csv", "licence lines and headers of the InferenceX site", recognise, read, LACKS)
