"""What is said about each keyword, as a reviewed table (`cases/wording.yaml`)."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from tools.schema.validate import CompiledSchema, SchemaFault

CASES = yaml.safe_load((Path(__file__).parent / "cases" / "wording.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_the_sentences_of_a_keyword(case: dict[str, Any]) -> None:
    texts = case.get("written", {})
    found = CompiledSchema(case["schema"]).faults(case["value"], lambda pointer: texts.get(pointer, ""))
    assert sorted(found, key=lambda fault: fault.pointer) == [
        SchemaFault(fault["at"], fault.get("key", False), fault["says"], fault["do"], fault["word"] or "null")
        for fault in case["faults"]
    ]


def test_the_names_of_the_cases_are_unique() -> None:
    names = [case["name"] for case in CASES]
    assert len(set(names)) == len(names)
