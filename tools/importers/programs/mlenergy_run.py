"""`results.json` of one ML.ENERGY run: the totals and latencies of vLLM's client beside the energy of the steady state.

The energy is that of all GPUs over `steady_state_duration`, per token that of the *output* tokens of that window. The
rates and latencies are those of the whole run.
"""

from __future__ import annotations

from collections.abc import Set
from fractions import Fraction

from tools.importers.programs.format import Reading
from tools.importers.programs.nested import hold
from tools.importers.programs.point import Point, mean_of
from tools.importers.programs.spelling import is_name
from tools.importers.programs.statistics import add_figures

_RATES = {
    "request_throughput": ("requests_per_s", "req/s"),
    "output_throughput": ("tps_aggregate", "tok/s"),
    "total_token_throughput": ("total_tok_s", "tok/s"),
}
_LATENCIES = {"ttft": "ttft_ms", "tpot": "tpot_ms", "itl": "inter_chunk_ms", "e2el": "e2e_latency_ms"}
_BASIS, _STEADY = "measured_accelerator", "steady_state"


def is_run(keys: Set[str]) -> bool:
    """Whether every object of a file has the energy of a steady state beside the duration of a run."""
    return {"steady_state_energy", "duration", "completed"} <= keys


def read_run(point: Point, reading: Reading) -> None:
    """States everything that a run has. Raises `RefusedError` for what is no operating point."""
    draft = point.draft
    done, requests = point.count("completed"), point.count("num_prompts")
    point.require_completed(done, requests, reading.accept_failures)
    draft.count("completed", done)
    draft.count("requests", requests)
    model, part = point.text("model_id") or point.text("model"), point.text("gpu_model")
    point.model(model)
    point.slug.append(model if model and is_name(model) else "model not named")
    if part is not None:
        point.accelerators([part])
    draft.put("/hardware/accelerator_count", point.count("num_gpus") or None)
    draft.put("/conditions/max_batch_size", point.count("max_num_seqs") or None)
    point.lack("load", "`max_num_seqs` is a limit of the engine", "the mean batch of the steady state")
    draft.put("/client/name", "ML.ENERGY benchmark")
    tokens = {side: point.count(f"total_{side}_tokens") for side in ("input", "output")}
    for side, total in tokens.items():
        draft.count(f"{side}_tokens", total or None)
        if total and done:
            draft.put(f"/conditions/{side}_length/mean", mean_of(total, done))
    _figures(point, done, tokens)
    # What single requests asked and were answered, which can hold anything.
    point.skip(
        "results",
        "backend",
        "tokenizer_id",
        "model",
        "input_lens",
        "output_lens",
        "generated_texts",
        "errors",
    )
    point.skip("ttfts", "itls", "date")


def _figures(point: Point, done: int | None, tokens: dict[str, int | None]) -> None:
    duration = point.number("duration")
    rates = {
        key: point.result(metric, key, unit, window="full_run") for key, (metric, unit) in _RATES.items()
    }
    if duration is not None and duration.value > 0:
        point.draft.count("duration_s", duration)
        for key, count in (("request_throughput", done), ("output_throughput", tokens["output"])):
            hold(key, rates[key], Fraction(count) / duration.exact if count else None, 1e-4)
    for name, metric in _LATENCIES.items():
        add_figures(point, metric, name, "_ms", "ms")
    point.result("energy_j", "steady_state_energy", "J", power_basis=_BASIS, window=_STEADY)
    point.result(
        "joules_per_token",
        "steady_state_energy_per_token",
        "J/tok",
        token_kind="output",
        power_basis=_BASIS,
        window=_STEADY,
    )
    point.skip("steady_state_duration")
