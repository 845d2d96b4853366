"""Counts of accelerators that a system's name seems to give: "8x H100", "rack (72x)", "MI300X (x32)".

Names are text and never data. They are read only to raise a question, and not where a
record of the same accelerators and model, with a like rate per accelerator, answers it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import Any

from tools.checks.point import operating_point
from tools.checks.recount import SYSTEM_RATES, accelerators
from tools.checks.rule import Fault, Ledger, PlacedFault, Record
from tools.finding import Level
from tools.records.catalog import Catalog
from tools.records.parse import Json

_NAME = "/hardware/system_name"
_CLOSE = 1.15
_RATES = (*SYSTEM_RATES, "samples_per_s")

_TIMES = re.compile(
    r"(?<![A-Za-z0-9.])([0-9]{1,5})\s?[xX×](?=[\s\-_),A-Z]|$)"
    r"(?![\s_-]*(?:AMD[\s_-]*|Intel[\s_-]*|Intel\(R\)[\s_-]*)?(?:EPYC|Xeon|Grace\b|CPU|vCPU|NIC|core))"
    r"|\(x([0-9]{1,5})\)"
)


def counts_in(name: str) -> tuple[int, ...]:
    """The counts in a name, those of processors left out."""
    return tuple(int(before or after) for before, after in _TIMES.findall(name))


def gather(record: Record, _: Ledger) -> Json:
    """What a record says of one accelerator, and the count in its name where that is another."""
    point = operating_point(record)
    count = accelerators(point)
    if count is None or count.value <= 0:
        return None
    group = " ".join([record.text("/model_id") or "", *sorted(point.accelerator_ids)])
    rates: list[Json] = [
        [f"{group} {metric}", rate.value / count.value] for metric in _RATES if (rate := point.whole(metric))
    ]
    name = record.text(_NAME)
    known = {count.value, *(n.value for n in [point.number("/hardware/accelerators_per_node")] if n)}
    named = counts_in(name) if name else ()
    if not named or known & set(named):
        return [rates, None] if rates else None
    location = record.document.locate(_NAME)
    return [rates, [named[0], count.text, location.line, location.column]]


def survey(facts: Mapping[str, Any], _: Catalog) -> Iterator[PlacedFault]:
    """A warning for every doubtful name that no other record bears out."""
    groups: dict[str, list[tuple[float, str]]] = {}
    for file, fact in facts.items():
        for group, rate in fact[0]:
            groups.setdefault(group, []).append((rate, file))
    for rates in groups.values():
        rates.sort()
    for file, fact in facts.items():
        rates, doubt = fact
        if doubt is None or any(_borne_out(groups[group], rate, file) for group, rate in rates):
            continue
        named, counted, line, column = doubt
        fault = Fault(
            _NAME,
            f"the name of the system says {named}x, but there are {counted}",
            "take the count from the source's own fields; the name may be the rack's or the host's. A run of the same "
            "accelerator and model with a like rate per accelerator bears the count out",
            level=Level.WARNING,
        )
        yield PlacedFault(file, fault, line, column)


def _borne_out(rates: list[tuple[float, str]], rate: float, file: str) -> bool:
    """Whether another file has a rate per accelerator within 15 %."""
    for index in range(bisect_left(rates, (rate / _CLOSE, "")), len(rates)):
        if rates[index][0] > rate * _CLOSE:
            return False
        if rates[index][1] != file:
            return True
    return False
