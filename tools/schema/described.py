"""A schema in words: what a value may be, and which keys go together. The cells and sentences of the
reference.

Links point at headings of the reference page; `anchor` makes both ends of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tools.schema.failure import condition_words
from tools.schema.load import Schema, follow
from tools.schema.references import ANY
from tools.schema.spelling import listed, number, quoted
from tools.schema.unions import is_enumeration, tag_of

KIND_HEADING = "Record kind: "
"""What the heading of a record kind begins with."""

_WORDS = {"string": "text", "integer": "whole number", "number": "number", "boolean": "`true` or `false`"}
_LIMITS = (
    ("minimum", "{} or more"),
    ("exclusiveMinimum", "more than {}"),
    ("maximum", "{} or less"),
    ("exclusiveMaximum", "less than {}"),
)


def anchor(heading: str) -> str:
    """The fragment that a Markdown page gives a heading."""
    return re.sub(r"[^a-z0-9 _-]", "", heading.lower()).replace(" ", "-")


def link(heading: str, text: str = "") -> str:
    """A link to a heading of the page, under its own words or other ones."""
    return f"[{text or heading}](#{anchor(heading)})"


def is_mapping(schema: Schema) -> bool:
    """Whether a schema lists the keys of a mapping."""
    return schema.get("type") == "object" and "properties" in schema


def has_page(schema: Schema) -> bool:
    """Whether a definition has a section of its own in the reference instead of a few words in each cell."""
    return is_mapping(schema) or is_enumeration(schema) or tag_of(schema.get("oneOf", [])) is not None


def type_words(document: Schema, schema: Schema, heading: str) -> str:
    """What a value may be, in a few words; `heading` is the section of a mapping described in place."""
    if "x-refers-to" in schema:
        kind = schema["x-refers-to"]
        return "id of any record" if kind == ANY else f"id of a record: {link(KIND_HEADING + kind, kind)}"
    if "$ref" in schema:
        target = follow(document, schema["$ref"])
        words = link(_name(schema)) if has_page(target) else type_words(document, target, heading)
        narrowed = [
            f"`{key}` is {listed(map(str, part['enum']))}"
            for key, part in schema.get("properties", {}).items()
            if set(part) == {"enum"}
        ]
        return "; ".join([words, *narrowed])
    if is_mapping(schema):
        return link(heading)
    if is_enumeration(schema):
        return "one of these words"
    if "const" in schema:
        return quoted(str(schema["const"]))
    if "enum" in schema:
        return listed(map(str, schema["enum"]))
    if schema.get("type") == "array":
        return _list_words(document, schema, heading)
    if "then" in schema and "else" in schema:
        forms = [type_words(document, schema[branch], heading) for branch in ("else", "then")]
        return " or ".join(forms)
    return _scalar_words(schema)


def _name(schema: Schema) -> str:
    """The heading under which the target of a reference is described."""
    name: str = schema["$ref"].rpartition("/")[2]
    return name.rpartition(".")[2]


def _list_words(document: Schema, schema: Schema, heading: str) -> str:
    items = type_words(document, schema.get("items", {}), f"{heading}[]")
    least, unique = schema.get("minItems", 0), schema.get("uniqueItems", False)
    limits = [f"at least {least}"] * (least > 1) + ["each once"] * unique
    return f"list of: {items}" + (f" ({', '.join(limits)})" if limits else "")


def _scalar_words(schema: Schema) -> str:
    if "x-pattern-says" in schema:
        return str(schema["x-pattern-says"])
    types = schema.get("type", [])
    words = " or ".join(_WORDS.get(name, name) for name in ([types] if isinstance(types, str) else types))
    limits = [said.format(number(schema[keyword])) for keyword, said in _LIMITS if keyword in schema]
    return (words or "any value") + (f" ({', '.join(limits)})" if limits else "")


def rules(schema: Schema) -> Iterator[str]:
    """Sentences on which keys go together, beyond those that are always required."""
    if "minProperties" in schema:
        yield f"At least {schema['minProperties']} of these keys."
    if is_mapping(schema) and "$ref" in schema:
        yield f"Some of these keys go together as in {link(_name(schema))}."
    yield from _alternatives(schema)
    for part in [schema, *schema.get("allOf", [])]:
        if "if" in part:
            words = condition_words(part["if"])
            yield from _consequences(part.get("then", {}), f"when {words}")
            yield from _consequences(part.get("else", {}), f"unless {words}")
        if part is not schema:
            yield from _alternatives(part)


def _alternatives(schema: Schema) -> Iterator[str]:
    branches = schema.get("anyOf", [])
    if branches and "description" in schema and "properties" not in schema:
        yield schema["description"]
    elif branches:
        keys = [key for branch in branches for key in branch.get("required", ())]
        yield f"At least one of {listed(keys)}."


def _consequences(schema: Schema, circumstances: str) -> Iterator[str]:
    if "required" in schema:
        yield f"{listed(schema['required'], 'and')} must be there {circumstances}."
    refused = schema.get("not", {}).get("required", ())
    if refused:
        yield f"{listed(refused, 'and')} must not be there {circumstances}."
