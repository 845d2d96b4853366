"""Many records at once: stable ids, duplicates, and files that appear together or not at all."""

from __future__ import annotations

import os
import re
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.importers.conftest import MAP, SIGNED, Run
from tools.audit.amendment import Signature
from tools.errors import ToolsError
from tools.importers.batch import Batch
from tools.importers.draft import Citation, Draft, Later, Original
from tools.importers.identity import LONGEST, record_id
from tools.importers.printed import Printed, read_number
from tools.importers.tree import ConflictError
from tools.records.catalog import Catalog
from tools.records.parse import parse
from tools.schema.vocabulary import UnitError

ID = re.compile(r"[a-z0-9]+([.-][a-z0-9]+)*")


def draft(rate: str = "10", place: str = "row 1") -> Draft:
    made = Draft(place)
    made.cite(Citation("example-log", "line 12"))
    made.put("/title", "A run")
    made.put("/evidence", "measured")
    made.put("/measured_by", "self")
    made.put("/conditions/concurrency", 4)
    number = read_number(rate)
    assert number is not None
    made.add_result("tps_aggregate", number, "tok/s", original=Original("rate", number, "tok/s"))
    made.settle()
    return made


@given(st.text(max_size=300))
def test_an_id_is_an_id_whatever_the_text(text: str) -> None:
    made = record_id(text)
    assert ID.fullmatch(made)
    assert len(made) <= LONGEST
    assert made == record_id(text)


def test_long_texts_keep_their_difference() -> None:
    start = "x" * 200
    assert record_id(f"{start}1") != record_id(f"{start}2")
    assert record_id("Llama 3.1, 8B__FP8") == "llama-3.1-8b-fp8"
    assert record_id("v1..2. x") == "v1-2-x"


def test_a_record_that_stands_is_a_duplicate(ledger: Path) -> None:
    folder = ledger / "data" / "benchmarks"
    first = Batch(Catalog(ledger), folder, SIGNED)
    first.add(draft(), "one")
    assert first.write() == 1
    before = (folder / "one.yaml").read_bytes()
    again = Batch(Catalog(ledger), folder, Signature("another", date(2026, 7, 1), "Again."))
    again.add(draft(), "one")
    again.add(draft(), "the-same-under-another-name")
    assert again.duplicates == ["one", "one"]
    assert again.write() == 0
    assert (folder / "one.yaml").read_bytes() == before


def test_a_record_that_says_something_else_is_not_overwritten(ledger: Path) -> None:
    folder = ledger / "data" / "benchmarks"
    first = Batch(Catalog(ledger), folder, SIGNED)
    first.add(draft("10"), "one")
    first.write()
    again = Batch(Catalog(ledger), folder, SIGNED)
    again.add(draft("11"), "one")
    assert (
        again.refusals[0].reason == "`one` stands already and says something else: `tools correct` changes it"
    )
    assert not again.texts


def test_what_was_written_to_another_folder_is_a_duplicate_there(ledger: Path, tmp_path: Path) -> None:
    first = Batch(Catalog(ledger), tmp_path, SIGNED)
    first.add(draft(), "one")
    assert first.write() == 1
    again = Batch(Catalog(ledger), tmp_path, Signature("another", date(2026, 7, 1), "Again."))
    again.add(draft(), "one")
    assert again.duplicates == ["one"]
    other = Batch(Catalog(ledger), tmp_path, SIGNED)
    other.add(draft("11"), "one")
    assert "says something else" in other.refusals[0].reason
    (tmp_path / "one.yaml").write_bytes(b"\xff no record")
    broken = Batch(Catalog(ledger), tmp_path, SIGNED)
    broken.add(draft(), "one")
    assert "says something else" in broken.refusals[0].reason


def test_a_text_that_no_record_can_hold_costs_its_own_record_alone(ledger: Path, tmp_path: Path) -> None:
    batch = Batch(Catalog(ledger), tmp_path, SIGNED)
    for index in range(2):
        half = draft(place=f"row {index}")
        half.put("/technique", {"kind": "other", "note": "\ud800"})
        batch.add(half, f"half-{index}")
    batch.add(draft(), "whole")
    assert [refusal.place for refusal in batch.refusals] == ["row 0", "row 1"]
    assert "half a character" in batch.refusals[0].reason
    assert list(batch.texts) == ["whole"]


def test_one_id_for_two_points_is_refused(ledger: Path) -> None:
    batch = Batch(Catalog(ledger), ledger / "data" / "benchmarks", SIGNED)
    batch.add(draft("10", "row 1"), "one")
    batch.add(draft("11", "row 2"), "one")
    assert list(batch.texts) == ["one"]
    assert batch.refusals[0].reason == "`one` is the id of row 1 already: name more of it in the id"


