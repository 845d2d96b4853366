"""Each point of a study as a benchmark record, in canonical form.

A simulation on paper has no model, hardware, prompts, engine or warm-up: those conditions are declared as not
applicable, each with what stands in their place.
"""

from __future__ import annotations

from collections.abc import Iterator

from tools.records.layout import render
from tools.records.parse import Json
from tools.schema.load import key_order
from tools.sweep.analysis import described
from tools.sweep.grid import Place, Results
from tools.sweep.metrics import CONFIDENCE, DECIMALS, Figures

_NOT_APPLICABLE = {
    "model": "no model answers: target and draft are given by q and the cost of a step alone",
    "hardware": "no accelerator takes part: costs are in units of one plain decode step",
    "input_length": "prompts do not enter: only decode steps are counted",
    "engine_version": "no engine served: the figures are computed",
    "warmup": "computed from the first step on; there is nothing to warm up",
}
_SPEEDUP = {
    "ragged": "acceptance_length / ({cost})",
    "refill": "acceptance_length / ({cost})",
    "run_to_completion": "acceptance_length * slot_utilization / ({cost})",
    "lock_step": "acceptance_length / ({cost})",
}
_METHOD = {
    "ragged": (
        "each request keeps its own accepted tokens, and a batch ends when its requests have emitted batch size times "
        "output length in sum"
    ),
    "refill": "a request that has emitted its output length gives its slot to the next; figures of the long run",
    "run_to_completion": "a request that has emitted its output length idles until the last of its batch has",
    "lock_step": "in each step all requests of a batch keep the smallest accepted number",
}


def records(results: Results) -> Iterator[tuple[str, str]]:
    """(file name, text) of the record of every point."""
    order = key_order("benchmark")
    for serving, place, figures in results.served():
        record = _record(results, serving, place, figures)
        yield f"{record['id']}.yaml", render(record, order)


def record_id(study: str, serving: str, place: Place) -> str:
    """The id of a point's record."""
    words = f"sweep-{study}-{place.quality}-{serving}-b{place.batch_size}-g{place.gamma}"
    return words.replace("_", "-")


def _record(results: Results, serving: str, place: Place, figures: Figures) -> dict[str, Json]:
    study = results.study
    sources: list[Json] = [
        {"source_id": cited.source_id, "locator": cited.locator, "read_from": cited.read_from}
        for cited in study.sources
    ]
    own = study.sources[0]
    return {
        "id": record_id(study.id, serving, place),
        "kind": "benchmark",
        "title": (
            f"Simulated speculative decoding, {place.quality}, {serving}, batch {place.batch_size}, gamma {place.gamma}"
        ),
        "status": "verified",
        "evidence": "analytical",
        "measured_by": "self",
        "methodology": f"Monte Carlo over accepted tokens: {_METHOD[place.synchronisation]}.",
        "sweep_id": study.id,
        "technique": _technique(results, place, figures),
        "conditions": {
            "scenario": serving,
            "batch_size": place.batch_size,
            "output_length": {
                "nominal": study.output_length,
                # A ragged batch has to emit the sum, and a quick request more than its share of it.
                "kind": "mean" if place.synchronisation == "ragged" else "exact",
            },
            "seed": study.seed,
        },
        "results": _results(results, place, figures),
        "absent": [
            {"condition": condition, "reason": "not_applicable", "note": note}
            for condition, note in _NOT_APPLICABLE.items()
        ],
        "sources": sources,
        "audit": [
            {
                "date": study.date,
                "by": study.by,
                "action": "created",
                "reason": f"Computed by `tools sweep run {study.id}` with seed {study.seed}.",
                "evidence": [{"source_id": own.source_id, "locator": own.locator}],
            }
        ],
    }


def _technique(results: Results, place: Place, figures: Figures) -> Json:
    return {
        "kind": "draft_model",
        "gamma": place.gamma,
        "topology": "chain",
        "draft_cost_ratio": results.study.draft_cost_ratio,
        "acceptance_length": figures.acceptance_length,
        "acceptance_rate": figures.acceptance_rate,
        "acceptance_simulated": True,
        "synchronisation": place.synchronisation,
        "note": f"Quality mode {place.quality}: {described(results.study.qualities[place.quality])}.",
    }


def _results(results: Results, place: Place, figures: Figures) -> list[Json]:
    formula = _SPEEDUP[place.synchronisation].format(cost=results.cost.formula())
    return [
        {
            "metric": "speedup_ratio",
            "value": figures.speedup,
            "unit": "ratio",
            "interval": {
                "low": round(figures.speedup - figures.half_width, DECIMALS),
                "high": round(figures.speedup + figures.half_width, DECIMALS),
                "level": CONFIDENCE,
            },
            "samples": results.study.requests,
            "baseline": {
                "technique": "autoregressive",
                "varied": ["technique"],
                "description": "plain decoding of the same requests in the same batch, one step for each token",
            },
            "derived_from": {"formula": formula},
            "note": "The interval is the sampling error of the simulation alone.",
        },
        {
            "metric": "acceptance_length",
            "statistic": "mean",
            "value": figures.acceptance_length,
            "unit": "tok/step",
            "derived_from": {"formula": "tokens emitted / verifying passes of requests"},
        },
        {
            "metric": "slot_utilization",
            "value": figures.slot_utilization,
            "unit": "fraction",
            "derived_from": {
                "formula": "slots whose request has emitted less than its output length / all slots"
            },
        },
        {
            "metric": "divergence_penalty",
            "statistic": "mean",
            "value": figures.divergence_penalty,
            "unit": "fraction",
            "derived_from": {
                "formula": "1 - mean / maximum of the accepted tokens of a step, mean over steps"
            },
        },
    ]
