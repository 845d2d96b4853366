"""Schema files joined into self-contained documents, and the order of keys they give."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tools.errors import InternalError, ToolsError
from tools.schema import load
from tools.schema.load import bundle, documents, follow, join_documents, key_order, kinds


def references(schema: Any) -> Iterator[str]:
    if isinstance(schema, list):
        for item in schema:
            yield from references(item)
    elif isinstance(schema, dict):
        if isinstance(schema.get("$ref"), str):
            yield schema["$ref"]
        for value in schema.values():
            yield from references(value)


@pytest.mark.parametrize("kind", kinds())
def test_a_bundle_refers_only_to_itself(kind: str) -> None:
    document = bundle(kind)
    found = set(references(document))
    assert found
    for reference in found:
        assert reference.startswith("#/$defs/")
        assert isinstance(follow(document, reference), dict)


@pytest.mark.parametrize("kind", kinds())
def test_a_bundle_holds_nothing_that_is_not_used(kind: str) -> None:
    document = bundle(kind)
    used = {reference.removeprefix("#/$defs/").split("/")[0] for reference in references(document)}
    foreign = {name for name in document["$defs"] if "." in name}
    assert foreign <= used


def test_the_kinds_are_the_files_that_fix_a_kind() -> None:
    assert kinds() == ("accelerator", "benchmark", "engine", "model", "source")
    assert {"record", "vocabulary"} <= set(documents())


def test_another_kind_is_an_error_of_the_call() -> None:
    with pytest.raises(ToolsError, match="no record kind `bench`"):
        bundle("bench")


FILES: dict[str, Any] = {
    "run": {
        "properties": {
            "$ref": {"$ref": "words.schema.json#/$defs/name"},
            "own": {"$ref": "#/$defs/name"},
            "deep": {"$ref": "words.schema.json#/$defs/list/items"},
        },
        "$defs": {"name": {"type": "integer"}},
        "examples": [{"$ref": "left alone"}],
    },
    "words": {
        "$defs": {
            "name": {"type": "string"},
            "list": {"items": {"$ref": "#/$defs/name"}, "const": {"$ref": "left alone"}},
            "tree": {"items": {"$ref": "#/$defs/tree"}, "title": {"$ref": "run.schema.json#/$defs/name"}},
            "unused": {},
        }
    },
}


def test_equal_names_of_two_files_are_kept_apart() -> None:
    joined = join_documents(FILES, "run")
    assert joined["properties"]["$ref"] == {"$ref": "#/$defs/words.name"}
    assert joined["properties"]["own"] == {"$ref": "#/$defs/name"}
    assert joined["$defs"]["name"] == {"type": "integer"}
    assert joined["$defs"]["words.name"] == {"type": "string"}
    assert "words.unused" not in joined["$defs"]


def test_a_reference_into_a_definition_keeps_its_tail() -> None:
    joined = join_documents(FILES, "run")
    assert joined["properties"]["deep"] == {"$ref": "#/$defs/words.list/items"}
    assert follow(joined, "#/$defs/words.list/items") == {"$ref": "#/$defs/words.name"}


def test_references_inside_data_are_data() -> None:
    joined = join_documents(FILES, "run")
    assert joined["examples"] == [{"$ref": "left alone"}]
    assert joined["$defs"]["words.list"]["const"] == {"$ref": "left alone"}


def test_joining_leaves_the_files_as_they_were() -> None:
    before = json.dumps(FILES)
    join_documents(FILES, "run")
    assert json.dumps(FILES) == before


def test_a_definition_may_contain_itself() -> None:
    files = {"run": {"$ref": "words.schema.json#/$defs/tree"}, "words": FILES["words"]}
    assert join_documents(files, "run")["$defs"]["words.tree"]["items"] == {"$ref": "#/$defs/words.tree"}


@pytest.mark.parametrize(
    "reference", ["words.schema.json#/$defs/nothing", "words.schema.json", "other.schema.json#/x"]
)
def test_a_reference_to_nothing_is_a_fault_of_ours(reference: str) -> None:
    with pytest.raises(InternalError, match="which is not there"):
        join_documents({"run": {"$ref": reference}, "words": FILES["words"]}, "run")


@pytest.fixture
def _forgetful() -> Iterator[None]:
    cached = (load._contents, load.documents, load.digest, load.kinds, load.bundle, load.key_order)
    for function in cached:
        function.cache_clear()
    yield
    for function in cached:
        function.cache_clear()


@pytest.mark.usefixtures("_forgetful")
def test_schemas_inside_the_package_come_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = tmp_path / "schemas"
    shutil.copytree(load.directory(), shipped)
    before = load.digest()
    load._contents.cache_clear()
    load.digest.cache_clear()
    monkeypatch.setattr(load, "SHIPPED", shipped)
    assert load.directory() == shipped
    assert load.digest() == before
    (shipped / "engine.schema.json").write_text("{}")
    load._contents.cache_clear()
    load.digest.cache_clear()
    assert load.digest() != before
    assert load.kinds() == ("accelerator", "benchmark", "model", "source")


@pytest.mark.usefixtures("_forgetful")
def test_schemas_that_are_missing_or_broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "SHIPPED", tmp_path / "a")
    monkeypatch.setattr(load, "REPOSITORY", tmp_path / "b")
    with pytest.raises(ToolsError, match="the schema files are missing"):
        load.documents()
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "x.schema.json").write_text("{")
    with pytest.raises(InternalError, match=r"x\.schema\.json is not JSON"):
        load.documents()


@pytest.mark.parametrize("kind", kinds())
def test_keys_are_ordered_as_in_the_schema(kind: str) -> None:
    assert list(key_order(kind).keys) == list(bundle(kind)["properties"])


def test_the_order_follows_references_lists_and_forms() -> None:
    order = key_order("benchmark")
    audit = order.keys["audit"]
    assert audit is not None
    assert audit.items is not None
    entry = documents()["record"]["$defs"]["audit_entry"]
    assert list(audit.items.keys) == list(entry["properties"])
    conditions = order.keys["conditions"]
    assert conditions is not None
    load_range = conditions.keys["concurrency"]
    assert load_range is not None
    assert list(load_range.keys) == ["min", "max"]
    results = order.keys["results"]
    assert results is not None
    assert results.items is not None
    assert list(results.items.keys) == list(
        bundle("benchmark")["properties"]["results"]["items"]["properties"]
    )


def test_a_narrowed_definition_keeps_its_own_order() -> None:
    memory = key_order("accelerator").keys["memory"]
    assert memory is not None
    capacity = memory.keys["capacity"]
    assert capacity is not None
    assert list(capacity.keys) == list(bundle("accelerator")["$defs"]["figure"]["properties"])


def test_single_values_have_no_order() -> None:
    assert key_order("benchmark").keys["title"] is None
    assert key_order("benchmark").keys["accelerator_ids"] is None


def test_the_order_of_a_schema_that_contains_itself_ends() -> None:
    tree: dict[str, Any] = {"properties": {"name": {}, "left": {"$ref": "#"}, "right": {"$ref": "#"}}}
    order = load._order(tree, [tree])
    assert order is not None
    assert list(order.keys) == ["name", "left", "right"]
