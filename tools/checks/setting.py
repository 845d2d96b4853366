"""Which runs may be set beside each other: a key over the conditions that two runs have to share.

Rules that look at the whole ledger group runs by such a key and keep it, with the few figures they need, as the fact of
a record. What a rule varies it leaves out of the key. Measured lengths are never in it, because two runs of one
workload differ in them; the document cited first is, because figures of different publications were taken under
conditions that neither states.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from typing import NamedTuple

from tools.checks.point import WHOLE_RUN, Figure, operating_point
from tools.checks.remembered import remembered
from tools.checks.rule import Fault, PlacedFault, Record
from tools.finding import Level
from tools.records.parse import Json

COUNT = (
    "hardware.accelerator_count",
    "hardware.nodes",
    "hardware.system_name",
    "hardware.platform_id",
    "parallelism",
)
LOAD = (
    "conditions.concurrency",
    "conditions.batch_size",
    "conditions.request_rate",
    "conditions.users",
    "conditions.max_batch_size",
    "conditions.concurrency_cap",
)
SCENARIO = ("conditions.scenario", "conditions.scenario_note", "conditions.slo", "conditions.request_rate")
_RATES = frozenset({"tok/s", "req/s", "samples/s"})
_SETTING = (
    "model_id",
    "model_revision",
    "model_label",
    "precision",
    "engine",
    "accelerator_ids",
    "hardware.accelerator_count",
    "hardware.nodes",
    "hardware.system_name",
    "hardware.platform_id",
    "hardware.power_limit_w",
    "parallelism",
    "disaggregation",
    "technique",
    "client.name",
    "methodology",
    "conditions.scenario",
    "conditions.scenario_note",
    "conditions.slo",
    "conditions.sequence_length",
    "conditions.context_depth",
    "conditions.dataset",
    "conditions.task",
    "conditions.ignore_eos",
    "conditions.temperature",
    "conditions.reasoning",
    "conditions.prefix_cache",
    "conditions.accuracy_target",
    "conditions.test",
    "conditions.input_length.nominal",
    "conditions.output_length.nominal",
    *LOAD,
)
_PLACES = tuple((field, field.split(".")) for field in _SETTING)


class Sighting(NamedTuple):
    """One figure as a survey sees it: its record's file, where it stands, its value in base units and its words."""

    file: str
    pointer: str
    value: float
    text: str

    def fault(self, message: str, hint: str, level: Level | None = None) -> PlacedFault:
        """A fault at this figure."""
        return PlacedFault(self.file, Fault(self.pointer, message, hint, level=level))


def said(record: Record, field: str) -> Json:
    """What a record says at a dotted name, or None."""
    found: Json = record.value
    for key in _keys(field):
        found = found.get(key) if isinstance(found, dict) else None
    return found


@cache
def _keys(field: str) -> tuple[str, ...]:
    return tuple(field.split("."))


_spelled = json.JSONEncoder(sort_keys=True).encode


@remembered()
def _parts(record: Record) -> dict[str, str]:
    """What a key is made of, by field."""
    parts = {}
    for field, (*above, last) in _PLACES:
        holder: Json = record.value
        for key in above:
            holder = holder.get(key) if isinstance(holder, dict) else None
        if isinstance(holder, dict) and (found := holder.get(last)) is not None:
            parts[field] = f"{field}={_spelled(found)}"
    parts["source"] = f"source={record.text('/sources/0/source_id') or ''}"
    return parts


def setting(record: Record, *leaving_out: str) -> str:
    """A short key that is equal for runs equal in everything but the fields left out."""
    left = frozenset(leaving_out)
    kept = [part for field, part in _parts(record).items() if field not in left]
    return hashlib.blake2b("\n".join(kept).encode(), digest_size=9).hexdigest()


def kept(figure: Figure) -> list[Json]:
    """A figure as it is kept in a fact; `seen` reads it again."""
    return [figure.quantity.pointer, figure.quantity.value, figure.quantity.text]


def seen(file: str, fact: Json) -> Sighting:
    """A figure that `kept` put into the fact of a file."""
    assert isinstance(fact, list)
    pointer, value, text = fact
    assert isinstance(pointer, str)
    assert isinstance(value, (int, float))
    assert isinstance(text, str)
    return Sighting(file, pointer, float(value), text)


def is_measured(record: Record) -> bool:
    """Whether the record says that somebody ran this."""
    return record.text("/evidence") == "measured"


def rates(record: Record, units: tuple[str, ...], scopes: tuple[str, ...] = ("system",)) -> list[Figure]:
    """The rates of the whole run in one of the units, of one of the scopes, not computed from others."""
    return [
        figure
        for figure in _rates(record)
        if figure.result["unit"] in units and figure.definition.scope in scopes
    ]


@remembered()
def _rates(record: Record) -> list[Figure]:
    return [
        figure
        for figure in operating_point(record).figures
        if figure.result["unit"] in _RATES and figure.statistic in WHOLE_RUN and not is_computed(figure)
    ]


def is_computed(figure: Figure) -> bool:
    """Whether the value was computed from others; a conversion of what the source printed is none."""
    derived = figure.result.get("derived_from")
    return isinstance(derived, dict) and ("records" in derived or "formula" in derived)


def significant_digits(figure: Figure) -> int:
    """Digits of a value without leading zeros and the zeros at the end of a whole number."""
    printed = figure.result.get("printed")
    text = (
        printed.replace(",", "") if isinstance(printed, str) else repr(float(_plain(figure.result["value"])))
    )
    mantissa = text.lower().partition("e")[0].lstrip("+-")
    whole = mantissa.removesuffix(".0")
    digits = whole if "." in whole else whole.rstrip("0")
    return len(digits.replace(".", "").lstrip("0"))


def _plain(value: Json) -> float:
    assert isinstance(value, (int, float))
    return value
