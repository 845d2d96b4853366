"""Efficiencies and corner of accelerators from tables of measured operator times.

A matrix product of m tokens with n x k weights takes

    T = (x^p + y^p)^(1/p) + t_k,   x = n k b / (M e_m),   y = 2 m n k / (F e_f),

with the bandwidth M and dense peak F of the accelerator record. t_k is what a kernel takes besides; without it e_m
would have to be bent down for small products. Decode attention takes B S 2 h_kv d b / (M e_kv) + t_k. Two formats of
table are known by their columns: microsoft/vidur's profiles of the products of a layer, and ai-dynamo/aiconfigurator's
operator times. Every source counts the same, however many rows it has.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tools.errors import ToolsError
from tools.records.catalog import Catalog
from tools.roofline import Accelerator, accelerator
from tools.roofline.precision import bytes_of

MOST_TOKENS = 4096
"""Tokens of a product up to which rows count: those that decoding and verifying have."""

_FORMATS = {"bfloat16": "bf16", "fp8": "fp8", "nvfp4": "nvfp4"}
_PARTS = {
    "a100": "nvidia-a100-80gb-sxm4",
    "h100": "nvidia-h100-sxm-80gb",
    "a40": "nvidia-a40",
    "a100_sxm": "nvidia-a100-80gb-sxm4",
    "h100_sxm": "nvidia-h100-sxm-80gb",
    "h200_sxm": "nvidia-h200-sxm-141gb",
    "b200_sxm": "nvidia-b200-sxm-180gb",
    "b300_sxm": "nvidia-b300-sxm-288gb",
    "gb200": "nvidia-gb200",
    "gb300": "nvidia-gb300",
    "l40s": "nvidia-l40s",
    "rtx_pro_6000_server": "nvidia-rtx-pro-6000-blackwell-server",
}
_PRODUCTS = ("attn_pre_proj", "attn_post_proj", "mlp_up_proj", "mlp_down_proj")
_LEAST_ROWS = 40
_AT_BOUND = 1e-3


class Product(NamedTuple):
    """A measured matrix product: where it was measured, its shape, and its time in seconds."""

    part: str
    format: str
    source: str
    m: float
    n: float
    k: float
    seconds: float


class Attended(NamedTuple):
    """A measured decode attention: bytes of the cache that it reads, and its time in seconds."""

    part: str
    source: str
    read: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of a table."""

    products: tuple[Product, ...]
    attended: tuple[Attended, ...]


def read_table(path: Path) -> Table:
    """The rows of a layer table. Raises `ToolsError` for a file that is none."""
    try:
        with path.open(encoding="utf-8", newline="") as lines:
            rows = csv.DictReader(lines)
            columns = set(rows.fieldnames or ())
            if {"gpu", "mlp_up_proj_median_ms", "source_commit"} <= columns:
                return Table(tuple(_vidur(rows)), ())
            if {"op", "system", "latency_ms", "source_commit"} <= columns:
                return _aiconfigurator(list(rows))
    except (OSError, UnicodeDecodeError, csv.Error, ValueError, KeyError) as error:
        raise ToolsError(
            f"cannot read the layer table {path}: {error}", "name a CSV of operator times"
        ) from error
    raise ToolsError(
        f"{path} has not the columns of a layer table",
        "it has those of microsoft/vidur's mlp.csv with gpu, model, num_tokens and source, or "
        "op, system, dtype, m, n, k, latency_ms and source",
    )


def _vidur(rows: Iterable[Mapping[str, str]]) -> Iterator[Product]:
    for row in rows:
        part = _PARTS.get(row["gpu"])
        if part is None:
            continue
        tokens, width, heads = float(row["num_tokens"]), int(row["n_embd"]), int(row["n_head"])
        share, head = int(row["tensor_parallel"]), width // heads
        forward = int(row["n_expanded_embd"]) * (2 if row["use_gated_mlp"] == "True" else 1)
        shapes = (
            ((heads + 2 * int(row["n_kv_head"])) * head / share, width),
            (width, heads * head / share),
            (forward / share, width),
            (width, int(row["n_expanded_embd"]) / share),
        )
        source = f"{row['source_repo']}@{row['source_commit']}"
        for name, (n, k) in zip(_PRODUCTS, shapes, strict=True):
            if row[f"{name}_median_ms"] and tokens <= MOST_TOKENS:
                yield Product(part, "bf16", source, tokens, n, k, float(row[f"{name}_median_ms"]) / 1e3)


def _aiconfigurator(rows: Sequence[Mapping[str, str]]) -> Table:
    products, attended = [], []
    for row in rows:
        part, source = _PARTS.get(row["system"]), f"{row['source_repo']}@{row['source_commit']}"
        seconds = float(row["latency_ms"]) / 1e3
        if part is None:
            continue
        if row["op"] == "gemm" and row["dtype"] in _FORMATS and float(row["m"]) <= MOST_TOKENS:
            shape = (float(row["m"]), float(row["n"]), float(row["k"]))
            products.append(Product(part, _FORMATS[row["dtype"]], source, *shape, seconds))
        elif row["op"] == "generation_attention" and row["kv_cache_dtype"] in ("", "bfloat16"):
            tokens = float(row["batch_size"]) * (float(row["step"]) + float(row["isl"]))
            values = 2 * float(row["num_key_value_heads"]) * float(row["head_dim"])
            attended.append(Attended(part, source, tokens * values * 2, seconds))
    return Table(tuple(products), tuple(attended))


