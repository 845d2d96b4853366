"""The manifest of an output folder: what made it, and a digest of everything in it.

It holds no day, host, path or Python version, so that the same study gives the same bytes everywhere the same
libraries are installed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from tools.records.parse import parse
from tools.sweep.config import Study

NAME = "manifest.json"
RECORDS = "records"
LIBRARIES = ("inference-ledger", "numpy", "matplotlib", "duckdb")


def manifest(study: Study, folder: Path, plots: Mapping[str, str]) -> str:
    """The text for the output folder of a study, otherwise complete; `plots` are the fingerprints by name."""
    head: dict[str, Any] = {
        "study": study.id,
        "points": study.points,
        "seed": study.seed,
        "config": parse(study.content).value,
        "inputs": {
            "config_sha256": hashlib.sha256(study.content).hexdigest(),
            "published_sha256": digest(study.published) if study.published else None,
        },
    }
    return manifest_text(head, folder, plots, LIBRARIES)


def manifest_text(
    head: Mapping[str, Any], folder: Path, plots: Mapping[str, str], libraries: Sequence[str]
) -> str:
    """A manifest: what was run, with which versions, and digests of all that lies in the folder."""
    content = {
        **head,
        "versions": {name: _version(name) for name in libraries},
        "plots": dict(plots),
        "records": records_digest(folder / RECORDS),
        "files": {
            name: digest(folder / name) for name in output_files(folder) if not name.startswith(f"{RECORDS}/")
        },
    }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def output_files(folder: Path) -> list[str]:
    """The files of an output folder as paths below it, without its manifest."""
    found = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir())
    return sorted(name for name in found if name != NAME)


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def records_digest(folder: Path) -> dict[str, Any]:
    """How many records there are, and one digest of their names and contents."""
    paths = sorted(folder.iterdir())
    total = hashlib.sha256("".join(f"{path.name} {digest(path)}\n" for path in paths).encode())
    return {"count": len(paths), "sha256": total.hexdigest()}


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
