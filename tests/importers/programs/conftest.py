"""Files of programs, written by the test, taken in by the frame the way the command does it."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tools.audit.amendment import Signature
from tools.checks.proposal import judging
from tools.importers.batch import Batch
from tools.importers.names import Names
from tools.importers.programs.content import read_content
from tools.importers.programs.files import files_of
from tools.importers.programs.intake import Intake
from tools.importers.programs.registry import format_named
from tools.importers.programs.sources import read_sources
from tools.records.catalog import Catalog, Entry
from tools.records.parse import parse

ALIASES = """kind,alias,id,seen_in,note
model,owner/example-7b,example-7b,a page,
model,llama 7B Q4_0,example-7b,a page,
accelerator,Example GPU,example-card-24gb,a page,
accelerator,ex100,example-sxm-80gb,a page,
engine,llama.cpp,example-engine,a page,
engine,sglang,example-engine,a page,
engine,vllm,example-engine,a page,
"""
SIGNED = Signature("tester", date(2026, 6, 1), "Imported.")
TODAY = date(2027, 1, 1)


class Taken:
    """What became of some files."""

    def __init__(self, intake: Intake) -> None:
        self.intake, self.batch = intake, intake.batch

    @property
    def records(self) -> list[dict[str, Any]]:
        """The records as a reader has them."""
        return [parse(text.encode()).value for text in self.batch.texts.values()]  # type: ignore[misc]

    @property
    def only(self) -> dict[str, Any]:
        """The one record there is."""
        assert not self.reasons
        (record,) = self.records
        return record

    @property
    def text(self) -> str:
        """The text of all records."""
        return "---\n".join(self.batch.texts.values())

    @property
    def reasons(self) -> list[str]:
        """Why something was refused."""
        return [refusal.reason for refusal in self.batch.refusals]

    @property
    def reason(self) -> str:
        """Why the only thing that there was became no record."""
        assert not self.batch.texts
        (reason,) = self.reasons
        return reason


Take = Callable[..., Taken]


def numbers(record: dict[str, Any]) -> dict[str, Any]:
    """The values of a record by metric, statistic and position."""
    found = {}
    for result in record["results"]:
        words = (str(result[key]) for key in ("metric", "statistic", "position") if key in result)
        found[" ".join(words)] = result["value"]
    return found


def absent(record: dict[str, Any]) -> dict[str, str]:
    """The absent conditions with what would recover them."""
    return {item["condition"]: item.get("would_need", "") for item in record.get("absent", ())}


def lines(*values: Any) -> str:
    """JSONL."""
    return "".join(json.dumps(value) + "\n" for value in values)


def take_in(
    ledger: Path,
    *paths: Path,
    settings: tuple[str, ...] = (),
    sources: tuple[str, ...] = ("example-log:run",),
    **more: Any,
) -> Taken:
    """Take files into a ledger without writing."""
    catalog = Catalog(ledger)
    names = Names(catalog)
    citation, given = read_sources(list(sources), list(settings), names)
    ask = judging(catalog, TODAY)
    folder = ledger / "data" / "benchmarks"
    name, log = more.pop("format", None), more.pop("log", None)
    intake = Intake(
        Batch(catalog, folder, SIGNED),
        names,
        citation,
        given,
        "self",
        lambda record_id, document: ask(
            Entry(record_id, "benchmark", str(folder / f"{record_id}.yaml")), document.text.encode(), document
        ),
        format=format_named(name) if name else None,
        log=read_content(log) if log else None,
        **more,
    )
    intake.take_all(list(files_of(paths)))
    return Taken(intake)


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """A small ledger with aliases for what the programs name."""
    return laid_out(tmp_path / "ledger")


def laid_out(root: Path) -> Path:
    """The small ledger in a folder of its own."""
    import shutil

    cases = Path(__file__).resolve().parents[2] / "cases" / "ledger"
    shutil.copytree(cases, root, ignore=shutil.ignore_patterns(".cache"))
    (root / "data" / "aliases.csv").write_text(ALIASES, encoding="utf-8")
    return root


@pytest.fixture
def take(ledger: Path, tmp_path: Path) -> Take:
    """Take in one file with this content; a value that is no text is written as JSON."""

    def call(content: Any, **more: Any) -> Taken:
        path = tmp_path / "file"
        data = content if isinstance(content, (str, bytes)) else json.dumps(content)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        if isinstance(log := more.get("log"), str):
            (tmp_path / "log").write_text(log, encoding="utf-8")
            more["log"] = tmp_path / "log"
        return take_in(ledger, path, **more)

    return call
