"""Measured speedups of speculative decoding as operating points, and how many records cannot become one, by reason.

A speedup is the ratio that a source prints, or a rate or time with the baseline's own figure. Its baseline is plain
decoding. What a record leaves open is taken from assumptions.yaml and listed with the point; what nothing tells
(which part, which model, which batch, which draft) leaves the record out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from tools.records import pointer
from tools.records.catalog import Catalog
from tools.records.parse import Json
from tools.roofline import Model, accelerator, model
from tools.roofline.precision import BITS, bytes_of
from tools.schema.vocabulary import vocabulary
from tools.sweep.measured.acceptance import Acceptances, acceptances, dataset_of, modelled, run_of
from tools.sweep.measured.assumptions import Assumption, assumptions
from tools.sweep.roofline.choice import Choice, Proposal

ENGINES = ("vllm", "sglang", "transformers", "tensorrt-llm")
"""Engine classes that overheads are told apart for; any other engine is `other`."""

_WAYS = {"eagle", "eagle2", "eagle3", "mtp", "p_eagle", "medusa", "ngram"}
_FORMATS = {"bfloat16": "bf16", "float16": "fp16"}
_LARGEST = 16
_FITS = 0.85


class Unusable(Exception):
    """Why a record cannot be simulated."""


class Head(NamedTuple):
    """A dense draft layer: width of its feed-forward, and rows of its output embedding."""

    width: int
    rows: int


@dataclass(frozen=True, slots=True)
class Point:
    """One measured speedup at its operating point. `tau` is None where no source states the acceptance length;
    `tau_origin` says where it is from. `head` is the layer of the draft where it is not the target's own."""

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
    known = acceptances(records)
    points, left_out = [], Counter[str]()
    for record in records:
        found = speedup_of(record)
        if found is None:
            continue
        try:
            points.append(_point(catalog, known, record, *found))
        except Unusable as why:
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


def _point(
    catalog: Catalog, known: Acceptances, record: dict[str, Json], speedup: float, is_limit: bool
) -> Point:
    value: Any = record
    assumed: list[Assumption] = []
    if value["evidence"] == "analytical":
        raise Unusable("computed, not measured")
    results = [result for result in value["results"] if "baseline" in result]
    if any(result["baseline"].get("technique") != "autoregressive" for result in results):
        raise Unusable("the baseline is no plain decoding")
    run = run_of(record)
    if run is None:
        raise Unusable("the model has no record")
    if any(vocabulary().metrics[result["metric"]].token_kind == "total" for result in value["results"]):
        raise Unusable("the rate counts tokens of the prompt")
    batch = _batch(value, assumed)
    part = _accelerator(value, assumed)
    way, gamma, nodes = _draft(value, run.source, assumed)
    precision, arithmetic = _precision(catalog, value, part, assumed)
    count = _count(catalog, value, part, precision, assumed)
    context = _context(value, assumed)
    head = _head(model(catalog.record(run.model) or {}), run.kind, assumed)
    fill = 1.0
    if way == "ngram":
        fill = _fill(known, run, assumed)
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
        None if found is None else found.tau,
        "not stated" if found is None else found.origin,
        head,
        dataset_of(record),
        tuple(assumed),
    )


def _batch(value: Any, assumed: list[Assumption]) -> int:
    conditions = value.get("conditions", {})
    size = conditions.get("batch_size")
    if isinstance(size, dict) and "max" in size:
        assumed.append(Assumption("batch size", f"{size['max']}", "the upper end of the stated range"))
        return int(size["max"])
    if isinstance(size, (int, float)):
        return int(size)
    clients = conditions.get("concurrency")
    if isinstance(clients, (int, float)):
        assumed.append(Assumption("batch size", f"{clients:g}", "as many requests as clients, all decoding"))
        return int(clients)
    raise Unusable("no batch size and no concurrency")


def _accelerator(value: Any, assumed: list[Assumption]) -> str:
    ids = value.get("accelerator_ids")
    if ids:
        if len(ids) > 1:
            raise Unusable("several accelerators at once")
        return str(ids[0])
    label = value.get("hardware", {}).get("system_name")
    entry = assumptions().accelerators.get(label)
    if entry is None:
        raise Unusable("no accelerator")
    assumed.append(Assumption("accelerator", entry["id"], f"the source says {label}: {entry['why']}"))
    return str(entry["id"])


def _draft(value: Any, source: str, assumed: list[Assumption]) -> tuple[str, int, int | None]:
    technique = value["technique"]
    kind = technique["kind"]
    if kind == "draft_model":
        way = technique.get("draft_model_id")
        if way is None:
            raise Unusable("the draft model has no record")
    elif kind in _WAYS:
        way = kind
    else:
        raise Unusable(f"no cost model of the draft `{kind}`")
    gamma, nodes = technique.get("gamma"), technique.get("tree_nodes")
    if not gamma:
        entry = assumptions().drafts.get((source, kind))
        if entry is None:
            raise Unusable("no draft length")
        gamma, nodes = entry.gamma, nodes or entry.nodes
        tree = f", {nodes} nodes" if nodes else ""
        assumed.append(Assumption("draft", f"gamma {gamma}{tree}", entry.why))
    return way, int(gamma), nodes


