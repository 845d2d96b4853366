"""The reference page: complete, the same every time, and with links that lead somewhere."""

import re

from tools.schema.described import anchor, rules, type_words
from tools.schema.fields import fields_at
from tools.schema.load import bundle, kinds
from tools.schema.reference import reference
from tools.schema.vocabulary import vocabulary

PAGE = reference()
HEADINGS = re.findall(r"^#+ (.+)$", PAGE, re.MULTILINE)


def section(heading: str) -> str:
    after = PAGE.split(f" {heading}\n", 1)[1]
    return re.split(r"^#+ ", after, maxsplit=1, flags=re.MULTILINE)[0]


def test_the_page_is_the_same_every_time() -> None:
    assert reference() == PAGE
    assert PAGE.endswith("|\n")
    assert "\n\n\n" not in PAGE


def test_every_key_of_every_kind_has_a_row() -> None:
    for kind in kinds():
        table = section(f"Record kind: {kind}")
        for key, schema in bundle(kind)["properties"].items():
            assert f"| `{key}` |" in table
            assert schema["description"] in table


def test_mappings_inside_have_sections() -> None:
    for key in fields_at(bundle("benchmark"), ("conditions", "warmup")):
        assert f"| `{key}` |" in section("benchmark.conditions.warmup")
    assert "| `metric` |" in section("benchmark.results[]")
    assert "| `locator` |" in section("citation")


def test_links_lead_to_headings() -> None:
    anchors = [anchor(heading) for heading in HEADINGS]
    assert len(set(anchors)) == len(anchors)
    assert set(re.findall(r"\]\(#([^)]+)\)", PAGE)) <= set(anchors)


def test_every_word_has_a_row() -> None:
    words = vocabulary()
    for metric in words.metrics.values():
        assert f"| `{metric.name}` |" in section("metric")
        assert metric.definition in section("metric")
    for name, terms in words.enumerations.items():
        for term in terms.values():
            assert f"| `{term.name}` | {term.title} |" in section(name)


def test_examples_are_records_in_canonical_layout() -> None:
    assert PAGE.count("```yaml\n") == sum(len(bundle(kind)["examples"]) for kind in kinds())
    assert "id: example-run\nkind: benchmark\n" in PAGE


def test_tables_are_tables() -> None:
    blocks = re.findall(r"(?:^\|.*\|$\n?)+", PAGE, re.MULTILINE)
    assert len(blocks) > 30
    for block in blocks:
        columns = {len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}
        assert len(columns) == 1, block.splitlines()[0]


def test_types_in_words() -> None:
    def words(schema: dict[str, object]) -> str:
        return type_words({"$defs": {"a.b": {"type": "integer", "minimum": 1}}}, schema, "here")

    assert words({"type": "integer", "minimum": 0}) == "whole number (0 or more)"
    assert words({"type": "number", "exclusiveMinimum": 0, "maximum": 1}) == "number (more than 0, 1 or less)"
    assert (
        words({"type": "string", "pattern": "x", "x-pattern-says": "one line of text"}) == "one line of text"
    )
    assert words({"type": ["number", "string"]}) == "number or text"
    assert words({}) == "any value"
    assert words({"x-refers-to": "any", "$ref": "#/$defs/a.b"}) == "id of any record"
    assert words({"x-refers-to": "model"}) == "id of a record: [model](#record-kind-model)"
    assert words({"const": 1}) == "`1`"
    assert words({"enum": ["GB", "GiB"]}) == "`GB` or `GiB`"
    assert words({"$ref": "#/$defs/a.b"}) == "whole number (1 or more)"
    assert words({"type": "array", "items": {"type": "string"}, "minItems": 2, "uniqueItems": True}) == (
        "list of: text (at least 2, each once)"
    )
    assert (
        words({"if": {"type": "string"}, "then": {"const": "inf"}, "else": {"type": "number"}})
        == "number or `inf`"
    )


def test_rules_in_words() -> None:
    schema = {
        "minProperties": 1,
        "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
        "allOf": [
            {
                "if": {"properties": {"action": {"const": "created"}}},
                "then": {"not": {"required": ["changes"]}},
                "else": {"required": ["date", "by"]},
            },
            {"anyOf": [{"required": ["x"]}], "description": "Says where it is."},
        ],
    }
    assert list(rules(schema)) == [
        "At least 1 of these keys.",
        "At least one of `a` or `b`.",
        "`changes` must not be there when `action` is `created`.",
        "`date` and `by` must be there unless `action` is `created`.",
        "Says where it is.",
    ]
