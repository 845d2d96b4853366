"""Outcomes of earlier runs, kept in `.cache/validate.json`; safe to delete at any time.

An outcome is taken again only if the file has the same bytes, the same place and the same answers to everything
its rules asked (`Outcome.uses`), and if schema, program, libraries and day are the same: `generation` is a digest
of the latter, and a cache of another generation is ignored whole. A cache that cannot be read or written costs
time, never a finding: the stored text carries its own digest.

The digest guards against damage, not against forgery: whoever can write the cache can also write a digest that
fits. It is a convenience for the person who owns the folder; where the verdict counts, in CI, everything is checked
anew (`--no-cache`).
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import stat
from datetime import date
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeGuard

from tools.checks.outcome import Outcome
from tools.checks.rules import RULES
from tools.finding import Level
from tools.schema.load import digest as schema_digest

LOCATION = Path(".cache") / "validate.json"
MAX_BYTES = 1 << 28
"""A cache larger than this is neither read nor written; that of 100,000 records is far below."""

_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
_LEVELS = frozenset(level.value for level in Level)
_GATHERING = frozenset(rule.name for rule in RULES if rule.gather)


def generation(today: date) -> str:
    """A digest of all that an outcome rests on beside the ledger's own files."""
    return f"{program()} {today.isoformat()}"


def program() -> str:
    """A digest of the schemas, this program and the libraries that judge."""
    parts = [schema_digest(), platform.python_version()]
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
        self.stored: dict[str, Any] = self._load()
        self.changed = False

    def _load(self) -> dict[str, Any]:
        head, _, body = _read(self.path).partition(b"\n")
        if head.decode(errors="replace") != self._head(body):
            return {}
        try:
            loaded = json.loads(body)
        except (ValueError, RecursionError):
            return {}
        return loaded if isinstance(loaded, dict) else {}

    def _head(self, body: bytes) -> str:
        return f"{self.generation} {hashlib.blake2b(body, digest_size=16).hexdigest()}"

    def get(self, file: str, digest: str) -> Outcome | None:
        """The stored outcome of a file with these bytes; whether it still holds is the caller's question."""
        stored = self.stored.get(file)
        if not _is_outcome(stored) or stored[0] != digest:
            return None
        return Outcome.from_json(stored)

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
        text = self._head(body).encode() + b"\n" + body
        if len(text) > MAX_BYTES:
            return
        temporary = self.path.with_suffix(f".{os.getpid()}")
        try:
            self.path.parent.mkdir(exist_ok=True)
            temporary.unlink(missing_ok=True)
            # Never through a link: what has that name by now is not ours.
            with temporary.open("xb") as stream:
                stream.write(text)
            temporary.replace(self.path)
        except OSError:
            with contextlib.suppress(OSError):
                temporary.unlink()


def _read(path: Path) -> bytes:
    """The bytes of an ordinary file within the limit; none of anything else, and nothing that would block."""
    try:
        with os.fdopen(os.open(path, _FLAGS), "rb") as stream:
            status = os.fstat(stream.fileno())
            is_sound = stat.S_ISREG(status.st_mode) and status.st_size <= MAX_BYTES
            content = stream.read(MAX_BYTES + 1) if is_sound else b""
    except OSError:
        return b""
    return content if len(content) <= MAX_BYTES else b""


def _is_outcome(stored: Any) -> TypeGuard[list[Any]]:
    """Whether a stored value has the shape that `Outcome.to_json` gives it."""
    match stored:
        case [str(), bool(), list(findings), dict(facts), dict(uses)]:
            return (
                set(map(type, uses.values())) <= {str}
                and facts.keys() <= _GATHERING
                and all(map(_is_finding, findings))
            )
    return False


def _is_finding(stored: Any) -> bool:
    match stored:
        case [str(), str(level), str(), int(line), int(column), *texts]:
            is_place = type(line) is int and type(column) is int and line > 0 and column > 0
            return (
                level in _LEVELS and is_place and len(texts) == 5 and all(isinstance(t, str) for t in texts)
            )
    return False