def _head(target: Model, kind: str, assumed: list[Assumption]) -> Head | None:
    """The layer of a published EAGLE-3 head, or None for a draft that is no such head."""
    table = assumptions().draft_heads
    if kind not in table["kinds"]:
        return None
    rows, entry = table["rows"], table["targets"].get(target.id)
    assumed.append(Assumption("draft vocabulary", f"{rows['tokens']}", rows["why"]))
    if entry is not None:
        width = int(entry["width"])
    elif target.feed_forward.experts:
        entry = table["mixture"]
        width = int(entry["times_hidden"] * (target.hidden_size or 0))
    else:
        return Head(target.feed_forward.intermediate_size or 0, int(rows["tokens"]))
    assumed.append(Assumption("draft feed-forward width", f"{width}", entry["why"]))
    return Head(width, int(rows["tokens"]))


def _precision(
    catalog: Catalog, value: Any, part: str, assumed: list[Assumption]
) -> tuple[str, str | None]:
    """Format of the weights, and that of the arithmetic where it is another one."""
    weights = value.get("precision", {}).get("weights")
    if weights is None:
        stored = pointer.find(catalog.record(value["model_id"]), "/native_dtype")
        named = stored.split()[0] if isinstance(stored, str) and stored.strip() else ""
        weights = _FORMATS.get(named, named if named in BITS else "bf16")
        assumed.append(Assumption("precision", weights, "as the model is published"))
    if weights not in BITS:
        raise Unusable("weights of several formats")
    facts = accelerator(catalog.record(part) or {})
    unpacked = assumptions().arithmetic.get(weights)
    wanted = unpacked["format"] if unpacked else weights
    for other in (wanted, "bf16", "fp16"):
        if facts.dense_peak(other) is not None:
            if other != weights:
                assumed.append(Assumption("arithmetic", other, "the format in which the part multiplies them"))
            return weights, None if other == weights else other
    raise Unusable("no dense matrix peak of the accelerator in this format")


def _count(catalog: Catalog, value: Any, part: str, precision: str, assumed: list[Assumption]) -> int:
    facts, target = accelerator(catalog.record(part) or {}), model(catalog.record(value["model_id"]) or {})
    if target.touched(1) is None or target.kv_values(1) is None or target.attention_operations(1) is None:
        raise Unusable("the model's shape cannot be summed")
    stated = value.get("parallelism", {}).get("tensor") or value.get("hardware", {}).get("accelerator_count")
    count = int(stated) if stated else _least(target.required_total(), precision, facts.most_capacity)
    if not stated:
        assumed.append(Assumption("accelerators", f"{count}", "the fewest that hold the weights"))
    if count > 1 and facts.link is None:
        raise Unusable("no link speed of the accelerator")
    return count


def _least(parameters: float, precision: str, capacity: float | None) -> int:
    if capacity is None:
        raise Unusable("no memory capacity of the accelerator")
    need = parameters * (bytes_of(precision) or 0.0)
    return next(
        (count for count in _doublings(_LARGEST) if need <= _FITS * capacity * count),
        _LARGEST,
    )


def _doublings(most: int) -> Iterator[int]:
    count = 1
    while count <= most:
        yield count
        count *= 2


def _context(value: Any, assumed: list[Assumption]) -> int:
    """Tokens that a step looks back on: the stated length, else the prompt and half of the output."""
    conditions, table = value.get("conditions", {}), assumptions().contexts
    if "sequence_length" in conditions:
        return int(conditions["sequence_length"])
    given, made = (_tokens(conditions.get(name)) for name in ("input_length", "output_length"))
    if given is not None:
        return round(given + (made or 0.0) / 2)
    if made is not None:
        assumed.append(Assumption("input length", f"{table['prompt']['tokens']}", table["prompt"]["why"]))
        return round(table["prompt"]["tokens"] + made / 2)
    name = "reasoning" if conditions.get("reasoning") else conditions.get("dataset", "default")
    entry = table.get(name, table["default"])
    assumed.append(Assumption("context", f"{entry['tokens']}", entry["why"]))
    return int(entry["tokens"])


def _tokens(length: Any) -> float | None:
    if isinstance(length, dict):
        length = length.get("mean", length.get("nominal"))
    return float(length) if isinstance(length, (int, float)) else None


def _fill(known: Acceptances, run: Any, assumed: list[Assumption]) -> float:
    share = known.fill(run)
    if share is None:
        others = [
            found
            for other in known.lengths
            if other.kind == run.kind and other.dataset == run.dataset
            if (found := known.fill(other)) is not None
        ]
        share = sum(others) / len(others) if others else None
        why = "that of another model on the same data set"
    else:
        why = "from the acceptance lengths at several draft lengths"
    if share is None:
        assumed.append(Assumption("steps that propose", "1", "nothing tells how many do not"))
        return 1.0
    assumed.append(Assumption("steps that propose", f"{share:.3g}", why))
    return share
