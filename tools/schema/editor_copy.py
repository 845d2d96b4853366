"""The schemas of one ledger for its editors: the bundles, with the ids of its records offered where one is named.

They change with every record, so they are not committed: they lie in `.cache/editor/`, and can be written again at
any time. An id is offered, never asked for: the record that a new one cites may be in the making.

    source_id: {"$ref": "#/$defs/record.id.source"}
    record.id.source: {"$ref": "#/$defs/record.id", "anyOf": [{"enum": ["a-paper", ...]}, {}]}

The branch that takes anything is what keeps the list open. Of the forms that a schema has for it, only this one did
all that is wanted when tried with the YAML language server 1.25: `examples` are not offered for the items of a list
and fill the hover, and a list beside the pattern of an id (`anyOf: [{enum}, {pattern}]`) also fills the hover with
"allowed values" and answers a misspelled id with all of them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tools.errors import ToolsError
from tools.records.catalog import FOLDERS, Catalog
from tools.records.edit import replace_file
from tools.schema.load import MANY, NAMED, ONE, SUFFIX, Schema, bundle, digest
from tools.schema.references import ANY

EDITOR = ".cache/editor"
"""Folder of these schemas in a ledger."""
STAMP = f"{EDITOR}/written-for"
"""File with a digest of what the schemas were written for."""

Ids = Mapping[str, Sequence[str]]
"""The ids of the records, by kind."""


def editor_path(kind: str) -> str:
    """Where a ledger has the schema of a kind for its editors."""
    return f"{EDITOR}/{kind}{SUFFIX}"


def editor_copy(ids: Ids) -> Iterator[tuple[str, str]]:
    """(path in a ledger, text) of the schemas with these ids; the stamp comes last, when all else is written."""
    for kind in FOLDERS:
        yield editor_path(kind), json.dumps(offering(bundle(kind), ids)) + "\n"
    yield STAMP, _stamp(ids)


def ids_by_kind(catalog: Catalog) -> Ids:
    """The ids that exist in a ledger, by kind."""
    ids: dict[str, list[str]] = {kind: [] for kind in FOLDERS}
    for entry in catalog.entries.values():
        ids[entry.kind].append(entry.id)
    return ids


def refresh_editor_copy(catalog: Catalog, *, make: bool = False) -> None:
    """Writes the schemas again where the ids of a ledger, or the schemas themselves, have changed.

    A ledger that has none gets them only with `make`. What cannot be written stays as it is: an editor that
    offers old ids is no reason to refuse a record. Nothing is written through a link, which may lead out of
    the ledger: the folder can come from a contribution.
    """
    folder = catalog.root / EDITOR
    if not (make or folder.is_dir()) or _is_led_elsewhere(catalog.root):
        return
    ids = ids_by_kind(catalog)
    if _is_current(catalog.root, _stamp(ids)):
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in editor_copy(ids):
            replace_file(catalog.root / name, text)
    except (OSError, ToolsError):
        return


def offering(document: Schema, ids: Ids) -> Schema:
    """A bundle in which every place that names a record offers the ids of its kind."""
    offered: dict[str, Schema] = {}

    def copied(schema: Any) -> Any:
        if not isinstance(schema, dict):
            return schema
        copy: Schema = {}
        for keyword, value in schema.items():
            if keyword in ONE:
                copy[keyword] = copied(value)
            elif keyword in MANY:
                copy[keyword] = [copied(branch) for branch in value]
            elif keyword in NAMED:
                copy[keyword] = {name: copied(branch) for name, branch in value.items()}
            else:
                copy[keyword] = value
        known = _known(ids, schema.get("x-refers-to"))
        if known:
            name = f"{schema['$ref'].removeprefix('#/$defs/')}.{schema['x-refers-to']}"
            offered[name] = {"$ref": schema["$ref"], "anyOf": [{"enum": known}, {}]}
            copy["$ref"] = f"#/$defs/{name}"
        return copy

    whole: Schema = copied(document)
    whole["$defs"] = {**whole.get("$defs", {}), **dict(sorted(offered.items()))}
    return whole


def _known(ids: Ids, kind: str | None) -> list[str]:
    if kind == ANY:
        return [name for names in ids.values() for name in names]
    return list(ids.get(kind or "", ()))


def _stamp(ids: Ids) -> str:
    """Changes with the ids, the schemas, and the program that writes them."""
    total = hashlib.blake2b(Path(__file__).read_bytes(), digest_size=16)
    total.update(digest().encode())
    for kind in FOLDERS:
        total.update("\n".join([kind, *ids.get(kind, ()), ""]).encode("utf-8", "surrogateescape"))
    return f"{total.hexdigest()}\n"


def _is_current(root: Path, stamp: str) -> bool:
    try:
        written = (root / STAMP).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return False
    return written == stamp and all((root / editor_path(kind)).is_file() for kind in FOLDERS)


def _is_led_elsewhere(root: Path) -> bool:
    names = [Path(EDITOR).parent.as_posix(), EDITOR, STAMP, *map(editor_path, FOLDERS)]
    return any((root / name).is_symlink() for name in names)