def test_all_files_or_none(ledger: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "out"
    batch = Batch(Catalog(ledger), folder, SIGNED)
    for index in range(5):
        batch.add(draft(str(index + 1)), f"run-{index}")
    real, given_names = os.link, []

    def link(source: Path, target: Path) -> None:
        if len(given_names) == 3:
            raise OSError(28, "No space left on device")
        given_names.append(target)
        real(source, target)

    monkeypatch.setattr(os, "link", link)
    with pytest.raises(ToolsError, match="No space left"):
        batch.write()
    assert list(folder.iterdir()) == []
    monkeypatch.undo()
    assert batch.write() == 5
    assert len(list(folder.iterdir())) == 5


def test_an_interrupted_batch_leaves_nothing(
    ledger: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "out"
    batch = Batch(Catalog(ledger), folder, SIGNED)
    for index in range(5):
        batch.add(draft(str(index + 1)), f"run-{index}")
    real, given_names = os.link, []

    def link(source: Path, target: Path) -> None:
        real(source, target)
        given_names.append(target)
        if len(given_names) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(os, "link", link)
    with pytest.raises(KeyboardInterrupt):
        batch.write()
    assert list(folder.iterdir()) == []


def test_a_name_that_somebody_took_meanwhile_is_left_alone(ledger: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    batch = Batch(Catalog(ledger), folder, SIGNED)
    batch.add(draft(), "one")
    folder.mkdir()
    (folder / "one.yaml").write_text("mine\n")
    with pytest.raises(ToolsError):
        batch.write()
    assert [(path.name, path.read_text()) for path in folder.iterdir()] == [("one.yaml", "mine\n")]


def test_the_same_row_gives_the_same_file_whatever_stands_around_it(run: Run) -> None:
    alone = run("run,rate\nb,2\n").batch.texts["b"]
    beside = run("run,rate\nb,2\na,1\n").batch.texts["b"]
    assert alone == beside


def test_the_digest_of_a_group_does_not_hang_on_the_other_rows(run: Run) -> None:
    named = {"group": ["run"], "id": "x-{#}"}
    assert set(run("run,rate\nb,2\n", **named).records) < set(run("run,rate\na,1\nb,2\n", **named).records)


def test_a_draft_takes_a_place_once() -> None:
    made = draft()
    made.put("/conditions/concurrency", 4)
    with pytest.raises(ConflictError, match="two values of /conditions/concurrency: 4 and 8"):
        made.put("/conditions/concurrency", 8)
    with pytest.raises(ConflictError, match="stands in the way"):
        made.put("/title/more", 1)
    with pytest.raises(ConflictError, match="in their order"):
        made.put("/accelerator_ids/1", "x")


def test_a_draft_knows_no_metric_or_unit_but_those_of_the_vocabulary() -> None:
    made = draft()
    with pytest.raises(UnitError, match="no metric"):
        made.add_result("speed", Printed(1), "tok/s")
    with pytest.raises(UnitError):
        made.add_result("ttft_ms", Printed(1), "tok/s", statistic="mean")


def test_none_states_nothing_and_zero_is_a_number() -> None:
    made = Draft("x")
    made.put("/notes", None)
    made.count("completed", 0)
    assert made.fields == {"counts": {"completed": 0}}


def test_two_entries_do_not_change_one_place() -> None:
    made = draft()
    later = Later("correction", "why", (), (("/results/0/value", 9),))
    made.amend(later)
    with pytest.raises(ConflictError, match="two audit entries change /results/0/value"):
        made.amend(later)


def test_a_refused_draft_is_counted_with_its_first_reason(ledger: Path) -> None:
    made = draft()
    made.refuse("the server was a mock")
    made.refuse("and more")
    batch = Batch(Catalog(ledger), ledger / "data" / "benchmarks", SIGNED)
    batch.add(made, "one")
    assert [(refusal.place, refusal.reason) for refusal in batch.refusals] == [
        ("row 1", "the server was a mock")
    ]


def test_the_text_is_canonical(run: Run) -> None:
    from tools.records.layout import format_document
    from tools.schema.load import key_order

    text = run(
        "run,rate\na,41.50\n", fields=[*MAP["fields"], {"field": "/notes", "value": "x " * 90 + "y"}]
    ).batch.texts["a"]
    assert format_document(parse(text.encode()), key_order("benchmark")) == text
