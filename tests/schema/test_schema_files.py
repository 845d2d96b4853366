"""The schema files themselves: valid, closed, described, and meaning the same in every validator."""

import json
import re
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from tools.schema import load
from tools.schema.load import documents, kinds
from tools.schema.unions import is_enumeration, tag_of
from tools.schema.validate import faults

FILES = sorted(documents())

# Keys that narrow what is described elsewhere: inside a condition, an alternative, beside a reference.
NARROWING = ("if", "then", "else", "not", "oneOf", "anyOf", "allOf")


def schemas(schema: Any, route: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """Every schema of a file with the way to it; data such as examples is passed over."""
    if not isinstance(schema, dict):
        return
    yield route, schema
    for keyword, value in schema.items():
        if keyword in load.ONE:
            yield from schemas(value, (*route, keyword))
        elif keyword in load.MANY:
            for place, branch in enumerate(value):
                yield from schemas(branch, (*route, keyword, str(place)))
        elif keyword in load.NAMED:
            for name, branch in value.items():
                yield from schemas(branch, (*route, keyword, name))


def described_properties(stem: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for route, schema in schemas(documents()[stem]):
        if any(step in NARROWING for step in route) or "$ref" in schema:
            continue
        for name, part in schema.get("properties", {}).items():
            yield "/".join((*route, name)), part


@pytest.mark.parametrize("stem", FILES)
def test_a_schema_is_valid_json_schema(stem: str) -> None:
    document = documents()[stem]
    assert document["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert document["$id"] == f"https://ledger.invalid/schemas/v1/{stem}.schema.json"
    jsonschema.Draft202012Validator.check_schema(document)


@pytest.mark.parametrize("kind", kinds())
def test_a_bundle_is_valid_json_schema(kind: str) -> None:
    jsonschema.Draft202012Validator.check_schema(load.bundle(kind))


@pytest.mark.parametrize("kind", kinds())
def test_the_examples_are_valid(kind: str) -> None:
    examples = documents()[kind]["examples"]
    assert examples
    for example in examples:
        assert faults(kind, example) == []


@pytest.mark.parametrize("stem", FILES)
def test_every_property_has_a_title_and_a_description(stem: str) -> None:
    nameless = [
        name
        for name, part in described_properties(stem)
        if not (part.get("title") and part.get("description"))
    ]
    assert nameless == []


@pytest.mark.parametrize("stem", FILES)
def test_every_definition_and_every_word_is_described(stem: str) -> None:
    for name, part in documents()[stem].get("$defs", {}).items():
        assert part.get("title"), name
        assert part.get("description"), name
    for route, schema in schemas(documents()[stem]):
        if is_enumeration(schema):
            for branch in schema["oneOf"]:
                assert branch.get("title"), (route, branch)
                assert branch.get("description"), (route, branch)
            words = [branch["const"] for branch in schema["oneOf"]]
            assert len(set(words)) == len(words), route


@pytest.mark.parametrize("stem", FILES)
def test_descriptions_are_sentences(stem: str) -> None:
    texts = [schema["description"] for _, schema in schemas(documents()[stem]) if "description" in schema]
    assert [text for text in texts if not text.endswith((".", "..."))] == []
    assert [text for text in texts if "\n" in text or text != text.strip()] == []


@pytest.mark.parametrize("stem", FILES)
def test_objects_are_closed(stem: str) -> None:
    for route, schema in schemas(documents()[stem]):
        narrows = any(step in NARROWING for step in route)
        if not narrows and "$ref" not in schema and {"type", "properties"} & set(schema):
            is_open = (
                schema.get("type", "object") == "object" and schema.get("additionalProperties") is not False
            )
            assert not is_open, route
        assert "unevaluatedProperties" not in schema, route


@pytest.mark.parametrize("stem", FILES)
def test_required_keys_are_known_keys(stem: str) -> None:
    for route, schema in schemas(documents()[stem]):
        if schema.get("additionalProperties") is False:
            assert set(schema.get("required", ())) <= set(schema["properties"]), route


@pytest.mark.parametrize("stem", FILES)
def test_patterns_mean_the_same_everywhere(stem: str) -> None:
    for route, schema in schemas(documents()[stem]):
        assert "multipleOf" not in schema, route
        assert "format" not in schema, route
        if "pattern" in schema:
            pattern = schema["pattern"]
            assert pattern.startswith("^"), route
            assert pattern.endswith("$"), route
            assert not re.search(r"\\[dDwWsSbBpP]|\(\?|\.\*", pattern), route
            assert schema.get("x-pattern-says"), route
            assert schema.get("type") == "string", route


@pytest.mark.parametrize("stem", FILES)
def test_unions_are_words_or_tagged(stem: str) -> None:
    for route, schema in schemas(documents()[stem]):
        if "oneOf" in schema:
            assert is_enumeration(schema) or tag_of(schema["oneOf"]), route


@pytest.mark.parametrize("stem", FILES)
def test_numbers_have_a_lower_end_or_a_reason(stem: str) -> None:
    """Only values that may be negative or come from elsewhere are unbounded."""
    free = {
        name.rpartition("/")[2]
        for name, part in described_properties(stem)
        if part.get("type") in ("number", "integer") and not {"minimum", "exclusiveMinimum"} & set(part)
    }
    assert free <= {"value", "low", "high", "claimed_ratio", "claimed_change_percent"}


def test_a_schema_file_is_written_one_way() -> None:
    for path in sorted(load.directory().glob("*.schema.json")):
        text = path.read_text(encoding="utf-8")
        assert text == json.dumps(json.loads(text), indent=2, ensure_ascii=False) + "\n", path.name
