"""Free spellings of accelerators, models and engines as ids of the ledger, by the whole spelling and no part of it.

What counts, in this order: the spellings that the caller's map lists itself, an id as it stands, a row of
`data/aliases.csv` with exactly this spelling, one that differs in capitals alone, and the name or published id that
a record has of itself. A row without an id says that the spelling is ambiguous, and then nothing else is tried.
Anything less is told with the nearest candidates and never chosen: `H200` contains `H20`, and a made-up
accelerator would be worse than none.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from tools.records.catalog import Catalog
from tools.records.read import read_file
from tools.schema.spelling import listed, quoted

KINDS = ("accelerator", "model", "engine")
_OWN_NAMES = ("name", "hf_id")


@dataclass(frozen=True, slots=True)
class Resolved:
    """What a spelling means: an id, or None with the reason and with candidates that it may have meant."""

    id: str | None
    reason: str = ""
    candidates: tuple[str, ...] = ()


@dataclass
class Names:
    """The names of one ledger; `unknown` counts by (kind, spelling) what could not be resolved."""

    catalog: Catalog
    unknown: Counter[tuple[str, str]] = field(default_factory=Counter)
    _known: dict[tuple[str, str], Resolved] = field(default_factory=dict)

    def resolve(self, kind: str, spelling: str, own: Mapping[str, str | None] | None = None) -> Resolved:
        """The id a spelling means; `own` are spellings of the caller, None for one that means no single record."""
        if own is not None and spelling in own:
            chosen = own[spelling]
            if chosen is None:
                return self._missed(kind, spelling, Resolved(None, "the map gives it no record"))
            return Resolved(chosen)
        key = (kind, spelling)
        if key not in self._known:
            self._known[key] = self._resolved(kind, spelling)
        found = self._known[key]
        return found if found.id is not None else self._missed(kind, spelling, found)

    def _missed(self, kind: str, spelling: str, why: Resolved) -> Resolved:
        self.unknown[kind, spelling] += 1
        return why

    def _resolved(self, kind: str, spelling: str) -> Resolved:
        entry = self.catalog.find(spelling)
        if entry is not None and entry.kind == kind:
            return Resolved(spelling)
        for table in (self._aliases, self._folded_aliases, self._own_names):
            meant = table.get((kind, spelling if table is self._aliases else spelling.casefold()))
            if meant is None:
                continue
            if len(meant) == 1 and (only := next(iter(meant))):
                return Resolved(only)
            ids = tuple(sorted(filter(None, meant)))
            return Resolved(None, "it is listed as ambiguous", ids)
        return Resolved(None, "no record has that name", tuple(self.catalog.nearest(spelling, kind, 3)))

    def report(self) -> Iterator[str]:
        """One line for each spelling that was not resolved, the most frequent first."""
        for (kind, spelling), count in self.unknown.most_common():
            why = self._known.get((kind, spelling), Resolved(None, "the map gives it no record"))
            near = f"; nearest: {listed(why.candidates)}" if why.candidates else ""
            yield f"{count} x {kind} {quoted(spelling)}: {why.reason}{near}"

    @cached_property
    def _aliases(self) -> Mapping[tuple[str, str], set[str]]:
        meant: dict[tuple[str, str], set[str]] = {}
        content = read_file(self.catalog.data / "aliases.csv")
        text = content.decode("utf-8", "replace") if isinstance(content, bytes) else ""
        for row in csv.DictReader(io.StringIO(text, newline="")):
            kind, alias, record_id = (row.get(column) for column in ("kind", "alias", "id"))
            if kind and alias:
                meant.setdefault((kind, alias), set()).add(record_id or "")
        return meant

    @cached_property
    def _folded_aliases(self) -> Mapping[tuple[str, str], set[str]]:
        meant: dict[tuple[str, str], set[str]] = {}
        for (kind, alias), ids in self._aliases.items():
            meant.setdefault((kind, alias.casefold()), set()).update(ids)
        return meant

    @cached_property
    def _own_names(self) -> Mapping[tuple[str, str], set[str]]:
        meant: dict[tuple[str, str], set[str]] = {}
        for entry in self.catalog.files():
            if entry.kind not in KINDS:
                continue
            record = self.catalog.record(entry.id) or {}
            for key in _OWN_NAMES:
                if isinstance(name := record.get(key), str):
                    meant.setdefault((entry.kind, name.casefold()), set()).add(entry.id)
        return meant
