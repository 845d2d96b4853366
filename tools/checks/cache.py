"""Outcomes of earlier runs, kept in `.cache/validate.json`; safe to delete at any time.

An outcome is taken again only if the file has the same bytes, the same place and the same answers to everything
its rules asked (`Outcome.uses`), and if schema, program, libraries and day are the same: `generation` is a digest
of the latter, and a cache of another generation is ignored whole. A cache that cannot be read or written costs
time, never a finding: the stored text carries its own digest.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
from datetime import date
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tools.checks.outcome import Outcome
from tools.schema.load import digest as schema_digest

LOCATION = Path(".cache") / "validate.json"


def generation(today: date) -> str:
    """A digest of all that an outcome rests on beside the ledger's own files."""
    parts = [schema_digest(), today.isoformat(), platform.python_version()]
    parts += [_installed(library) for library in ("jsonschema_rs", "yaml._yaml", "rapidfuzz")]
    package = Path(__file__).resolve().parents[1]
    sources = hashlib.blake2b(digest_size=16)
    for source in sorted(package.rglob("*.py")):
        sources.update(str(source.relative_to(package)).encode())
        sources.update(source.read_bytes())
    return " ".join([*parts, sources.hexdigest()])


def _installed(library: str) -> str:
    """Which build of a library is there: the size and time of its file, which cost less to ask than its version."""
    spec = find_spec(library)
    if spec is None or spec.origin is None:
        return library
    status = Path(spec.origin).stat()
    return f"{library} {status.st_size} {status.st_mtime_ns}"


class Cache:
    """Stored outcomes by file name. `changed` tells whether saving would change anything."""

    def __init__(self, root: Path, today: date) -> None:
        self.path = root / LOCATION
        self.generation = generation(today)
        self.stored: dict[str, list[Any]] = self._load()
        self.changed = False

    def _load(self) -> dict[str, list[Any]]:
        try:
            head, _, body = self.path.read_bytes().partition(b"\n")
        except OSError:
            return {}
        if head.decode(errors="replace") != self._head(body):
            return {}
        loaded = json.loads(body)
        return loaded if isinstance(loaded, dict) else {}

    def _head(self, body: bytes) -> str:
        return f"{self.generation} {hashlib.blake2b(body, digest_size=16).hexdigest()}"

    def get(self, file: str, digest: str) -> Outcome | None:
        """The stored outcome of a file with these bytes; whether it still holds is the caller's question."""
        stored = self.stored.get(file)
        return Outcome.from_json(stored) if stored is not None and stored[0] == digest else None

    def put(self, file: str, outcome: Outcome) -> None:
        """Keep an outcome, unless it came from a crash or from a file that could not be read."""
        if outcome.digest and not outcome.crashes:
            self.stored[file] = outcome.to_json()
            self.changed = True

    def keep_only(self, files: set[str]) -> None:
        """Forget files that are gone."""
        gone = self.stored.keys() - files
        for file in gone:
            del self.stored[file]
        self.changed = self.changed or bool(gone)

    def save(self) -> None:
        """Write the cache in one step; a folder that cannot be written is no trouble."""
        if not self.changed:
            return
        body = json.dumps(self.stored, separators=(",", ":")).encode()
        temporary = self.path.with_suffix(f".{os.getpid()}")
        try:
            self.path.parent.mkdir(exist_ok=True)
            temporary.write_bytes(self._head(body).encode() + b"\n" + body)
            temporary.replace(self.path)
        except OSError:
            with contextlib.suppress(OSError):
                temporary.unlink()
