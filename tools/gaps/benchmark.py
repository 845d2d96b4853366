"""One benchmark as the survey sees it: what ran on what, which sources tell of it, and the conditions it lacks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tools.records.parse import Json
from tools.roofline.precision import BITS, arithmetic
from tools.roofline.reading import text
from tools.schema.conditions import absences, stated_at
from tools.schema.vocabulary import vocabulary

UNDECLARED: Final = "undeclared"
"""Neither stated nor declared absent."""
NOT_APPLICABLE: Final = "not_applicable"
"""The one reason that leaves nothing to recover."""
WITHHELD: Final = "withheld"
_PLAIN_BITS: Final = 16
"""Weights of as many bits are multiplied in their own format; narrower may be widened first, wider rounded."""


@dataclass(frozen=True, slots=True)
class Absence:
    """A condition that is not stated, why, and the source that lacks it.

    Where the record does not name that source it is the first one it cites; None where it cites none. `note` is what
    the record says of the absence beyond its reason, or empty.
    """

    condition: str
    reason: str
    source: str | None
    would_need: str
    note: str


@dataclass(frozen=True, slots=True)
class Benchmark:
    """What a benchmark names, and the conditions it does not state; `formats` are those it is known to compute in."""

    id: str
    status: str
    model: str | None
    engine: str | None
    accelerators: tuple[str, ...]
    system: str | None
    formats: frozenset[str]
    sources: tuple[str, ...]
    absences: tuple[Absence, ...]

    @property
    def lacks(self) -> tuple[Absence, ...]:
        """The absences that are gaps: a condition without a meaning for the run is none."""
        return tuple(one for one in self.absences if one.reason != NOT_APPLICABLE)

    @property
    def sources_of_gaps(self) -> tuple[str | None, ...]:
        """The sources it cites and those that lack a condition, each once."""
        named = dict.fromkeys((*self.sources, *(absence.source for absence in self.lacks)))
        return tuple(named) or (None,)


def read_benchmark(record_id: str, record: dict[str, Json]) -> Benchmark:
    """The benchmark of a record; what is malformed counts as not there."""
    sources = tuple(dict.fromkeys(_ids(record.get("sources"), "source_id")))
    return Benchmark(
        id=record_id,
        status=text(record, "/status") or "",
        model=text(record, "/model_id"),
        engine=text(record, "/engine/id"),
        accelerators=tuple(dict.fromkeys(_texts(record.get("accelerator_ids")))),
        system=text(record, "/hardware/system_name"),
        formats=frozenset(_formats(record)),
        sources=sources,
        absences=tuple(_absences(record, sources)),
    )


def _absences(record: dict[str, Json], sources: tuple[str, ...]) -> Iterator[Absence]:
    words = vocabulary()
    reasons = words.enumerations["absence_reason"]
    said = {declared.condition: declared.said for declared in reversed(absences(record))}
    for condition in words.conditions.values():
        if stated_at(record, condition) is not None:
            continue
        item = said.get(condition.name, {})
        reason, source = item.get("reason"), item.get("source_id")
        need, note = item.get("would_need"), item.get("note")
        yield Absence(
            condition.name,
            reason if isinstance(reason, str) and reason in reasons else UNDECLARED,
            source if isinstance(source, str) else next(iter(sources), None),
            need if isinstance(need, str) else condition.would_need,
            note if isinstance(note, str) else "",
        )


def _formats(record: Json) -> Iterator[str]:
    computed, weights = text(record, "/precision/activations"), text(record, "/precision/weights")
    if computed in BITS:
        yield arithmetic(computed)
    elif weights is not None and BITS.get(weights) == _PLAIN_BITS:
        yield arithmetic(weights)


def _texts(value: Json) -> Iterator[str]:
    for item in value if isinstance(value, list) else ():
        if isinstance(item, str):
            yield item


def _ids(value: Json, key: str) -> Iterator[str]:
    for item in value if isinstance(value, list) else ():
        if isinstance(item, dict) and isinstance(named := item.get(key), str):
            yield named
