"""From names to a setting: the ids of records, a way to draft and an engine class, looked up in a ledger."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tools.errors import ToolsError
from tools.records.catalog import Catalog
from tools.records.parse import Json
from tools.roofline import Model, accelerator, model
from tools.schema.spelling import listed, nearest, quoted
from tools.sweep.roofline.draft import Draft, Lookup, Medusa, Parallel, Ratio, Sequential
from tools.sweep.roofline.network import Layer, MedusaHead, Whole, whole
from tools.sweep.roofline.parameters import Parameters, engine_parameters
from tools.sweep.roofline.shape import Shape
from tools.sweep.roofline.speedup import Setting
from tools.sweep.roofline.steps import machine

# EAGLE joins an embedding and a hidden state, EAGLE-3 three hidden states of the target.
_LAYER_INPUTS = {"eagle": 2, "eagle2": 2, "eagle3": 3, "mtp": 2, "p_eagle": 3}
_PARALLEL = "parallel:"
WAYS = ("0.05 (a cost ratio)", *_LAYER_INPUTS, "medusa", "ngram", "the id of a draft model", f"{_PARALLEL}ID")
"""What `--draft` takes."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """How tokens are proposed: a way of `WAYS`, and of what shape."""

    way: str
    nodes: int | None = None
    fill: float = 1.0
    factors: tuple[float, ...] = ()

    @property
    def slug(self) -> str:
        """The same in letters that a path can hold, and never a bare number."""
        parts = [f"ratio-{self.way}" if _ratio(self.way) is not None else self.way.replace(":", "-")]
        parts += [f"nodes-{self.nodes}"] if self.nodes is not None else []
        parts += [f"fill-{self.fill:g}"] if self.fill != 1 else []
        parts += ["q-times-" + "-".join(f"{factor:g}" for factor in self.factors)] if self.factors else []
        return "-".join(parts)

    @property
    def label(self) -> str:
        """The way and what is particular of its shape."""
        parts = [self.way]
        if self.nodes is not None:
            parts.append(f"{self.nodes} nodes")
        if self.fill != 1:
            parts.append(f"fill {self.fill:g}")
        if self.factors:
            parts.append(f"q times {', '.join(f'{factor:g}' for factor in self.factors)}")
        return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class Choice:
    """The names of one setting. `precision` is that of the weights and, where `arithmetic` names no other, of the
    arithmetic; `cache_precision` is that of the cache."""

    accelerator: str
    model: str
    proposal: Proposal
    engine: str = "vllm"
    tensor_parallel: int = 1
    precision: str = "bf16"
    cache_precision: str = "bf16"
    arithmetic: str | None = None


def setting(catalog: Catalog, choice: Choice, constants: Parameters | None = None) -> Setting:
    """The setting that a choice names, with the constants of its engine class or with other ones.

    Raises `ToolsError` for an unknown name, with the nearest, and for a fact that a record does not state.
    """
    target = whole(_model(catalog, choice.model), choice.precision, choice.cache_precision)
    facts = accelerator(_record(catalog, "accelerator", choice.accelerator))
    proposal = choice.proposal
    return Setting(
        target,
        machine(facts, choice.arithmetic or choice.precision, choice.tensor_parallel),
        _draft(catalog, choice, target),
        Shape(proposal.nodes, proposal.fill, proposal.factors),
        engine_parameters(choice.engine) if constants is None else constants,
    )


def _draft(catalog: Catalog, choice: Choice, target: Whole) -> Draft:
    way = choice.proposal.way
    ratio = _ratio(way)
    if ratio is not None:
        return Ratio(ratio)
    if way in _LAYER_INPUTS:
        layer = Layer(target, _LAYER_INPUTS[way])
        return Parallel(way, layer) if way == "p_eagle" else Sequential(way, layer)
    if way == "medusa":
        return Medusa(MedusaHead(target))
    if way == "ngram":
        return Lookup()
    is_parallel = way.startswith(_PARALLEL)
    name = way.removeprefix(_PARALLEL)
    if catalog.find(name) is None and not is_parallel:
        near = [nearest(way, [*_LAYER_INPUTS, "medusa", "ngram"]), *catalog.nearest(way, "model")]
        known = list(dict.fromkeys(name for name in near if name is not None))
        raise ToolsError(
            f"{quoted(way)} is no way to draft and no model of this ledger",
            f"did you mean {listed(known)}?" if known else f"there is {', '.join(WAYS)}",
        )
    network = whole(_model(catalog, name), choice.precision, choice.cache_precision)
    return Parallel("parallel_draft", network) if is_parallel else Sequential("draft_model", network)


def _ratio(way: str) -> float | None:
    try:
        ratio = float(way)
    except ValueError:
        return None
    if not math.isfinite(ratio) or ratio <= 0:
        raise ToolsError(
            f"a draft at {way} of a plain step cannot be", "the cost ratio of a draft token is above 0"
        )
    return ratio


def _model(catalog: Catalog, name: str) -> Model:
    return model(_record(catalog, "model", name))


def _record(catalog: Catalog, kind: str, name: str) -> dict[str, Json]:
    entry = catalog.find(name)
    if entry is None or entry.kind != kind:
        near = catalog.nearest(name, kind)
        raise ToolsError(
            f"there is no {kind} {quoted(name)} in this ledger"
            if entry is None
            else f"{quoted(name)} is a record of kind {entry.kind}, not {kind}",
            f"did you mean {listed(near)}?" if near else f"data/{kind}s/ has those that there are",
        )
    record = catalog.record(name)
    if record is None:
        raise ToolsError(
            f"the record {quoted(name)} cannot be read", f"`tools validate {entry.path}` says why"
        )
    return record
