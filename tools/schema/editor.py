"""What an editor needs to complete metrics, units and ids: a schema a kind, and which files follow it.

An editor cannot join schema files that refer to one another by name, so each kind has one self-contained bundle. A
ledger carries the bundles themselves, for other validators and other programs; its editors follow a copy that also
offers the ids of its records (`tools.schema.editor_copy`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from tools.records.catalog import FOLDERS, SUFFIX
from tools.schema.editor_copy import editor_path
from tools.schema.load import bundle

SCHEMAS = "generated/schemas"
"""Folder of the bundles in a ledger."""
SETTINGS = ".vscode/settings.json"


def editor_files() -> Iterator[tuple[str, str]]:
    """(path in a ledger, text) of the bundles, and of the settings that associate the copy for editors."""
    for kind in FOLDERS:
        text = json.dumps(bundle(kind), indent=2, ensure_ascii=False) + "\n"
        yield f"{SCHEMAS}/{kind}.schema.json", text
    associated = {f"./{editor_path(kind)}": f"data/{folder}/*{SUFFIX}" for kind, folder in FOLDERS.items()}
    yield SETTINGS, json.dumps({"yaml.schemas": associated}, indent=2) + "\n"
