"""Schemas that offer the ids of a ledger: everywhere a record is named, without refusing an id that is new."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tools.records.catalog import FOLDERS, Catalog
from tools.schema.editor_copy import (
    EDITOR,
    STAMP,
    editor_copy,
    editor_path,
    ids_by_kind,
    offering,
    refresh_editor_copy,
)
from tools.schema.load import bundle, follow

LEDGER = Path(__file__).parents[1] / "cases" / "ledger"
IDS = {kind: [f"{kind}-one", f"{kind}-two"] for kind in FOLDERS}


def naming(schema: Any) -> Iterator[dict[str, Any]]:
    """Every place of a schema that names another record."""
    if isinstance(schema, dict):
        if "x-refers-to" in schema:
            yield schema
        for value in schema.values():
            yield from naming(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from naming(item)


def offered(document: dict[str, Any], place: dict[str, Any]) -> list[str]:
    """What an editor offers at a place: the words of an enumeration beside or behind its reference."""
    return [
        word for branch in follow(document, place["$ref"]).get("anyOf", ()) for word in branch.get("enum", ())
    ]


def record(ledger: Path, kind: str, name: str) -> None:
    (ledger / "data" / FOLDERS[kind] / f"{name}.yaml").write_text(f"id: {name}\nkind: {kind}\n")


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    for folder in FOLDERS.values():
        (tmp_path / "data" / folder).mkdir(parents=True)
    record(tmp_path, "model", "first-7b")
    return tmp_path


def texts(ledger: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in (ledger / EDITOR).iterdir()}


@pytest.mark.parametrize("kind", FOLDERS)
def test_every_place_that_names_a_record_offers_the_ids_of_its_kind(kind: str) -> None:
    document = offering(bundle(kind), IDS)
    places = list(naming(document))
    assert len(places) == len(list(naming(bundle(kind)))) > 0
    for place in places:
        wanted = place["x-refers-to"]
        everything = [name for names in IDS.values() for name in names]
        assert offered(document, place) == (everything if wanted == "any" else IDS[wanted])


@pytest.mark.parametrize("kind", FOLDERS)
def test_verdicts_are_those_of_the_ledger(kind: str) -> None:
    document = offering(bundle(kind), ids_by_kind(Catalog(LEDGER)))
    jsonschema.Draft202012Validator.check_schema(document)
    for example in bundle(kind)["examples"]:
        # What an example names is in no ledger: an id that is new is no fault.
        assert jsonschema.Draft202012Validator(document).is_valid(example)


def test_what_is_no_id_is_refused_as_before() -> None:
    document = offering(bundle("benchmark"), IDS)
    example = dict(bundle("benchmark")["examples"][0])
    for name, is_valid in (("model-one", True), ("a-new-7b", True), ("No Id", False), (7, False)):
        example["model_id"] = name
        assert jsonschema.Draft202012Validator(document).is_valid(example) is is_valid


def test_without_ids_a_schema_is_the_bundle_itself() -> None:
    for kind in FOLDERS:
        assert offering(bundle(kind), {}) == bundle(kind)


def test_the_bundle_stays_as_it_was() -> None:
    before = json.dumps(bundle("benchmark"))
    offering(bundle("benchmark"), IDS)
    assert json.dumps(bundle("benchmark")) == before


def test_a_ledger_without_the_folder_gets_none_unasked(ledger: Path) -> None:
    refresh_editor_copy(Catalog(ledger))
    assert not (ledger / EDITOR).exists()
    refresh_editor_copy(Catalog(ledger), make=True)
    assert texts(ledger) == {Path(name).name: text for name, text in editor_copy({"model": ["first-7b"]})} | {
        Path(STAMP).name: (ledger / STAMP).read_text()
    }


def test_only_a_change_of_ids_is_written(ledger: Path) -> None:
    refresh_editor_copy(Catalog(ledger), make=True)
    path = ledger / editor_path("benchmark")
    path.write_text("{}")
    refresh_editor_copy(Catalog(ledger))
    assert path.read_text() == "{}"
    record(ledger, "model", "second-7b")
    refresh_editor_copy(Catalog(ledger))
    assert "second-7b" in path.read_text()
    (ledger / "data" / "models" / "first-7b.yaml").unlink()
    refresh_editor_copy(Catalog(ledger))
    assert "first-7b" not in path.read_text()


def test_a_schema_that_is_gone_comes_back(ledger: Path) -> None:
    refresh_editor_copy(Catalog(ledger), make=True)
    before = texts(ledger)
    (ledger / editor_path("engine")).unlink()
    refresh_editor_copy(Catalog(ledger))
    assert texts(ledger) == before


def test_what_cannot_be_written_is_no_trouble(ledger: Path) -> None:
    (ledger / editor_path("benchmark")).mkdir(parents=True)
    refresh_editor_copy(Catalog(ledger))
    (ledger / ".cache" / "editor" / "benchmark.schema.json").rmdir()
    (ledger / EDITOR).rmdir()
    (ledger / EDITOR).write_text("in the way")
    refresh_editor_copy(Catalog(ledger), make=True)
    assert (ledger / EDITOR).read_text() == "in the way"


@pytest.mark.parametrize("link", [".cache", EDITOR, editor_path("model"), STAMP])
def test_nothing_is_written_through_a_link(ledger: Path, tmp_path: Path, link: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "editor").mkdir(parents=True)
    target = elsewhere / "written" if Path(link).suffix or link == STAMP else elsewhere
    (ledger / link).parent.mkdir(parents=True, exist_ok=True)
    (ledger / link).symlink_to(target)
    refresh_editor_copy(Catalog(ledger), make=True)
    assert [path.name for path in elsewhere.rglob("*")] == ["editor"]


def test_a_name_that_is_no_text_does_not_stop_it(ledger: Path) -> None:
    (ledger / "data" / "models" / "caf\udce9.yaml").write_bytes(b"")
    refresh_editor_copy(Catalog(ledger), make=True)
    assert "first-7b" in (ledger / editor_path("model")).read_text()
