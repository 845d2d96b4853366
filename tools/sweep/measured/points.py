"""Measured speedups of speculative decoding as operating points, and how many records cannot become one, by reason.

A speedup is the ratio that a source prints, or a rate or time with the baseline's own figure. Its baseline is plain
decoding. What a record leaves open is taken from assumptions.yaml and listed with the point; what nothing tells
(which part, which model, which batch, which draft) leaves the record out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tools.records import pointer
from tools.records.catalog import Catalog
from tools.records.parse import Json
from tools.roofline import model
from tools.schema.vocabulary import vocabulary
from tools.sweep.measured.acceptance import Acceptances, acceptances, dataset_of, modelled, run_of
from tools.sweep.measured.assumptions import Assumption, assumptions
from tools.sweep.measured.conditions import (
    Head,
    UnusableError,
    accelerator_of,
    batch_of,
    context_of,
    count_of,
    draft_of,
    fill_of,
    formats_of,
    head_of,
)
from tools.sweep.roofline.choice import Choice, Proposal

ENGINES = ("vllm", "sglang", "transformers", "tensorrt-llm")
"""Engine classes that overheads are told apart for; any other engine is `other`."""


@dataclass(frozen=True, slots=True)
class Point:
    """One measured speedup at its operating point. `tau` is None where no source states the acceptance length;
    `tau_origin` says where it is from. `plain_s` is the time of a plain step
    by the baseline's own rate, in seconds. `head` are the layers of the draft where they are not like the target's."""

    record_id: str
    source: str
    evidence: str
    is_limit: bool
    choice: Choice
    engine_version: str | None
    batch: int
    gamma: int
    context: int
    speedup: float
    plain_s: float | None
    tau: float | None
    tau_origin: str
    head: Head | None
    dataset: str
    assumed: tuple[Assumption, ...]

    @property
    def curve(self) -> tuple[object, ...]:
        """What points share that differ in their batch alone: one technique on one data set."""
        return (self.source, self.choice, self.gamma, self.dataset, self.engine_version, self.tau)


@dataclass(frozen=True, slots=True)
class Measured:
    """The points of a ledger by record id, and the number of speculative records left out by reason."""

    points: tuple[Point, ...]
    left_out: Mapping[str, int]


def measured(catalog: Catalog) -> Measured:
    """All measured speedups of a ledger, in the order of their ids."""
    records = [
        record
        for name in sorted(catalog.entries)
        if catalog.entries[name].kind == "benchmark"
        and (record := catalog.record(name)) is not None
        and pointer.find(record, "/technique/kind") not in (None, "autoregressive")
        and "sweep_id" not in record
        and record.get("status") != "retracted"
    ]
    known, quickest = acceptances(records), _quickest(records)
    points, left_out = [], Counter[str]()
    for record in records:
        found = speedup_of(record)
        if found is None:
            continue
        try:
            points.append(_point(catalog, known, quickest, record, *found))
        except UnusableError as why:
            left_out[str(why)] += 1
    return Measured(tuple(points), dict(sorted(left_out.items())))


def speedup_of(record: Json) -> tuple[float, bool] | None:
    """(speedup over a baseline, whether it is only a limit): the printed ratio, else a figure over the baseline's.

    None for a record without either.
    """
    results: Any = pointer.find(record, "/results")
    listed = [result for result in results if "baseline" in result] if isinstance(results, list) else []
    for result in listed:
        if result["metric"] == "speedup_ratio":
            return float(result["value"]), "bound" in result
    for result in listed:
        metric, base = vocabulary().metrics.get(result["metric"]), result["baseline"]
        if metric is None or not base.get("value") or not result["value"]:
            continue
        ratio = vocabulary().convert(result["value"], result["unit"], base["unit"]) / base["value"]
        if metric.direction == "higher":
            return ratio, "bound" in result
        if metric.direction == "lower":
            return 1 / ratio, "bound" in result
    return None


def _quickest(records: Iterable[dict[str, Json]]) -> dict[tuple[str, ...], float]:
    """The shortest plain step of each deployment, in seconds."""
    found: dict[tuple[str, ...], float] = {}
    for record in records:
        step_s = plain_step_s(record)
        if step_s is not None:
            key = _deployment(record)
            found[key] = min(step_s, found.get(key, step_s))
    return found


def _deployment(record: Json) -> tuple[str, ...]:
    """Source, model and part: what a source runs all its measurements of a model on."""
    places = ("/sources/0/source_id", "/model_id", "/accelerator_ids", "/hardware/system_name")
    return tuple(str(pointer.find(record, place)) for place in places)


def plain_step_s(record: Json) -> float | None:
    """Time of a plain step in seconds, by the baseline's own output rate; None where the record has no such rate."""
    results: Any = pointer.find(record, "/results")
    conditions: Any = pointer.find(record, "/conditions") or {}
    load = conditions.get("batch_size", conditions.get("concurrency"))
    metrics = {result["metric"] for result in results}
    for result in results:
        base = result.get("baseline", {})
        rate = base.get("value")
        if not rate or base.get("unit") != "tok/s" or not isinstance(load, (int, float)):
            continue
        if "tps_aggregate" in metrics or "output_tok_s" in metrics:
            return float(load / rate)
        if "tok_s_per_user" in metrics:
            return float(1 / rate)
    return None


def _point(
    catalog: Catalog,
    known: Acceptances,
    quickest: Mapping[tuple[str, ...], float],
    record: dict[str, Json],
    speedup: float,
    is_limit: bool,
) -> Point:
    value: Any = record
    assumed: list[Assumption] = []
    if value["evidence"] == "analytical":
        raise UnusableError("computed, not measured")
    results = [result for result in value["results"] if "baseline" in result]
    if any(result["baseline"].get("technique") != "autoregressive" for result in results):
        raise UnusableError("the baseline is no plain decoding")
    run = run_of(record)
    if run is None:
        raise UnusableError("the model has no record")
    if any(vocabulary().metrics[result["metric"]].token_kind == "total" for result in value["results"]):
        raise UnusableError("the rate counts tokens of the prompt")
    batch = batch_of(value, assumed)
    part = accelerator_of(value, assumed)
    way, gamma, nodes = draft_of(value, run.source, assumed)
    precision, arithmetic = formats_of(catalog, value, part, assumed)
    count = count_of(catalog, value, part, precision, quickest.get(_deployment(record)), assumed)
    context = context_of(value, assumed)
    head = head_of(model(catalog.record(run.model) or {}), run.kind, assumed)
    fill = 1.0
    if way == "ngram":
        fill = fill_of(known, run, assumed)
    engine = pointer.find(record, "/engine/id")
    found = known.of(record, run) or known.of(record, run._replace(draft=(gamma, nodes)))
    if found is None and (run.source, run.kind) in assumptions().acceptance:
        found = modelled(assumptions().acceptance[run.source, run.kind], nodes or gamma)
    if found is not None and found.origin not in ("own run", "same source"):
        assumed.append(Assumption("acceptance length", f"{found.tau:.3g}", found.origin))
    version = pointer.find(record, "/engine/version")
    return Point(
        value["id"],
        run.source,
        value["evidence"],
        is_limit,
        Choice(
            part,
            run.model,
            Proposal(way, nodes, round(fill, 3)),
            engine if engine in ENGINES else "other",
            count,
            precision,
            "bf16",
            arithmetic,
        ),
        version if isinstance(version, str) else None,
        batch,
        gamma,
        context,
        speedup,
        plain_step_s(record),
        None if found is None else found.tau,
        "not stated" if found is None else found.origin,
        head,
        dataset_of(record),
        tuple(assumed),
    )
