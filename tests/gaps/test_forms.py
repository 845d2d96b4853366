"""The report as a reader and as a program get it."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path

import jsonschema
import pytest

from tools.gaps.forms import WIDTH, gaps_json, gaps_markdown, gaps_text
from tools.gaps.scope import Scope
from tools.gaps.sections import GROUPS, sections
from tools.gaps.survey import survey
from tools.records.catalog import Catalog
from tools.schema.vocabulary import vocabulary

TODAY = date(2026, 12, 1)
SCHEMA = json.loads(
    (Path(__file__).parents[2] / "schemas" / "output" / "gaps.schema.json").read_text(encoding="utf-8")
)


def test_the_text(catalog: Catalog, golden: Callable[[str, str], None]) -> None:
    found = survey(catalog, Scope())
    text = gaps_text(found, sections(found, TODAY), 5)
    golden("gaps.txt", text)
    tables = text.partition("To file what a look-up finds:")[0]
    assert max(map(len, tables.splitlines())) <= WIDTH


def test_the_markdown(catalog: Catalog, golden: Callable[[str, str], None]) -> None:
    found = survey(catalog, Scope())
    golden("gaps.md", gaps_markdown(found, sections(found, TODAY), 5))


@pytest.mark.parametrize("by", [None, *GROUPS])
def test_the_json_is_what_its_schema_says(catalog: Catalog, by: str | None) -> None:
    found = survey(catalog, Scope())
    told = json.loads(gaps_json(found, sections(found, TODAY, by)))
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.Draft202012Validator(SCHEMA).validate(told)
    keys = set(told) - set(SCHEMA["required"])
    assert keys == ({GROUPS[by]} if by else set(SCHEMA["properties"]) - set(SCHEMA["required"]))
    assert told["benchmarks"] == {"counted": 4, "complete": 0, "conditions_lacking": 9, "set_aside": 1}


def test_the_schema_has_the_words_of_the_vocabulary() -> None:
    words = vocabulary()
    assert SCHEMA["$defs"]["condition"]["enum"] == list(words.conditions)
    assert SCHEMA["$defs"]["reason"]["enum"] == [*words.enumerations["absence_reason"], "undeclared"]


def test_a_cut_table_says_so(catalog: Catalog) -> None:
    found = survey(catalog, Scope())
    parts = sections(found, TODAY, "accelerator")
    assert "… and 3 more: --top 4 has all" in gaps_text(found, parts, 1)
    assert "… and 3 more" in gaps_markdown(found, parts, 1)
    assert "more:" not in gaps_text(found, parts, 4)
    conditions = gaps_text(found, sections(found, TODAY, "condition"), 1)
    assert all(name in conditions for name in vocabulary().conditions)


def test_what_records_say_cannot_steer_the_reader(root: Path) -> None:
    path = root / "data/benchmarks/hosted-run.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace("note: hosted API; the provider names no part", r'note: "\e[2J<b>@all</b>"'), "utf-8"
    )
    found = survey(Catalog(root), Scope())
    parts = sections(found, TODAY)
    assert "[2J<b>" in gaps_text(found, parts, 5)
    assert "\x1b" not in gaps_text(found, parts, 5)
    page = gaps_markdown(found, parts, 5)
    assert "<b>" not in page
    assert "@all" not in page


def test_an_empty_ledger(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    found = survey(Catalog(tmp_path), Scope())
    parts = sections(found, TODAY)
    assert gaps_text(found, parts, 5).startswith("0 benchmarks\n")
    assert "backfill example" not in gaps_text(found, parts, 5)
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(gaps_json(found, parts)))
