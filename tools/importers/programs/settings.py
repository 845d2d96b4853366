"""What the call states beside the file (`--set`), each with the source that says so.

A condition goes by its name, with the value in the words of `SPELLINGS`; any other field by its JSON Pointer. What
the file states itself is not replaced: another value is a contradiction, and the point is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from tools.errors import ToolsError
from tools.importers.draft import Citation, Draft
from tools.importers.names import Names
from tools.importers.tree import ConflictError, Tree, at, plain
from tools.records import pointer as pointers
from tools.records.argument import read_argument
from tools.records.pointer import PointerError
from tools.records.revise import value_of
from tools.schema.conditions import require_condition
from tools.schema.spelling import listed, quoted
from tools.schema.vocabulary import vocabulary

SPELLINGS = {
    "model": "model=NAME",
    "hardware": "hardware=NAME or hardware=8xNAME",
    "load": "load=concurrency:32, load=batch_size:8 or load=request_rate:4",
    "input_length": "input_length=1024",
    "output_length": "output_length=256",
    "engine_version": "engine_version=ENGINE@VERSION",
    "warmup": "warmup=none, warmup=excluded or warmup=included",
    "scenario": "scenario=closed_loop",
}
_OWN = frozenset({"id", "kind", "status", "evidence", "results", "counts", "absent", "sources", "audit"})
_COUNTED = re.compile(r"([1-9][0-9]{0,5}) ?x ?(.+)")
_NUMBER = re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,15})?")
_LOADS = ("concurrency", "batch_size", "request_rate")


@dataclass(frozen=True, slots=True)
class Setting:
    """One `--set`: what it is called, the fields it states, and where that is said."""

    name: str
    fields: tuple[tuple[str, Tree], ...]
    citation: Citation

    def state(self, draft: Draft) -> None:
        """Puts the fields. Raises `ConflictError` where the file says otherwise."""
        words = vocabulary().conditions
        if self.name in words and draft.is_stated(self.name):
            differs = [
                pointer for pointer, value in self.fields if plain(at(draft.fields, pointer)) != plain(value)
            ]
            if differs:
                raise ConflictError(f"--set {self.name}: the file states it otherwise, at {differs[0]}")
        for pointer, value in self.fields:
            draft.put(pointer, value)


def read_setting(text: str, citation: Citation, names: Names) -> Setting:
    """The setting that `CONDITION=VALUE` or `/POINTER=VALUE` names. Raises `ToolsError` for one that says nothing."""
    name, separator, value = (part.strip() for part in text.partition("="))
    if not separator or not value:
        raise ToolsError(
            f"`{text}` is not CONDITION=VALUE", "such as --set hardware=8xNVIDIA-H200-141GB-HBM3"
        )
    if name.startswith("/"):
        return Setting(name, (_field(name, value),), citation)
    require_condition(name)
    return Setting(name, _READERS[name](value, names), citation)


def _field(pointer: str, value: str) -> tuple[str, Tree]:
    try:
        tokens = pointers.split(pointer)
    except PointerError as error:
        raise ToolsError(
            f"`{pointer}` is not a JSON Pointer: {error}", "such as /hardware/nodes=2"
        ) from error
    if tokens[0] in _OWN:
        raise ToolsError(
            f"--set does not give {pointer}: the file, its source and the log of the record say that",
            f"--set gives conditions: {', '.join(SPELLINGS)}, or another field by its pointer",
        )
    # A plain value is a tree already: its type is the wider one of the two.
    return pointer, cast(Tree, value_of(read_argument(value)))


def _model(value: str, names: Names) -> tuple[tuple[str, Tree], ...]:
    return (("/model_id", _id("model", value, names)),)


def _hardware(value: str, names: Names) -> tuple[tuple[str, Tree], ...]:
    found = _COUNTED.fullmatch(value)
    said: list[tuple[str, Tree]] = [
        ("/accelerator_ids/0", _id("accelerator", found[2] if found else value, names))
    ]
    if found:
        said.append(("/hardware/accelerator_count", int(found[1])))
    return tuple(said)


def _id(kind: str, spelling: str, names: Names) -> str:
    found = names.resolve(kind, spelling)
    if found.id is None:
        near = f"nearest: {listed(found.candidates)}" if found.candidates else f"an id of a {kind} record"
        raise ToolsError(f"no {kind} record for {quoted(spelling)}: {found.reason}", near)
    return found.id


def _load(value: str, _: Names) -> tuple[tuple[str, Tree], ...]:
    name, _separator, number = value.partition(":")
    if name not in _LOADS:
        raise ToolsError(f"`load={value}` does not say what is counted", SPELLINGS["load"])
    if name == "request_rate" and number == "inf":
        return (("/conditions/request_rate", "inf"),)
    return ((f"/conditions/{name}", _number(number, "load", whole=name != "request_rate")),)


def _length(side: str) -> Callable[[str, Names], tuple[tuple[str, Tree], ...]]:
    return lambda value, _: ((f"/conditions/{side}/nominal", _number(value, side, whole=True)),)


def _number(text: str, name: str, *, whole: bool) -> int | float:
    """A number above 0. Raises `ToolsError` for anything else."""
    if not _NUMBER.fullmatch(text):
        raise ToolsError(f"{quoted(text)} is no number", SPELLINGS[name])
    number = float(text)
    if number == 0 or (whole and number != int(number)):
        fault = "none at all" if number == 0 else "no whole number"
        raise ToolsError(f"{quoted(text)} is {fault}", SPELLINGS[name])
    return int(number) if number == int(number) else number


def _engine_version(value: str, names: Names) -> tuple[tuple[str, Tree], ...]:
    engine, separator, version = value.partition("@")
    if not separator or not version:
        raise ToolsError(
            f"`engine_version={value}` does not name engine and version", SPELLINGS["engine_version"]
        )
    return (("/engine/id", _id("engine", engine, names)), ("/engine/version", version))


def _word(
    pointer: str, name: str, group: tuple[str, ...]
) -> Callable[[str, Names], tuple[tuple[str, Tree], ...]]:
    def read(value: str, _: Names) -> tuple[tuple[str, Tree], ...]:
        if value not in group:
            raise ToolsError(f"`{name}={value}` is none of {', '.join(group)}", SPELLINGS[name])
        return ((pointer, value),)

    return read


_READERS: dict[str, Callable[[str, Names], tuple[tuple[str, Tree], ...]]] = {
    "model": _model,
    "hardware": _hardware,
    "load": _load,
    "input_length": _length("input_length"),
    "output_length": _length("output_length"),
    "engine_version": _engine_version,
    "warmup": _word("/conditions/warmup/handling", "warmup", ("excluded", "included", "none")),
    "scenario": _word("/conditions/scenario", "scenario", tuple(vocabulary().scenarios)),
}
