"""What goes into a warehouse, as one digest: the same digest means that building again would change nothing.

It covers the bytes of every record and simulation, the program with its SQL, the schemas, and the day, which some
rules ask for.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import date
from pathlib import Path

from tools.checks.cache import generation
from tools.records.catalog import Catalog
from tools.records.read import read_file
from tools.warehouse.layout import LAYOUT, derived, loaded
from tools.warehouse.simulations import MANIFEST, Simulation


def input_digest(catalog: Catalog, simulations: Iterable[Simulation], today: date, variant: str) -> str:
    """The digest of all that a build rests on; `variant` tells apart builds of the same ledger by other options."""
    import duckdb

    total = hashlib.blake2b(digest_size=32)

    def add(*parts: str | bytes) -> None:
        for part in parts:
            content = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
            total.update(f"{len(content)} ".encode())
            total.update(content)

    add(str(LAYOUT), variant, generation(today), duckdb.__version__, loaded(), *derived())
    for entry in catalog.files():
        content = read_file(entry.path)
        # A file that cannot be read has a reason, which the findings tell.
        add(entry.kind, entry.path, content if isinstance(content, bytes) else content.message)
    for misplaced in sorted(catalog.misplaced):
        add(misplaced)
    for simulation in simulations:
        for path in (simulation.results, simulation.results.with_name(MANIFEST)):
            add(simulation.name, _bytes(path))
    return total.hexdigest()


def _bytes(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""
