"""The reference page of the schemas (`docs/schema.md`): every key of every kind, the shared parts, the
vocabulary.

All of it is derived: titles, descriptions and limits from the schema files, metrics and units from the
vocabulary, examples in canonical layout. The same schemas give the same text. Writing the page is left to the
caller.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tools.records.layout import render
from tools.schema.described import KIND_HEADING, is_mapping, rules, type_words
from tools.schema.load import Schema, bundle, documents, key_order, kinds
from tools.schema.spelling import listed, number, quoted
from tools.schema.unions import is_enumeration
from tools.schema.vocabulary import Vocabulary, vocabulary

_INTRODUCTION = """\
# Schema reference

Written by a tool from the files in `schemas/`; change those, not this page.

Every record is one YAML file. A key that is not listed here is refused, and so is a key without a value:
what a source does not state is left out. Keys stand in the order of the tables."""

_METRIC_NOTE = """\
The unit of a result is one of its metric's. *Scope* tells whose number it is; *tokens* which tokens are
counted (`stated`: the result says it in `token_kind`); *better* which way is better. A metric with
*statistic* is a figure of a distribution and names which one."""


def reference() -> str:
    """The whole page as Markdown text, with one newline at its end."""
    blocks: list[str] = [_INTRODUCTION]
    for kind in kinds():
        blocks += _kind(kind)
    blocks.append("## Shared parts")
    for name, part in _shared_parts():
        blocks += _mapping(bundle(_kind_with(name)), part, name.partition(".")[2])
    blocks += _vocabulary(vocabulary())
    return "\n\n".join(blocks) + "\n"


def _kind(kind: str) -> Iterator[str]:
    document = bundle(kind)
    yield f"## {KIND_HEADING}{kind}"
    yield from _mapping(document, document, kind, level=0)
    for name, part in document.get("$defs", {}).items():
        if "." in name:
            continue
        if is_mapping(part):
            yield from _mapping(document, part, name)
        elif is_enumeration(part):
            yield f"### {name}\n\n{part['description']}"
            yield _words_table(part["oneOf"])
    for example in document.get("examples", ()):
        yield f"Example:\n\n```yaml\n{render(example, key_order(kind)).rstrip()}\n```"


def _shared_parts() -> Iterator[tuple[str, Schema]]:
    """Mappings that several kinds use, each once, by their names in a bundle."""
    parts = {name: part for kind in kinds() for name, part in bundle(kind).get("$defs", {}).items()}
    return ((name, part) for name, part in sorted(parts.items()) if "." in name and is_mapping(part))


def _kind_with(name: str) -> str:
    return next(kind for kind in kinds() if name in bundle(kind).get("$defs", {}))


def _mapping(document: Schema, schema: Schema, heading: str, level: int = 3) -> Iterator[str]:
    """A heading, a table of keys and what goes together; then the same for the mappings inside it."""
    if level:
        yield f"{'#' * level} {heading}"
    yield schema.get("description", "")
    required = schema.get("required", ())
    yield _table(
        ("Key", "Type", "Required", "Title", "Description"),
        (
            (
                quoted(key),
                type_words(document, part, _inner(heading, key)),
                "yes" if key in required else "",
                part.get("title", ""),
                _description(part),
            )
            for key, part in schema["properties"].items()
        ),
    )
    sentences = list(rules(schema))
    if sentences:
        yield "\n".join(f"* {sentence}" for sentence in sentences)
    for key, part in schema["properties"].items():
        items = part
        name = _inner(heading, key)
        while "items" in items:
            items, name = items["items"], f"{name}[]"
        if is_mapping(items):
            yield from _mapping(document, items, name)


def _inner(heading: str, key: str) -> str:
    return f"{heading}.{key}"


def _description(schema: Schema) -> str:
    text: str = schema.get("description", "")
    items = schema.get("items", schema)
    if is_enumeration(items):
        words = (f"{quoted(branch['const'])}: {branch['description']}" for branch in items["oneOf"])
        return " ".join([text, *words])
    return text


def _vocabulary(words: Vocabulary) -> Iterator[str]:
    yield "## Vocabulary"
    yield f"### metric\n\n{_METRIC_NOTE}"
    yield _table(
        ("Metric", "Unit", "Scope", "Tokens", "Better", "Statistic", "Definition"),
        (
            (
                quoted(metric.name),
                listed(metric.units),
                metric.scope,
                metric.token_kind,
                metric.direction,
                "yes" if metric.needs_statistic else "",
                f"**{metric.title}.** {metric.definition}",
            )
            for metric in words.metrics.values()
        ),
    )
    definitions = documents()["vocabulary"]["$defs"]
    for name in words.enumerations:
        yield f"### {name}"
        yield definitions[name]["description"]
        yield _words_table(definitions[name]["oneOf"])


def _words_table(branches: list[Schema]) -> str:
    """The words of an enumeration, with a column for each annotation that some of them have."""
    notes = list(dict.fromkeys(key for branch in branches for key in branch if key.startswith("x-")))
    return _table(
        (
            "Word",
            "Title",
            *(note.removeprefix("x-").replace("-", " ").capitalize() for note in notes),
            "Meaning",
        ),
        (
            (
                quoted(branch["const"]),
                branch["title"],
                *(_annotation(branch.get(note, "")) for note in notes),
                branch["description"],
            )
            for branch in branches
        ),
    )


def _annotation(value: str | float | list[str]) -> str:
    if isinstance(value, list):
        return listed(value)
    return value if isinstance(value, str) else number(value)


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    titles = list(head)
    lines = [titles, ["---"] * len(titles), *(list(row) for row in rows)]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
