"""One keyword of a schema that refused one value, with all that a sentence about it needs.

The validator tells the place in the value, the place in the schema and the keyword. Here these are joined
with the value itself, the schema around the keyword, the description of the field, and the circumstances
under which the keyword applies: the `if` it stands behind, the tag whose branch it belongs to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tools.records.parse import Json
from tools.records.pointer import join
from tools.schema.load import NAMED, Schema, follow
from tools.schema.spelling import listed, quoted, shown

if TYPE_CHECKING:
    from jsonschema_rs import ValidationError

Step = str | int


@dataclass(frozen=True, slots=True)
class Failure:
    """One refusal. `at` leads to the value, `route` to the keyword in the bundle `document`.

    `keys` are the missing keys of `required`, the unknown ones of `additionalProperties`; `branches` what
    each branch of a union has against the value; `tag` the key and value that chose the branch the keyword
    stands in.
    """

    document: Schema
    record: Json
    at: tuple[Step, ...]
    route: tuple[Step, ...]
    keyword: str
    schema: Schema
    about: str
    keys: tuple[str, ...] = ()
    branches: tuple[tuple[Failure, ...], ...] = ()
    tag: tuple[str, Json] | None = None

    @classmethod
    def of(cls, document: Schema, record: Json, error: ValidationError) -> Failure:
        """What the validator reports, joined with the record and the schema it is about."""
        route = tuple(error.schema_path)
        keyword = error.kind.name
        depth = len(route) - 1
        if keyword == "propertyNames":
            depth = len(route) - 1 - route[::-1].index("propertyNames")
        elif route and route[-1] == "dependentRequired":
            keyword = "dependentRequired"
        kind: Any = error.kind
        missing = getattr(kind, "property", None)
        return cls(
            document,
            record,
            tuple(error.instance_path),
            route,
            keyword,
            schema_at(document, route[:depth]),
            _about(document, error.evaluation_path),
            (missing,) if missing is not None else tuple(getattr(kind, "unexpected", ())),
            tuple(
                tuple(cls.of(document, record, inner) for inner in branch)
                for branch in getattr(kind, "context", ())
            ),
        )

    @property
    def limit(self) -> Any:
        """The value of the keyword in the schema."""
        return self.schema.get(self.keyword)

    @property
    def value(self) -> Json:
        """The refused value, as the record has it."""
        return value_at(self.record, self.at)

    @property
    def holder(self) -> Json:
        """The mapping or list that has the value in it; the record itself at the top."""
        return value_at(self.record, self.at[:-1])

    @property
    def name(self) -> str:
        """What a sentence calls the value."""
        return naming(self.at)

    @property
    def pointer(self) -> str:
        """JSON Pointer of the value."""
        return join(self.at)

    @property
    def circumstances(self) -> str:
        """When the keyword applies: `when ...`, `unless ...` or `by ...`; empty when it always does."""
        if self.tag is not None:
            return f"by {self.tag[0]} {shown(self.tag[1])}"
        for place in range(len(self.route) - 1, -1, -1):
            before = self.route[place - 1] if place else ""
            if self.route[place] in ("then", "else") and before not in ("properties", "$defs"):
                test = schema_at(self.document, self.route[:place]).get("if", {})
                words = condition_words(test)
                return f"{'when' if self.route[place] == 'then' else 'unless'} {words}" if words else ""
        return ""


def naming(at: Sequence[Step]) -> str:
    """What a sentence calls the value at a place."""
    if not at:
        return "the record"
    last = at[-1]
    if isinstance(last, str):
        return quoted(last)
    parent = next((step for step in reversed(at) if isinstance(step, str)), None)
    return f"an item of {quoted(parent)}" if parent is not None else "an item"


def condition_words(test: Schema) -> str:
    """An `if` in words, such as "`reason` is `unrecoverable`"; empty when it has none."""
    words = []
    for key, schema in test.get("properties", {}).items():
        options = [schema["const"]] if "const" in schema else schema.get("enum")
        if options is not None:
            words.append(f"{quoted(key)} is {listed(map(str, options))}")
    given = [key for key in test.get("required", ()) if key not in test.get("properties", {})]
    words += [f"{quoted(key)} is given" for key in given]
    return " and ".join(words)


def value_at(record: Json, at: Sequence[Step]) -> Json:
    """The value a path of keys and indices leads to."""
    for step in at:
        record = record[step]  # type: ignore[index]
    return record


def schema_at(document: Schema, route: Sequence[Step]) -> Schema:
    """The schema a path of keywords, names and indices leads to; empty for one that is true or false."""
    node: Any = document
    for step in route:
        node = node[step]
    return node if isinstance(node, dict) else {}


def _about(document: Schema, route: Sequence[Step]) -> str:
    """The description nearest to the field: of its property rather than of the definition behind it."""
    node: Any = document
    text = str(document.get("description", ""))
    among_names = False
    for step in route[:-1]:
        if step in NAMED and not among_names:
            node, among_names = node[step], True
            continue
        if among_names or step == "items":
            text = ""
        node = follow(document, node["$ref"]) if step == "$ref" and not among_names else node[step]
        among_names = False
        if isinstance(node, dict) and not text:
            text = str(node.get("description", ""))
    return text
