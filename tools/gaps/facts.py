"""What accelerator and model records lack: facts without which a roofline cannot be drawn, and firm ground for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from tools.gaps.survey import Survey
from tools.records.parse import Json
from tools.roofline import Model, accelerator, model
from tools.roofline.reading import text

MEASURED_KINDS: Final = ("accelerator", "model", "engine")
"""Kinds of records that benchmarks are about."""
_HYBRID: Final = "hybrid"
_LATENT: Final = "mla"
_WEAK: Final = ("secondary", "announced")
"""Bases of a figure that its maker has not printed for the part as sold."""


@dataclass(frozen=True, slots=True)
class Lacking:
    """A record, the benchmarks of the ledger on it, and the facts it does not state."""

    id: str
    benchmarks: int
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Doubtful:
    """An accelerator, the benchmarks on it, and its figures that rest on one kind of weak ground."""

    id: str
    benchmarks: int
    ground: str
    figures: tuple[str, ...]


def unmeasured_ids(survey: Survey) -> dict[str, list[str]]:
    """Ids of the accelerators, models and engines that no benchmark was run on, by kind."""
    return {
        kind: [name for name in survey.records[kind] if not survey.runs[kind, name]]
        for kind in MEASURED_KINDS
    }


def accelerators_lacking(survey: Survey) -> list[Lacking]:
    """Accelerators without bandwidth, capacity, power or a dense peak; a peak in a format is missed where benchmarks
    on the part are known to compute in it."""
    return _ranked(
        Lacking(name, survey.runs["accelerator", name], tuple(_missing_facts(survey, name, record)))
        for name, record in survey.records["accelerator"].items()
    )


def models_lacking(survey: Survey) -> list[Lacking]:
    """Models whose parameters, weights per pass or cache cannot be counted, with the fields that would allow it."""
    return _ranked(
        Lacking(name, survey.runs["model", name], tuple(_missing_shape(model(record))))
        for name, record in survey.records["model"].items()
    )


def doubtful_figures(survey: Survey) -> list[Doubtful]:
    """Figures of accelerators that rest on secondary sources or announcements, and those that sources dispute."""
    found = []
    for name, record in survey.records["accelerator"].items():
        by_ground: dict[str, list[str]] = {}
        for what, figure in _figures(record):
            basis = figure.get("basis")
            if isinstance(basis, str) and basis in _WEAK:
                by_ground.setdefault(basis, []).append(what)
            if figure.get("disputed"):
                by_ground.setdefault("disputed", []).append(what)
        runs = survey.runs["accelerator", name]
        found += [Doubtful(name, runs, ground, tuple(what)) for ground, what in by_ground.items()]
    return sorted(found, key=lambda one: (-one.benchmarks, one.id, one.ground))


def _ranked(rows: Iterator[Lacking]) -> list[Lacking]:
    return sorted((row for row in rows if row.missing), key=lambda row: (-row.benchmarks, row.id))


def _missing_facts(survey: Survey, name: str, record: dict[str, Json]) -> Iterator[str]:
    part = accelerator(record)
    if part.bandwidth is None:
        yield "bandwidth"
    if part.capacity is None:
        yield "capacity"
    if not any(peak.is_matrix and peak.is_dense for peak in part.peaks):
        yield "dense peak"
    else:
        asked = sorted(survey.formats.get(name, ()))
        yield from (f"dense peak in {wanted}" for wanted in asked if part.dense_peak(wanted) is None)
    if part.tdp is None:
        yield "TDP"


def _missing_shape(one: Model) -> Iterator[str]:
    if one.total is None:
        yield "parameters.total_b"
    if one.active is None:
        yield "parameters.active_b"
    if one.touched(1) is not None and one.kv_values(1) is not None:
        return
    named: dict[str, object] = {
        "layers": one.layers,
        "hidden_size": one.hidden_size,
        "vocab_size": one.vocab_size,
        "attention.kind": one.attention.kind,
        **_attention(one),
        **_feed_forward(one),
    }
    missing = [name for name, fact in named.items() if not fact]
    yield from missing
    if one.attention.kind == _HYBRID:
        yield "its recurrent layers (hybrid), which no field holds"
    elif not missing:
        yield "a shape that adds up"


def _attention(one: Model) -> dict[str, object]:
    shape = one.attention
    names: Sequence[str]
    if shape.kind == _LATENT:
        names = ("heads", "kv_lora_rank", "qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim")
    elif shape.kind == _HYBRID and shape.kv_lora_rank is not None:
        names = ("heads", "qk_rope_head_dim", "full_cache_layers")
    elif shape.kind == _HYBRID:
        names = ("heads", "kv_heads", "head_dim", "full_cache_layers")
    else:
        names = ("heads", "kv_heads", "head_dim", *(("window",) if shape.windowed_layers else ()))
    return {f"attention.{name}": getattr(shape, name) for name in names}


def _feed_forward(one: Model) -> dict[str, object]:
    shape = one.feed_forward
    if not shape.experts:
        return {"feed_forward.intermediate_size": shape.intermediate_size}
    names = ["experts_per_token", "moe_intermediate_size"]
    if shape.leading_dense_layers:
        names.append("intermediate_size")
    return {f"feed_forward.{name}": getattr(shape, name) for name in names}


def _figures(record: dict[str, Json]) -> Iterator[tuple[str, dict[str, Json]]]:
    """(name, figure) of every figure with a basis, as it stands in the record."""
    for part in record.values():
        for name, figure in part.items() if isinstance(part, dict) else ():
            if isinstance(figure, dict) and "basis" in figure:
                yield name.replace("_", " "), figure
    peaks = record.get("peaks")
    for peak in peaks if isinstance(peaks, list) else ():
        if isinstance(peak, dict):
            sparsity, unit = text(peak, "/sparsity"), text(peak, "/unit_kind")
            words = [text(peak, "/precision") or "?"]
            words += [sparsity] if sparsity not in (None, "dense") else []
            words += [unit] if unit not in (None, "matrix") else []
            yield " ".join([*words, "peak"]), peak
