"""llama-batched-bench, as its table or as JSONL: B sequences of one prompt length side by side.

    |    PP |     TG |    B |   N_KV |   T_PP s | S_PP t/s |   T_TG s | S_TG t/s |      T s |    S t/s |
    {"pp": 128, "tg": 128, "pl": 1, "n_kv": 256, "t_pp": 0.23, "speed_pp": 547.4, "t_tg": 3.5, "speed_tg": 36.5, ...}

Times are in seconds and of the whole batch, speeds of all sequences together: S_PP = B x PP / T_PP (PP / T_PP where
the prompt is shared), S_TG = B x TG / T_TG, S = all tokens / T. Model, device and build are not in the output.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from tools.importers.programs.content import Content
from tools.importers.programs.format import Format, Reading
from tools.importers.programs.llama_run import flags
from tools.importers.programs.markdown import tables
from tools.importers.programs.point import Point, RefusedError
from tools.importers.programs.rounding import half_unit, is_rate

_COLUMNS = {
    "PP": "pp",
    "TG": "tg",
    "B": "pl",
    "N_KV": "n_kv",
    "T_PP s": "t_pp",
    "S_PP t/s": "speed_pp",
    "T_TG s": "t_tg",
    "S_TG t/s": "speed_tg",
    "T s": "t",
    "S t/s": "speed",
}
_SINGLE_PRECISION = Fraction(1, 10**5)
"""The program divides in single precision before it rounds."""

_SETTINGS = ("n_kv_max", "n_batch", "n_ubatch", "flash_attn", "n_gpu_layers", "n_threads", "n_threads_batch")


def recognise(content: Content) -> str | None:
    """The reason: the ten columns of the program."""
    if content.keys >= set(_COLUMNS.values()):
        return "its objects have pp, tg, pl, speed_pp and speed_tg"
    found = any(set(_COLUMNS) <= set(head) for head, _ in tables(content))
    return "it has a table with the columns PP, TG, B, S_PP and S_TG" if found else None


def read(reading: Reading) -> list[Point]:
    """A point of every row."""
    content = reading.content
    if content.keys >= set(_COLUMNS.values()):
        return reading.each(_read_row, ((part.place, part.values) for part in content.parts))
    return reading.each(_read_row, _rows(reading))


def _rows(reading: Reading) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for head, rows in tables(reading.content):
        if not set(_COLUMNS) <= set(head):
            continue
        for row in rows:
            if len(row.cells) != len(head):
                reason = f"the row has {len(row.cells)} cells where the table has {len(head)}: is it cut off?"
                reading.refusals.append((f"{reading.place}, line {row.line}", reason))
                continue
            named = dict(zip(head, row.cells, strict=True))
            yield f"line {row.line}", {ours: named[theirs] for theirs, ours in _COLUMNS.items()}


def _read_row(point: Point) -> None:
    if "n_gpu_layers" not in point.values:
        point.labels = {ours: theirs for theirs, ours in _COLUMNS.items()}
    draft = point.draft
    found = [point.count(key) for key in ("pp", "tg", "pl")]
    prompt, generated, sequences = (number if number is not None else -1 for number in found)
    if min(prompt, generated) < 0 or sequences < 1 or prompt + generated == 0:
        raise RefusedError("PP, TG or B is missing, so that nobody knows what was run")
    is_shared = point.flag("is_pp_shared") or _holds_once(point, prompt, generated, sequences)
    prompts = prompt if is_shared else prompt * sequences
    if (kept := point.count("n_kv")) is not None and kept != prompts + generated * sequences:
        raise RefusedError(f"N_KV is {kept}, but the row has {prompts + generated * sequences} tokens")
    draft.put("/client/name", "llama-batched-bench")
    if point.engine("llama.cpp"):
        draft.put("/engine/flags", flags({key: point.text(key) or _digits(point, key) for key in _SETTINGS}))
    draft.put("/conditions/scenario", "fixed_batch")
    draft.put("/conditions/batch_size", sequences)
    draft.put("/conditions/input_length", {"nominal": prompt, "kind": "exact"})
    draft.put("/conditions/output_length", {"nominal": generated, "kind": "exact"})
    draft.put("/conditions/dataset_kind", "shared_prefix" if is_shared and sequences > 1 else None)
    point.slug.append(f"pp{prompt} tg{generated} b{sequences}")
    _figure(point, "prefill_tok_s", "speed_pp", "t_pp", prompts)
    _figure(point, "decode_tok_s", "speed_tg", "t_tg", generated * sequences)
    _figure(point, "mixed_phase_tok_s", "speed", "t", prompts + generated * sequences)
    point.result("prefill_latency_ms", "t_pp", "s", statistic="unstated")
    point.result("batch_latency_ms", "t", "s", statistic="unstated")


def _digits(point: Point, key: str) -> str | None:
    value = point.take(key)
    return None if value is None else str(value)


def _holds_once(point: Point, prompt: int, generated: int, sequences: int) -> bool:
    """Whether the cache holds the prompt once for all sequences; a table has no other sign of it."""
    return point.count("n_kv") == prompt + generated * sequences


def _figure(point: Point, metric: str, speed: str, time: str, tokens: int) -> None:
    """Adds a speed. Raises `RefusedError` where tokens over time give another one."""
    rate, seconds = point.number(speed), point.number(time)
    if rate is None or seconds is None or not tokens or rate.value <= 0 or seconds.value <= 0:
        point.skip(speed)
        return
    if not is_rate(rate, tokens, seconds.exact, half_unit(seconds), _SINGLE_PRECISION):
        raise RefusedError(
            f"{tokens} tokens in {seconds.value:g} s are {tokens / seconds.value:g} tok/s, the row has {rate.value:g}: "
            "it contradicts itself"
        )
    point.result(metric, speed, "tok/s", said="t/s")


FORMAT = Format(
    "llama-batched-bench",
    "columns PP, TG, B, N_KV, T_PP, S_PP, T_TG, S_TG, T and S, or their names in JSONL",
    recognise,
    read,
    {
        "model": "the command line of the run: the output names no model",
        "hardware": "the log of the run: the output names no device",
        "engine_version": "the build of llama.cpp: the output does not have it",
        "warmup": "the source of the build: the output does not say",
    },
)
