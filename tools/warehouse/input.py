"""What a warehouse is built from, as digests.

The one of all means that building again would change nothing: it covers the bytes of every record and simulation, the
program with its SQL, the schemas, and the day, which some rules ask for. That of a record covers its bytes and its
place alone.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import NamedTuple

from tools.checks.cache import program
from tools.records.catalog import Catalog
from tools.records.read import read_file
from tools.warehouse.layout import LAYOUT, derived, loaded
from tools.warehouse.simulations import MANIFEST, Simulation


class Digests(NamedTuple):
    """The digest of all input, that of the program alone, and those of the records by id."""

    whole: str
    program: str
    of_records: dict[str, str]


def digests(catalog: Catalog, simulations: Iterable[Simulation], today: date, variant: str) -> Digests:
    """The digests of what a build rests on; `variant` tells apart builds of the same ledger by other options."""
    import duckdb

    tools = _digest(str(LAYOUT), program(), duckdb.__version__, loaded(), *derived())
    of_records = {}
    files = []
    prefix = f"{catalog.root}{os.sep}"
    for entry in catalog.files():
        content = read_file(entry.path)
        # A file that cannot be read has a reason, which the findings tell.
        said = content if isinstance(content, bytes) else content.message
        files.append(_digest(entry.kind, entry.path.removeprefix(prefix), said))
        of_records[entry.id] = files[-1]
    simulated = [
        _digest(simulation.name, _bytes(path))
        for simulation in simulations
        for path in (simulation.results, simulation.results.with_name(MANIFEST))
    ]
    named = catalog.digest()  # Spellings in data/aliases.csv are what findings propose.
    whole = _digest(tools, variant, today.isoformat(), named, *files, *sorted(catalog.misplaced), *simulated)
    return Digests(whole, tools, of_records)


def _digest(*parts: str | bytes) -> str:
    total = hashlib.blake2b(digest_size=32)
    for part in parts:
        content = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        total.update(f"{len(content)} ".encode())
        total.update(content)
    return total.hexdigest()


def _bytes(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""
