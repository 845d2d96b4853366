"""The conditions of a measured run that a simulation needs, each as stated or as assumed.

A function gives one condition, adds to `assumed` what the record leaves open, and raises `UnusableError` where nothing
tells it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from tools.records import pointer
from tools.records.catalog import Catalog
from tools.roofline import Accelerator, Model, accelerator, model
from tools.roofline.bounds import step_time
from tools.roofline.precision import BITS, bytes_of
from tools.sweep.measured.acceptance import Acceptances, Run
from tools.sweep.measured.assumptions import Assumption, assumptions

_WAYS = {"eagle", "eagle2", "eagle3", "mtp", "p_eagle", "medusa", "ngram"}
_FORMATS = {"bfloat16": "bf16", "float16": "fp16"}
_LARGEST = 16
_FITS = 0.85


class UnusableError(Exception):
    """Why a record cannot be simulated."""


class Head(NamedTuple):
    """A draft of dense layers: how many, width of their feed-forward, and rows of the output embedding."""

    layers: int
    width: int
    rows: int


def batch_of(value: Any, assumed: list[Assumption]) -> int:
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
    raise UnusableError("no batch size and no concurrency")


def accelerator_of(value: Any, assumed: list[Assumption]) -> str:
    ids = value.get("accelerator_ids")
    if ids:
        if len(ids) > 1:
            raise UnusableError("several accelerators at once")
        return str(ids[0])
    label = value.get("hardware", {}).get("system_name")
    entry = assumptions().accelerators.get(label)
    if entry is None:
        raise UnusableError("no accelerator")
    assumed.append(Assumption("accelerator", entry["id"], f"the source says {label}: {entry['why']}"))
    return str(entry["id"])


def draft_of(value: Any, source: str, assumed: list[Assumption]) -> tuple[str, int, int | None]:
    technique = value["technique"]
    kind = technique["kind"]
    if kind == "draft_model":
        way = technique.get("draft_model_id")
        if way is None:
            raise UnusableError("the draft model has no record")
    elif kind in _WAYS:
        way = kind
    else:
        raise UnusableError(f"no cost model of the draft `{kind}`")
    gamma, nodes = technique.get("gamma"), technique.get("tree_nodes")
    if not gamma:
        entry = assumptions().drafts.get((source, kind))
        if entry is None:
            raise UnusableError("no draft length")
        gamma, nodes = entry.gamma, nodes or entry.nodes
        tree = f", {nodes} nodes" if nodes else ""
        assumed.append(Assumption("draft", f"gamma {gamma}{tree}", entry.why))
    return way, int(gamma), nodes


def head_of(target: Model, kind: str, assumed: list[Assumption]) -> Head | None:
    """The layers of a published draft head, or None for a draft that is no such head."""
    table = assumptions().draft_heads
    form, entry = table["kinds"].get(kind), table["targets"].get(target.id)
    if form is None:
        return None
    layers, rows = int(form["layers"]), int(form.get("rows") or target.vocab_size or 0)
    assumed.append(Assumption("draft head", f"{layers} layers, {rows} output rows", form["why"]))
    if entry is None and not target.feed_forward.experts:
        return Head(layers, target.feed_forward.intermediate_size or 0, rows)
    stand_in = table["mixture"]
    width = int(entry["width"] if entry else stand_in["times_hidden"] * (target.hidden_size or 0))
    assumed.append(Assumption("draft feed-forward width", f"{width}", (entry or stand_in)["why"]))
    return Head(layers, width, rows)


def formats_of(catalog: Catalog, value: Any, part: str, assumed: list[Assumption]) -> tuple[str, str | None]:
    """Format of the weights, and that of the arithmetic where it is another one."""
    weights = value.get("precision", {}).get("weights")
    if weights is None:
        stored = pointer.find(catalog.record(value["model_id"]), "/native_dtype")
        named = stored.split()[0] if isinstance(stored, str) and stored.strip() else ""
        weights = _FORMATS.get(named, named if named in BITS else "bf16")
        assumed.append(Assumption("precision", weights, "as the model is published"))
    if weights not in BITS:
        raise UnusableError("weights of several formats")
    facts = accelerator(catalog.record(part) or {})
    unpacked = assumptions().arithmetic.get(weights)
    wanted = unpacked["format"] if unpacked else weights
    for other in (wanted, "bf16", "fp16"):
        if facts.dense_peak(other) is not None:
            if other != weights:
                assumed.append(
                    Assumption("arithmetic", other, "the format in which the part multiplies them")
                )
            return weights, None if other == weights else other
    raise UnusableError("no dense matrix peak of the accelerator in this format")


def count_of(
    catalog: Catalog,
    value: Any,
    part: str,
    precision: str,
    quickest_s: float | None,
    assumed: list[Assumption],
) -> int:
    facts, target = accelerator(catalog.record(part) or {}), model(catalog.record(value["model_id"]) or {})
    if target.touched(1) is None or target.kv_values(1) is None or target.attention_operations(1) is None:
        raise UnusableError("the model's shape cannot be summed")
    stated = value.get("parallelism", {}).get("tensor") or value.get("hardware", {}).get("accelerator_count")
    if stated:
        count = int(stated)
    else:
        count = _least(target, facts, bytes_of(precision) or 0.0, quickest_s)
        why = "the fewest that hold the weights"
        if quickest_s is not None:
            why += " and whose bandwidth allows the rates of the source's baselines"
        assumed.append(Assumption("accelerators", f"{count}", why))
    if count > 1 and facts.link is None:
        raise UnusableError("no link speed of the accelerator")
    return count


def _least(target: Model, facts: Accelerator, size: float, step_s: float | None) -> int:
    if facts.most_capacity is None or facts.bandwidth is None:
        raise UnusableError("no memory capacity or bandwidth of the accelerator")
    held = target.required_total() * size / (_FITS * facts.most_capacity)
    read = target.required_touched(1).dense * size
    fast = 0.0 if step_s is None else step_time(read, facts.bandwidth) / step_s
    return next((count for count in _doublings(_LARGEST) if held <= count and fast <= count), _LARGEST)


def _doublings(most: int) -> Iterator[int]:
    count = 1
    while count <= most:
        yield count
        count *= 2


def context_of(value: Any, assumed: list[Assumption]) -> int:
    """Tokens that a step looks back on: the stated length, else the prompt and half of the output."""
    conditions, table = value.get("conditions", {}), assumptions().contexts
    if "sequence_length" in conditions:
        return int(conditions["sequence_length"])
    given, made = (_tokens(conditions.get(name)) for name in ("input_length", "output_length"))
    if given is not None:
        return round(given + (made or 0.0) / 2)
    if made is not None:
        assumed.append(Assumption("input length", f"{table['prompt']['tokens']}", table["prompt"]["why"]))
        return round(float(table["prompt"]["tokens"]) + made / 2)
    name = "reasoning" if conditions.get("reasoning") else conditions.get("dataset", "default")
    entry = table.get(name, table["default"])
    assumed.append(Assumption("context", f"{entry['tokens']}", entry["why"]))
    return int(entry["tokens"])


def _tokens(length: Any) -> float | None:
    if isinstance(length, dict):
        length = length.get("mean", length.get("nominal"))
    return float(length) if isinstance(length, (int, float)) else None


def fill_of(known: Acceptances, run: Run, assumed: list[Assumption]) -> float:
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
