"""The arguments of vLLM's serving benchmark as conditions: lengths asked for, data set, sampling, warm-up, limits.

A length is an argument of its data set: `random_input_len` says something only where `dataset_name` is `random`. With
`random_range_ratio` r the lengths are drawn between L(1-r) and L(1+r); versions that print no `num_warmups` are older
and may have meant rL to L, so nothing is said of the spread there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tools.importers.programs.point import Point
from tools.importers.programs.spelling import is_name
from tools.importers.tree import Tree

Get = Callable[[str], Any]

_KINDS = {
    "random": "synthetic",
    "random-mm": "synthetic",
    "sharegpt": "natural",
    "sonnet": "natural",
    "burstgpt": "trace",
    "prefix_repetition": "shared_prefix",
}
_INPUT = {
    "random": ("random_input_len", "random_prefix_len"),
    "sonnet": ("sonnet_input_len",),
    "prefix_repetition": ("prefix_repetition_prefix_len", "prefix_repetition_suffix_len"),
}
_OUTPUT = {
    "random": "random_output_len",
    "sonnet": "sonnet_output_len",
    "sharegpt": "sharegpt_output_len",
    "custom": "custom_output_len",
    "hf": "hf_output_len",
    "prefix_repetition": "prefix_repetition_output_len",
}
_LIMITS = {"ttft": "ttft_ms", "tpot": "tpot_ms", "e2el": "e2e_latency_ms"}


def state_arguments(point: Point, get: Get, printed: frozenset[str]) -> None:
    """Puts what the arguments say; `printed` are those that the version has."""
    draft = point.draft
    dataset = get("dataset_name")
    if isinstance(dataset, str) and is_name(dataset):
        draft.put("/conditions/dataset", dataset)
        draft.put("/conditions/dataset_kind", _KINDS.get(dataset))
        _lengths(point, dataset, get, is_new="num_warmups" in printed)
    for name in ("temperature", "top_p"):
        draft.put(f"/conditions/{name}", _number(get(name)))
    if isinstance(eos := get("ignore_eos"), bool):
        draft.put("/conditions/ignore_eos", eos)
    if isinstance(seed := get("seed"), int):
        draft.put("/conditions/seed", seed)
    warmups = get("num_warmups")
    if isinstance(warmups, int):
        draft.put("/conditions/warmup", {"handling": "excluded" if warmups else "none", "requests": warmups})
    _limits(point, get("goodput"))


def _lengths(point: Point, dataset: str, get: Get, *, is_new: bool) -> None:
    ratio = _number(get("random_range_ratio")) if dataset == "random" else 0
    asked = get("input_len") if isinstance(get("input_len"), int) else _sum(_INPUT.get(dataset, ()), get)
    answers = get("output_len") if isinstance(get("output_len"), int) else get(_OUTPUT.get(dataset, ""))
    is_exact = ratio == 0 and (is_new or dataset != "random")
    goes_on = get("ignore_eos") is True
    kinds = {
        "input": "exact" if is_exact else "mean" if is_new else None,
        "output": "cap" if not goes_on else "exact" if is_exact else "mean" if is_new else None,
    }
    for side, nominal in (("input", asked), ("output", answers)):
        if not isinstance(nominal, int) or isinstance(nominal, bool):
            continue
        place = f"/conditions/{side}_length"
        point.draft.put(f"{place}/nominal", nominal)
        if dataset == "random" or side == "output":
            point.draft.put(f"{place}/kind", kinds[side])
        if dataset == "random" and ratio:
            point.draft.put(f"{place}/distribution", f"random_range_ratio {ratio}")


def _sum(names: tuple[str, ...], get: Get) -> int | None:
    found = [value for name in names if isinstance(value := get(name), int)]
    return sum(found) if found else None


def _number(value: Any) -> int | float | None:
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value < 0:
        return None
    return int(value) if value == int(value) else value


def _limits(point: Point, goodput: Any) -> None:
    said: dict[str, Tree] = {}
    for item in goodput if isinstance(goodput, (list, tuple)) else ():
        name, _, number = str(item).partition(":")
        limit = _number(number)
        if name in _LIMITS and limit:
            said[_LIMITS[name]] = limit
    if said:
        point.draft.put("/conditions/slo", said)
