"""Evidence and signature as a call gives them."""

from __future__ import annotations

import subprocess
from datetime import date
from pathlib import Path

import pytest

from tools.audit.entry import Evidence
from tools.audit.evidence import read_evidence
from tools.audit.signing import sign
from tools.errors import ToolsError
from tools.records.catalog import Catalog

CASE_LEDGER = Path(__file__).resolve().parents[1] / "cases" / "ledger"
TODAY = date(2026, 3, 2)


def read(text: str, citing: str = "example-run") -> Evidence:
    catalog = Catalog(CASE_LEDGER)
    return read_evidence(text, catalog, catalog.record(citing))


def test_a_source_or_a_record_and_the_place_in_it() -> None:
    assert read("example-paper:Table 3: row 2") == Evidence("example-paper", None, "Table 3: row 2", None)
    assert read("example-7b: /params") == Evidence(None, "example-7b", "/params", None)


def test_the_place_may_be_left_out_where_the_record_says_it() -> None:
    assert read("example-log").locator == "line 12"
    for text in ("example-paper", "example-paper:", "example-7b"):
        with pytest.raises(ToolsError, match="where in") as caught:
            read(text)
        assert "--evidence" in caught.value.hint


def test_two_places_are_no_place() -> None:
    cited = [{"source_id": "example-log", "locator": place} for place in ("line 1", "line 2")]
    with pytest.raises(ToolsError, match="line 1 and at line 2"):
        read_evidence("example-log", Catalog(CASE_LEDGER), {"sources": cited})  # type: ignore[dict-item]


def test_an_unknown_id_gets_the_nearest() -> None:
    with pytest.raises(ToolsError, match="no record `exmaple-log`") as caught:
        read("exmaple-log:line 1")
    assert "example-log" in caught.value.hint


def test_what_a_call_says_is_signed(tmp_path: Path) -> None:
    signed = sign(tmp_path, " me ", "2026-03-01", " Because.\n", (), TODAY)
    assert (signed.by, signed.day, signed.reason) == ("me", date(2026, 3, 1), "Because.")


def test_the_name_comes_from_git_and_the_day_is_today(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    with pytest.raises(ToolsError, match="does not know your name"):
        sign(tmp_path, None, None, "Because.", (), TODAY)
    subprocess.run(["git", "config", "user.name", "Somebody Else"], cwd=tmp_path, check=True)
    signed = sign(tmp_path, None, None, "Because.", (), TODAY)
    assert (signed.by, signed.day) == ("Somebody Else", TODAY)


@pytest.mark.parametrize(
    ("day", "reason", "message"),
    [
        ("2026-03-03", "Because.", "not come yet"),
        ("2026-02-30", "Because.", "not a day"),
        ("yesterday", "Because.", "not a day"),
        (None, "  ", "without words"),
    ],
)
def test_refused(tmp_path: Path, day: str | None, reason: str, message: str) -> None:
    with pytest.raises(ToolsError, match=message):
        sign(tmp_path, "me", day, reason, (), TODAY)
