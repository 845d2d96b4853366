"""The names of the fields in which a comparison may differ, as `varied` lists them.

A name is the dotted path of a field of a benchmark (`conditions.concurrency`), a whole section (`technique`), a
JSON Pointer, one of the eight conditions (`load`), or the last part of a path where only one field ends
so (`scenario`). The fields come from the schema, so that a new condition can be named as soon as it exists.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from tools.schema.load import bundle
from tools.schema.vocabulary import vocabulary

_SECTIONS = (
    "model_id",
    "model_revision",
    "model_label",
    "precision",
    "engine",
    "software",
    "accelerator_ids",
    "hardware",
    "parallelism",
    "disaggregation",
    "technique",
    "client",
    "conditions",
    "measured_by",
    "measured_on",
)
"""What of a benchmark is a condition of its run."""


@cache
def fields() -> frozenset[str]:
    """Dotted names of all fields in which two runs can differ, sections included."""
    return frozenset(_walk(bundle("benchmark")["properties"], ""))


def _walk(properties: Mapping[str, Any], above: str) -> Iterator[str]:
    for key, schema in properties.items():
        if above or key in _SECTIONS:
            yield f"{above}{key}"
            yield from _walk(schema.get("properties", {}), f"{above}{key}.")


@cache
def resolve(name: str) -> tuple[str, ...]:
    """The fields that a name stands for; none when it is no field, or could be several."""
    path = name.removeprefix("/").replace("/", ".") if name.startswith("/") else name
    found: tuple[str, ...] = (path,) if path in fields() else ()
    condition = vocabulary().conditions.get(path)
    if condition is not None:
        found += tuple(place.removeprefix("/").replace("/", ".") for place in condition.stated_by)
    if found:
        return found
    same = namesakes(path)
    return same if len(same) == 1 else ()


def namesakes(name: str) -> tuple[str, ...]:
    """The fields whose last part is this name."""
    return tuple(sorted(field for field in fields() if field.rpartition(".")[2] == name))


@cache
def covers(name: str, field: str) -> bool:
    """Whether a name in `varied` allows a field to differ: the field itself, its section, or a part of it."""
    return any(
        field == allowed or field.startswith(f"{allowed}.") or allowed.startswith(f"{field}.")
        for allowed in resolve(name)
    )
