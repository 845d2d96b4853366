"""What an editor needs to complete metrics, units and other words: a schema a kind, and which files follow it.

An editor cannot join schema files that refer to one another by name, so each kind has one self-contained bundle.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from tools.records.catalog import FOLDERS, SUFFIX
from tools.schema.load import bundle

SCHEMAS = "generated/schemas"
"""Folder of the bundles in a ledger."""
SETTINGS = ".vscode/settings.json"


def schema_path(kind: str) -> str:
    """Where a ledger has the bundle of a kind."""
    return f"{SCHEMAS}/{kind}.schema.json"


def editor_files() -> Iterator[tuple[str, str]]:
    """(path in a ledger, text) of the bundles, and of the settings that associate them."""
    for kind in FOLDERS:
        yield schema_path(kind), json.dumps(bundle(kind), indent=2, ensure_ascii=False) + "\n"
    associated = {f"./{schema_path(kind)}": f"data/{folder}/*{SUFFIX}" for kind, folder in FOLDERS.items()}
    yield SETTINGS, json.dumps({"yaml.schemas": associated}, indent=2) + "\n"
