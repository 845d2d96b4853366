"""The ledger itself is a test: every record passes, is in canonical form, and the founding facts are there."""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path

import pytest

from tools.checks.rules import RULES
from tools.checks.run import Report, Run
from tools.finding import Level
from tools.records.catalog import FOLDERS, Catalog, Entry
from tools.schema.canonical import canonical
from tools.schema.references import references

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return Catalog(ROOT)


def _looked_at(catalog: Catalog) -> list[Entry]:
    """All records but the many imported runs, of which it is one in thirty; `make check` asks the command of all."""
    files = catalog.files()
    runs = [entry for entry in files if entry.kind == "benchmark"]
    return [*(entry for entry in files if entry.kind != "benchmark"), *runs[::30]]


@pytest.fixture(scope="module")
def report(catalog: Catalog) -> Report:
    return Run(catalog, RULES, date.today(), whole=False, cached=False).check(_looked_at(catalog))


def test_no_record_has_an_error_or_a_warning(report: Report) -> None:
    assert not report.crashes
    assert [
        finding
        for finding in report.findings
        if finding.level is not Level.INFO and finding.acknowledged is None
    ] == []


def test_every_file_is_a_record_in_canonical_form(catalog: Catalog) -> None:
    changed = []
    for entry in _looked_at(catalog):
        content = Path(entry.path).read_bytes()
        if canonical(entry.kind, content).text.encode() != content:
            changed.append(entry.path)
    assert changed == []


@pytest.mark.parametrize(
    ("kind", "least"), [("accelerator", 60), ("model", 80), ("engine", 20), ("benchmark", 4000)]
)
def test_the_ledger_is_as_large_as_promised(catalog: Catalog, kind: str, least: int) -> None:
    assert sum(entry.kind == kind for entry in catalog.files()) >= least
    assert kind in FOLDERS


def test_every_reference_has_its_way_back(catalog: Catalog, tmp_path: Path) -> None:
    for entry in [*_looked_at(catalog), catalog.require("sd-medusa-batch32-degradation")]:
        place = tmp_path / Path(entry.path).relative_to(ROOT)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(entry.path, place)
    links = Catalog(tmp_path).links(references)
    for citing, targets in links.cites.items():
        for target in targets:
            assert citing in links.cited_by[target]
    assert "sd-medusa-batch32-degradation" in links.cited_by["nvidia-a100-80gb-pcie"]


def test_aliases_lead_to_records(catalog: Catalog) -> None:
    for (kind, spelling), target in catalog.aliases.items():
        entry = catalog.find(target)
        assert (entry.kind if entry else None) == kind, spelling


def test_contested_figures_keep_both_values(catalog: Catalog) -> None:
    def disputed(value: object) -> bool:
        if isinstance(value, dict):
            return "disputed" in value or any(disputed(item) for item in value.values())
        return isinstance(value, list) and any(disputed(item) for item in value)

    contested = [
        entry.id
        for entry in catalog.files()
        if entry.kind == "accelerator" and (catalog.record(entry.id) or {}).get("status") == "contested"
    ]
    assert contested
    assert [record_id for record_id in contested if not disputed(catalog.record(record_id))] == []
