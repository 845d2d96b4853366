from __future__ import annotations

from pathlib import Path

import pytest

from tools.audit.subject import find_subject
from tools.errors import EXIT_USAGE, ToolsError


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    folder = tmp_path / "data" / "benchmarks"
    folder.mkdir(parents=True)
    (folder / "some-run.yaml").write_text("id: some-run\nkind: benchmark\n", encoding="utf-8")
    (folder / "broken-run.yaml").write_text("{", encoding="utf-8")
    return tmp_path


def test_finds_a_record_of_any_kind(ledger: Path) -> None:
    subject = find_subject(ledger, "some-run")

    assert (subject.id, subject.kind) == ("some-run", "benchmark")
    assert subject.value == {"id": "some-run", "kind": "benchmark"}


def test_an_unknown_id_names_the_nearest(ledger: Path) -> None:
    with pytest.raises(ToolsError, match="no record `some-rum`") as caught:
        find_subject(ledger, "some-rum")

    assert "`some-run`" in caught.value.hint
    assert caught.value.exit_code == EXIT_USAGE


def test_a_file_that_cannot_be_read_is_left_to_validate(ledger: Path) -> None:
    with pytest.raises(ToolsError, match="cannot be read") as caught:
        find_subject(ledger, "broken-run")

    assert "tools validate" in caught.value.hint
