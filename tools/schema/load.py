"""The schema files: found, read once, and joined into one self-contained document per record kind.

The files refer to one another (`vocabulary.schema.json#/$defs/unit`). A *bundle* has every such reference
made local, so that it can be compiled, documented, or handed to an editor or another validator on its own.
Definitions of another file get that file's name in front (`#/$defs/vocabulary.unit`); those of the kind's own
file keep theirs.

Judging values is left to `validate`, reading the annotations to `vocabulary`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from tools.errors import InternalError, ToolsError
from tools.records.layout import KeyOrder

Schema: TypeAlias = dict[str, Any]

SUFFIX = ".schema.json"
SHIPPED = Path(__file__).resolve().parents[1] / "_shipped" / "schemas"
REPOSITORY = Path(__file__).resolve().parents[2] / "schemas"

# Keywords whose value is itself a schema, a list of schemas, or schemas by name. Anything else is data: it is
# never searched for references.
ONE = frozenset({"items", "additionalProperties", "propertyNames", "contains", "not", "if", "then", "else"})
MANY = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
NAMED = frozenset({"properties", "patternProperties", "dependentSchemas", "$defs"})


def directory() -> Path:
    """The folder with the schema files: the one shipped inside the package, else the repository's."""
    for folder in (SHIPPED, REPOSITORY):
        if folder.is_dir():
            return folder
    raise ToolsError(
        f"the schema files are missing: there is neither {SHIPPED} nor {REPOSITORY}",
        "install the package again, or run it from a complete checkout",
    )


@cache
def _contents() -> dict[str, bytes]:
    folder = directory()
    files = {path.name.removesuffix(SUFFIX): path for path in sorted(folder.glob(f"*{SUFFIX}"))}
    try:
        return {stem: path.read_bytes() for stem, path in files.items()}
    except OSError as error:
        raise ToolsError(f"cannot read {error.filename}: {error.strerror}") from error


@cache
def documents() -> dict[str, Schema]:
    """Every schema file as it stands, by its name without `.schema.json`. Shared: not to be changed."""
    loaded = {}
    for stem, content in _contents().items():
        try:
            loaded[stem] = json.loads(content)
        except ValueError as error:
            raise InternalError(f"{stem}{SUFFIX} is not JSON: {error}") from error
    return loaded


@cache
def digest() -> str:
    """A digest of all schema files, names and bytes; it changes whenever a verdict of theirs may."""
    total = hashlib.sha256()
    for stem, content in _contents().items():
        total.update(f"{stem} {len(content)}\n".encode())
        total.update(content)
    return total.hexdigest()


@cache
def kinds() -> tuple[str, ...]:
    """The record kinds, by name: the files whose `kind` property is fixed to a word."""
    found = (document.get("properties", {}).get("kind", {}).get("const") for document in documents().values())
    return tuple(sorted(kind for kind in found if kind in documents()))


@cache
def bundle(kind: str) -> Schema:
    """One self-contained schema for a record kind, shared: not to be changed. Raises `ToolsError` else."""
    if kind not in kinds():
        raise ToolsError(f"there is no record kind `{kind}`", f"the kinds are {', '.join(kinds())}")
    return join_documents(documents(), kind)


def join_documents(files: dict[str, Schema], root: str) -> Schema:
    """The document `root` with all it refers to in other documents below its own `$defs`, by name."""
    waiting: list[tuple[str, str]] = []

    def localised(reference: str, home: str) -> str:
        file, _, fragment = reference.partition("#")
        stem = file.removesuffix(SUFFIX) if file else home
        if stem == root:
            return f"#{fragment}"
        match fragment.split("/"):
            case ["", "$defs", name, *tail] if name in files.get(stem, {}).get("$defs", {}):
                waiting.append((stem, name))
                return "/".join([f"#/$defs/{stem}.{name}", *tail])
        raise InternalError(f"{home}{SUFFIX} refers to `{reference}`, which is not there")

    def copied(schema: Any, home: str) -> Any:
        if not isinstance(schema, dict):
            return schema
        copy: Schema = {}
        for keyword, value in schema.items():
            if keyword == "$ref":
                copy[keyword] = localised(value, home)
            elif keyword in ONE:
                copy[keyword] = copied(value, home)
            elif keyword in MANY:
                copy[keyword] = [copied(branch, home) for branch in value]
            elif keyword in NAMED:
                copy[keyword] = {name: copied(branch, home) for name, branch in value.items()}
            else:
                copy[keyword] = value
        return copy

    joined: Schema = copied(files[root], root)
    foreign: dict[str, Schema] = {}
    while waiting:
        stem, name = waiting.pop()
        if f"{stem}.{name}" not in foreign:
            foreign[f"{stem}.{name}"] = {}
            foreign[f"{stem}.{name}"] = copied(files[stem]["$defs"][name], stem)
    if foreign:
        joined["$defs"] = {**joined.pop("$defs", {}), **dict(sorted(foreign.items()))}
    return joined


def follow(document: Schema, reference: str) -> Schema:
    """What a local reference (`#/$defs/figure`) of a bundle points at."""
    target: Any = document
    for token in reference.removeprefix("#").split("/")[1:]:
        name = token.replace("~1", "/").replace("~0", "~")
        target = target[int(name)] if isinstance(target, list) else target[name]
    found: Schema = target
    return found


def in_place(
    document: Schema, schema: Schema, always: bool = False, seen: frozenset[str] = frozenset()
) -> Iterator[Schema]:
    """The schema and every other that may judge the same value: behind `$ref`, in unions, behind `if`.

    With `always` only those that judge every value. A reference that leads back to itself is followed once.
    """
    if not isinstance(schema, dict):
        return
    yield schema
    reference = schema.get("$ref")
    if reference is not None and reference not in seen:
        yield from in_place(document, follow(document, reference), always, seen | {reference})
    for keyword in ("allOf",) if always else ("allOf", "anyOf", "oneOf"):
        for branch in schema.get(keyword, ()):
            yield from in_place(document, branch, always, seen)
    for keyword in () if always else ("if", "then", "else"):
        if keyword in schema:
            yield from in_place(document, schema[keyword], always, seen)


@cache
def key_order(kind: str) -> KeyOrder:
    """The canonical order of keys in records of a kind: the order of `properties` in the schema."""
    document = bundle(kind)
    return _order(document, [document]) or KeyOrder({}, None)


def _order(document: Schema, schemas: list[Schema], above: frozenset[int] = frozenset()) -> KeyOrder | None:
    """The order of several schemas that judge one value together; None when they name no keys.

    `above` are the schemas that lead here, so that one which contains itself ends the walk.
    """
    met = frozenset(map(id, schemas))
    if met <= above:
        return None
    nodes = [node for schema in schemas for node in in_place(document, schema)]
    # A closed object lists all its keys; others add to some of them and have no say in the order.
    nodes.sort(key=lambda node: node.get("additionalProperties") is not False)
    below: dict[str, list[Schema]] = {}
    elements: list[Schema] = []
    for node in nodes:
        for key, schema in node.get("properties", {}).items():
            below.setdefault(key, []).append(schema)
        if isinstance(node.get("items"), dict):
            elements.append(node["items"])
    items = _order(document, elements, above | met) if elements else None
    if not below and items is None:
        return None
    keys = {key: _order(document, parts, above | met) for key, parts in below.items()}
    return KeyOrder(keys, items)
