"""What InferenceX (before: InferenceMAX) says of a run, in its aggregates and in the download of its site.

Latencies are in seconds. Rates are per GPU: of all GPUs, but in split serving output over those of the decode pool and
input over those of the prefill pool. Interactivity is 1 / TPOT, statistic by statistic: its p99 belongs to the slowest
requests and is a p1 of speed; the reciprocals of a mean and of a deviation are figures of nothing and are dropped.
"""

from __future__ import annotations

import re
from fractions import Fraction

from tools.importers.programs.point import Point, RefusedError, agrees
from tools.importers.programs.statistics import statistic_of
from tools.schema.spelling import quoted

LACKS = {
    "hardware": "the accelerator of the runner; the label alone may leave it open",
    "scenario": "the rate at which the client sent its requests beside its cap",
    "warmup": "the command line of the client",
    "engine_version": "the container image of the server",
}
RATES = ("total_tok_s", "output_tok_s", "input_tok_s")
_FORMATS = {"fp4": "fp4", "fp8": "fp8", "int4": "int4", "bf16": "bf16", "fp16": "fp16"}
_TECHNIQUES = {"none": "autoregressive", "mtp": "mtp", "eagle": "eagle", "eagle3": "eagle3"}
_SITES = re.compile(r"-(?:nb|nv|amd|cw|cr|tw|dgxc|oci|gcp|aws|nebius)$")
_VERSION = re.compile(r"(?:^|[^0-9])v?([0-9]+\.[0-9]+(?:\.[0-9]+)?(?:[.-]?(?:rc|post|dev)[0-9.]+)?)")


def state_system(point: Point, *, hardware: str, framework: str, technique: str) -> None:
    """States hardware, engine and technique by their keys."""
    draft = point.draft
    label = point.text(hardware)
    if label is not None:
        _hardware(point, label)
    engine = point.text(framework)
    if engine is not None:
        point.engine(engine)
    said = point.text(technique)
    kind = _TECHNIQUES.get((said or "").lower())
    if kind is not None:
        draft.put("/technique/kind", kind)
    elif said:
        draft.put("/technique", {"kind": "other", "note": f"spec_decoding {said[:60]}"})
    draft.put("/client/name", "InferenceX serving client")


def _hardware(point: Point, label: str) -> None:
    """The label without the suffix of a known site; anything else behind a hyphen is part of the name."""
    point.accelerators([_SITES.sub("", label)])
    point.draft.put("/hardware/system_name", label)


def state_precision(point: Point, said: str | None) -> None:
    """States the format of the weights where the word is one of the vocabulary."""
    point.draft.put("/precision/weights", _FORMATS.get((said or "").lower()))


def state_lengths(point: Point, isl: str, osl: str) -> None:
    """States the nominal lengths; requests are drawn below them, by a range that the file does not have."""
    for side, key in (("input", isl), ("output", osl)):
        nominal = point.count(key)
        if nominal:
            point.draft.put(
                f"/conditions/{side}_length",
                {
                    "nominal": nominal,
                    "kind": "upper",
                    "distribution": "drawn up to the nominal length; the range is not stored",
                },
            )
        else:
            point.lack(f"{side}_length", None, "the length profile of the run")


def state_image(point: Point, image: str | None) -> None:
    """States the container image, and the version where its tag has one."""
    if image is None:
        return
    name, _, tag = image.rpartition(":")
    registry = name.split("/")[0] if "/" in name else ""
    # A registry with a port or without a dot is somebody's own host.
    if ":" in registry or "@" in image or "://" in image:
        point.lack("engine_version", "the file names an image in a registry of its own, which is dropped")
        return
    point.draft.put("/engine/image", image)
    found = _VERSION.search(tag) if name else None
    point.draft.put("/engine/version", found[1] if found else None)


def add_latencies(point: Point, keys: dict[tuple[str, str], str], said: str) -> None:
    """Adds latencies and speeds by (quantity, word); `said` is the unit in the file's words."""
    metrics = {"ttft": "ttft_ms", "tpot": "tpot_ms", "itl": "inter_chunk_ms", "e2el": "e2e_latency_ms"}
    for (quantity, word), key in keys.items():
        statistic = statistic_of(word)
        if quantity in metrics and statistic is not None:
            point.result(metrics[quantity], key, "s", statistic=statistic, said=said)
        elif quantity == "intvty":
            _speed(point, key, word, keys.get(("tpot", word)))
        else:
            point.take(key)
            point.draft.remark(f"the vocabulary has no statistic {word}: left out")


def _speed(point: Point, key: str, word: str, of: str | None) -> None:
    speed, time = point.number(key), point.number(of) if of else None
    if speed is None:
        return
    if (
        time is not None
        and time.value > 0
        and word != "std"
        and not agrees(speed, Fraction(1) / time.exact, 1e-3)
    ):
        raise RefusedError(
            f"{quoted(key)} is {speed.value:g}, but 1 / {time.value:g} s is {1 / time.value:g}: "
            "the file contradicts itself"
        )
    if word in ("mean", "std"):
        return
    tail = "p50" if word == "median" else f"p{100 - float(word[1:]):g}"
    if statistic_of(tail) is not None:
        point.result("tok_s_per_user", key, "tok/s", statistic=tail, said="tok/s/user")


def add_rates(point: Point, keys: dict[str, str], is_split: bool) -> None:
    """Adds the rates per accelerator by `RATES`; in split serving they are of the pool."""
    whole = {
        "total_tok_s": "total_tok_s_per_accelerator",
        "output_tok_s": "output_tok_s_per_accelerator",
        "input_tok_s": "input_tok_s_per_accelerator",
    }
    pool = {
        "output_tok_s": "output_tok_s_per_decode_accelerator",
        "input_tok_s": "input_tok_s_per_prefill_accelerator",
    }
    metrics = {**whole, **pool} if is_split else whole
    found = {name: point.result(metrics[name], key, "tok/s", said="tok/s/gpu") for name, key in keys.items()}
    total, out, into = (found.get(name) for name in RATES)
    if total and out and into and not is_split and not agrees(total, out.exact + into.exact, 1e-3):
        raise RefusedError(
            f"input and output of {into.value:g} and {out.value:g} tok/s per GPU are not the total of "
            f"{total.value:g}: the file contradicts itself"
        )
