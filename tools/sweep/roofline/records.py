"""Each point of a grid as a benchmark record, in canonical form.

What a computation does not have (an engine build, a warm-up, prompts) is declared as not applicable.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tools.records.layout import render
from tools.records.parse import Json
from tools.schema.load import key_order
from tools.sweep.metrics import CONFIDENCE
from tools.sweep.roofline.choice import Choice
from tools.sweep.roofline.config import Grid
from tools.sweep.roofline.draft import Medusa, Ratio
from tools.sweep.roofline.speedup import Setting
from tools.sweep.roofline.tables import Point, Tables

_NOT_APPLICABLE = {
    "input_length": "prompts do not enter: one step at a given context is computed",
    "output_length": "one step is computed, not a whole request",
    "engine_version": "no engine served: overheads are those of a class of engines",
    "warmup": "computed; there is nothing to warm up",
}
FORMULA = "acceptance_length * T_verify(B, 1) / (T_verify(B, n) + T_draft + T_sp)"


def records(grid: Grid, tables: Tables, settings: dict[Choice, Setting]) -> Iterator[tuple[str, str]]:
    """(file name, text) of the record of every point."""
    order = key_order("benchmark")
    for point in tables.points:
        record = _record(grid, point, settings[point.choice])
        yield f"{record['id']}.yaml", render(record, order)


def record_id(grid: Grid, point: Point) -> str:
    """The id of a point's record: the axes that have several values, and the place."""
    axes, choice, figures = grid.axes, point.choice, point.figures
    named = [
        (axes.accelerators, choice.accelerator),
        (axes.models, choice.model),
        (axes.engines, choice.engine),
        (axes.tensor_parallel, f"tp{choice.tensor_parallel}"),
        (axes.proposals, choice.proposal.slug),
    ]
    words = [name for values, name in named if len(values) > 1]
    words += [f"s{figures['context']}", f"b{figures['batch_size']}", f"g{figures['gamma']}"]
    words += [f"q{figures['quality']:g}"]
    return f"sweep-{grid.id}-{'-'.join(words)}".replace(".", "-").replace("_", "-")


def _record(grid: Grid, point: Point, made: Setting) -> dict[str, Json]:
    choice, figures = point.choice, point.figures
    own = grid.sources[0]
    return {
        "id": record_id(grid, point),
        "kind": "benchmark",
        "title": (
            f"Computed {choice.proposal.label} on {choice.model}, batch {figures['batch_size']}, gamma "
            f"{figures['gamma']}, context {figures['context']}, q {figures['quality']:g}"
        ),
        "status": "verified",
        "evidence": "analytical",
        "measured_by": "self",
        "methodology": (
            "Closed form: the roofline of the accelerator and model records, with assumed efficiencies and "
            f"overheads of {choice.engine}."
        ),
        "sweep_id": grid.id,
        "model_id": choice.model,
        "accelerator_ids": [choice.accelerator],
        "hardware": {"accelerator_count": choice.tensor_parallel},
        "parallelism": {"tensor": choice.tensor_parallel},
        "precision": {
            "weights": choice.precision,
            "activations": choice.arithmetic or choice.precision,
            "kv_cache": choice.cache_precision,
        },
        "technique": _technique(grid, point, made),
        "conditions": {
            "scenario": "decode_only",
            "batch_size": figures["batch_size"],
            "sequence_length": figures["context"],
        },
        "results": _results(figures),
        "absent": [
            {"condition": condition, "reason": "not_applicable", "note": note}
            for condition, note in _NOT_APPLICABLE.items()
        ],
        "sources": [
            {"source_id": cited.source_id, "locator": cited.locator, "read_from": cited.read_from}
            for cited in grid.sources
        ],
        "audit": [
            {
                "date": grid.date,
                "by": grid.by,
                "action": "created",
                "reason": f"Computed by `tools sweep run {grid.id}`.",
                "evidence": [{"source_id": own.source_id, "locator": own.locator}],
            }
        ],
    }


def _technique(grid: Grid, point: Point, made: Setting) -> dict[str, Json]:
    proposal, figures = point.choice.proposal, point.figures
    found: dict[str, Json] = {
        "kind": made.draft.kind,
        "gamma": figures["gamma"],
        "topology": "tree" if proposal.nodes else "chain",
    }
    if proposal.nodes:
        found["tree_nodes"] = proposal.nodes
    if isinstance(made.draft, Medusa):
        found["heads"] = figures["gamma"]
    if isinstance(made.draft, Ratio):
        found["draft_cost_ratio"] = made.draft.ratio
    elif made.draft.kind in ("draft_model", "parallel_draft"):
        found["draft_model_id"] = proposal.way.rpartition(":")[2]
    found["acceptance_length"] = figures["acceptance_length"]
    found["acceptance_simulated"] = True
    found["note"] = (
        f"q = {figures['quality']:g}, standard deviation {grid.axes.quality_sd:g}; {proposal.label}."
    )
    return found


def _results(figures: Any) -> list[Json]:
    bound = "compute-bound" if figures["compute_bound"] else "memory-bound"
    fits = {True: "", None: "", False: " The cache of this batch does not fit in memory beside the weights."}
    return [
        {
            "metric": "speedup_ratio",
            "value": figures["speedup"],
            "unit": "ratio",
            "interval": {"low": figures["speedup_low"], "high": figures["speedup_high"], "level": CONFIDENCE},
            "baseline": {
                "technique": "autoregressive",
                "varied": ["technique"],
                "description": "plain decoding at the same batch and context, by the same model",
            },
            "derived_from": {"formula": FORMULA},
            "note": (
                f"The interval is that of q alone; the chance that speculation pays is {figures['chance_pays']:g}. "
                f"It pays from an acceptance of {figures['break_even_acceptance']:g}. The verifying step is {bound}."
                f"{fits[figures['fits']]}"
            ),
        },
        {
            "metric": "acceptance_length",
            "statistic": "mean",
            "value": figures["acceptance_length"],
            "unit": "tok/step",
            "derived_from": {
                "formula": "1 + sum of the chances that a proposed token is reached and accepted"
            },
        },
        {
            "metric": "step_time_ms",
            "statistic": "mean",
            "value": float(f"{figures['verify_ms'] + figures['draft_ms']:.6g}"),
            "unit": "ms",
            "derived_from": {"formula": "T_verify(B, n) + T_draft"},
            "note": (
                f"Of it the draft {figures['draft_ms']:g} ms, linear layers {figures['verify_linear_ms']:g} ms, "
                f"attention {figures['verify_attention_ms']:g} ms; a plain step takes {figures['plain_ms']:g} ms."
            ),
        },
    ]