def fit_layers(catalog: Catalog, tables: Iterable[Table]) -> list[dict[str, Any]]:
    """The constants of every accelerator and format with enough rows, each with its evidence, sorted.

    A fit with a constant at the end of its range is refused: its entry has `refused` in place of values.
    """
    products: dict[tuple[str, str], list[Product]] = defaultdict(list)
    attended: dict[str, list[Attended]] = defaultdict(list)
    for table in tables:
        for product in table.products:
            products[product.part, product.format].append(product)
        for attention in table.attended:
            attended[attention.part].append(attention)
    made = []
    for (part, format_), rows in sorted(products.items()):
        record = catalog.record(part) if catalog.find(part) else None
        if record is None or len(rows) < _LEAST_ROWS:
            continue
        found = _fit_products(accelerator(record), format_, rows)
        if found is not None:
            made.append({"accelerator": part, "operator": "product", "format": format_, **found})
    for part, reads in sorted(attended.items()):
        record = catalog.record(part) if catalog.find(part) else None
        if record is not None and len(reads) >= _LEAST_ROWS:
            found = _fit_attention(accelerator(record), reads)
            made.append({"accelerator": part, "operator": "attention", "format": "bf16", **found})
    return made


def _fit_products(part: Accelerator, format_: str, rows: Sequence[Product]) -> dict[str, Any] | None:
    peak, size = part.dense_peak(format_), bytes_of(format_)
    if peak is None or size is None or part.bandwidth is None:
        return None
    m, n, k, seconds = np.array([row[3:] for row in rows], dtype=np.float64).T
    read_s, compute_s = n * k * size / part.bandwidth, 2 * m * n * k / peak.rate

    def model(at: NDArray[np.float64]) -> NDArray[np.float64]:
        x, y = read_s / at[0], compute_s / at[1]
        larger = np.maximum(x, y)
        norm: NDArray[np.float64] = larger * (1 + (np.minimum(x, y) / larger) ** at[2]) ** (1 / at[2])
        made: NDArray[np.float64] = norm + at[3] * 1e-6
        return made

    names = ("memory_efficiency", "compute_efficiency", "corner", "kernel_us")
    start, low, high = [0.8, 0.7, 2.0, 3.0], [0.05, 0.05, 1.0, 0.0], [1.0, 1.0, 10.0, 50.0]
    return _solve(model, seconds, _weights(rows), names, start, low, high, _evidence(rows))


def _fit_attention(part: Accelerator, rows: Sequence[Attended]) -> dict[str, Any]:
    read_s = np.array([row.read for row in rows]) / (part.bandwidth or np.nan)
    seconds = np.array([row.seconds for row in rows])

    def model(at: NDArray[np.float64]) -> NDArray[np.float64]:
        made: NDArray[np.float64] = read_s / at[0] + at[1] * 1e-6
        return made

    names, start, low, high = ("cache_efficiency", "kernel_us"), [0.8, 5.0], [0.05, 0.0], [1.0, 100.0]
    return _solve(model, seconds, _weights(rows), names, start, low, high, _evidence(rows))


def _solve(
    model: Any,
    seconds: NDArray[np.float64],
    weights: NDArray[np.float64],
    names: Sequence[str],
    start: Sequence[float],
    low: Sequence[float],
    high: Sequence[float],
    evidence: dict[str, Any],
) -> dict[str, Any]:
    """Bounded least squares on the logarithm of the time, with a loss that outliers weigh little in."""
    from scipy.optimize import least_squares  # type: ignore[import-untyped]

    made = least_squares(
        lambda at: weights * np.log(model(at) / seconds),
        start,
        bounds=(low, high),
        x_scale=np.array(start),
        loss="soft_l1",
        f_scale=0.1,
    )
    errors = np.abs(model(made.x) / seconds - 1)
    values = dict(zip(names, made.x, strict=True))
    result: dict[str, Any] = {"values": {name: _rounded(value) for name, value in values.items()}}
    # A kernel of no time is the missing of a term, not a value out of its range.
    ended = [
        name
        for name, value, least, most in zip(names, made.x, low, high, strict=True)
        if name != "kernel_us" and min(value - least, most - value) < _AT_BOUND * (most - least)
    ]
    if ended:
        result["refused"] = f"{' and '.join(ended)} at the end of the range: the rows do not tell it"
    return {
        **result,
        "median_error": float(f"{np.median(errors):.3g}"),
        "error_90": float(f"{np.quantile(errors, 0.9):.3g}"),
        **evidence,
    }


def _rounded(value: float) -> float:
    """Three digits; the solver leaves traces where a constant is 0."""
    return float(f"{value:.3g}") if value > _AT_BOUND else 0.0


def _weights(rows: Sequence[Product | Attended]) -> NDArray[np.float64]:
    counts: dict[str, int] = defaultdict(int)
    for row in rows:
        counts[row.source] += 1
    return np.array([(len(rows) / len(counts) / counts[row.source]) ** 0.5 for row in rows])


def _evidence(rows: Sequence[Product | Attended]) -> dict[str, Any]:
    return {"rows": len(rows), "sources": sorted({row.source for row in rows})}
