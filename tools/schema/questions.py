"""What a record that is being written still has to say: the open fields of a value, each as a question.

Which keys have to be there depends on what is there already: a metric asks for its statistic, an engine with a
version for its id. So the schema is followed along the value at hand, with the branches that its tags choose;
a field that may be answered in several ways (an address as url, arXiv number or DOI) is one question with
several alternatives. Judging what is there is left to `tools.schema.validate`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from tools.records.parse import Json
from tools.records.pointer import join, split
from tools.schema.load import Schema, bundle, follow

Alternatives: TypeAlias = "tuple[Question, ...]"
"""Questions of which one answer is enough."""
_At: TypeAlias = tuple[str | int, ...]

_GIVEN = frozenset({"id", "kind", "status", "audit"})
"""Keys of a record that are not asked of a contributor: they follow from the call itself."""


@dataclass(frozen=True, slots=True)
class Question:
    """One field without a value. `words` are its values where they are fixed; `refers_to` the kind of the record
    it names; `is_text` tells that an answer is the text as it stands, `is_list` that it may be several."""

    pointer: str
    title: str
    description: str
    words: tuple[str, ...]
    refers_to: str | None
    is_text: bool
    is_list: bool


def open_questions(kind: str, value: dict[str, Json]) -> Iterator[Alternatives]:
    """What a record of a kind has to say and does not yet, in the order of the schema."""
    document = bundle(kind)
    yield from _open(document, [document], value, ())


def ways_to_state(kind: str, value: dict[str, Json], pointers: Iterable[str]) -> Alternatives:
    """The questions of which one answer puts something at one of the pointers, in their order.

    The pointers lead through mappings.
    """
    document = bundle(kind)
    found: dict[str, Question] = {}
    for pointer in pointers:
        at: _At = ()
        schemas, here = [document], value
        for token in split(pointer):
            schemas = _fields(document, schemas, here).get(token, [])
            inner = here.get(token)
            at, here = (*at, token), inner if isinstance(inner, dict) else {}
        for question in _flat(_asked(document, schemas, at, alone=True)):
            found.setdefault(question.pointer, question)
    return tuple(found.values())


def _open(document: Schema, schemas: list[Schema], value: Json, at: _At) -> Iterator[Alternatives]:
    """The open fields at and below a place whose value is there, or is going to be."""
    nodes = [node for schema in schemas for node in _judging(document, schema, value)]
    if isinstance(value, list):
        items = [node["items"] for node in nodes if isinstance(node.get("items"), dict)]
        for index, item in enumerate(value):
            yield from _open(document, items, item, (*at, index))
    if not isinstance(value, dict):
        return
    fields = _fields(document, schemas, value)
    required = {key for node in nodes for key in node.get("required", ())}
    for key, below in fields.items():
        if key in value:
            yield from _open(document, below, value[key], (*at, key))
        elif key in required and not (not at and key in _GIVEN):
            yield from _asked(document, below, (*at, key))
    for node in nodes:
        branches = node.get("anyOf", ())
        if branches and not any(_holds(branch, value) for branch in branches):
            keys = [key for branch in branches for key in branch.get("required", ())]
            yield tuple(_question(document, fields[key], (*at, key)) for key in keys if key in fields)


def _asked(
    document: Schema, schemas: list[Schema], at: _At, *, alone: bool = False
) -> Iterator[Alternatives]:
    """The question of a field that is not there; of a mapping, or a list of them, those of its fields.

    A mapping that may have any of its fields is asked for them where it stands `alone`.
    """
    nodes = [node for schema in schemas for node in _judging(document, schema, None)]
    items = [node["items"] for node in nodes if isinstance(node.get("items"), dict)]
    inner = list(_open(document, items, {}, (*at, 0)) if items else _open(document, schemas, {}, at))
    is_mapping = any(node.get("type") == "object" for node in nodes)
    if inner:
        yield from inner
    elif not (alone and is_mapping):
        yield (_question(document, schemas, at),)


def _flat(asked: Iterable[Alternatives]) -> Iterator[Question]:
    for alternatives in asked:
        yield from alternatives


def _question(document: Schema, schemas: list[Schema], at: _At) -> Question:
    nodes = [node for schema in schemas for node in _judging(document, schema, None, tagless=True)]
    items = [node["items"] for node in nodes if isinstance(node.get("items"), dict)]
    inner = [below for item in items for below in _judging(document, item, None, tagless=True)]
    words = dict.fromkeys(node["const"] for node in nodes if isinstance(node.get("const"), str))
    # A unit of the vocabulary that no metric in question has is no answer.
    listed = [word for node in nodes for word in node.get("enum", ())]
    if listed:
        words = dict.fromkeys(word for word in words or listed if word in listed)
    types = {node["type"] for node in nodes if isinstance(node.get("type"), str)}
    return Question(
        join(list(at)),
        _first(nodes, "title"),
        _first(nodes, "description"),
        tuple(words),
        next((node["x-refers-to"] for node in [*nodes, *inner] if "x-refers-to" in node), None),
        types == {"string"} and not any("if" in node for node in nodes),
        bool(items),
    )


def _first(nodes: list[Schema], keyword: str) -> str:
    return next((node[keyword] for node in nodes if isinstance(node.get(keyword), str)), "")


def _fields(document: Schema, schemas: list[Schema], value: Json) -> dict[str, list[Schema]]:
    """The keys of a mapping, in the order of the schema, each with all that judges its value."""
    known = value if isinstance(value, dict) else {}
    nodes = [node for schema in schemas for node in _judging(document, schema, known)]
    # A closed object lists all its keys, with their words; others only say more of some.
    nodes.sort(key=lambda node: node.get("additionalProperties") is not False)
    fields: dict[str, list[Schema]] = {}
    for node in nodes:
        for key, schema in node.get("properties", {}).items():
            if isinstance(schema, dict):
                fields.setdefault(key, []).append(schema)
    return fields


def _judging(document: Schema, schema: Schema, value: Json, *, tagless: bool = False) -> Iterator[Schema]:
    """The schema and all others that judge a value which is only partly there.

    Of a union the branches that the tags of the value do not contradict; `tagless` takes every branch.
    """
    yield schema
    if "$ref" in schema:
        yield from _judging(document, follow(document, schema["$ref"]), value, tagless=tagless)
    for branch in schema.get("allOf", ()):
        yield from _judging(document, branch, value, tagless=tagless)
    for branch in schema.get("oneOf", ()):
        if tagless or _may_hold(branch, value):
            chosen = branch if tagless or _is_chosen(branch, value) else {**branch, "required": ()}
            yield from _judging(document, chosen, value, tagless=tagless)
    if "if" in schema:
        branch = schema.get("then" if _holds(schema["if"], value) else "else")
        if isinstance(branch, dict):
            yield from _judging(document, branch, value, tagless=tagless)


def _holds(schema: Schema, value: Json) -> bool:
    """Whether a condition holds of what is there: the tags and the keys it names are all that is looked at."""
    types = {"object": dict, "array": list, "string": str}
    if schema.get("type") in types and not isinstance(value, types[schema["type"]]):
        return False
    known = value if isinstance(value, dict) else {}
    tags = {key: tag for key, tag in schema.get("properties", {}).items() if "const" in tag or "enum" in tag}
    return all(key in known for key in (*schema.get("required", ()), *tags)) and all(
        known[key] in tag.get("enum", (tag.get("const"),)) for key, tag in tags.items()
    )


def _may_hold(schema: Schema, value: Json) -> bool:
    """Whether no tag that is there contradicts."""
    known = value if isinstance(value, dict) else {}
    return all(
        "const" not in tag or known[key] == tag["const"]
        for key, tag in schema.get("properties", {}).items()
        if key in known
    )


def _is_chosen(branch: Schema, value: Json) -> bool:
    """Whether a tag that is there names this branch of a union."""
    known = value if isinstance(value, dict) else {}
    return any("const" in tag and key in known for key, tag in branch.get("properties", {}).items())
