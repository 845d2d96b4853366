"""Real outputs of the programs: each imports to the figures that it shows, or is refused with the reason.

The files belong to others and are not in this repository; `tests/importers/samples/` has where each is published, its
digest, and the figures as they were read in the file itself. With LEDGER_SAMPLES set to a folder that holds them under
the names there, they are imported and compared:

    python -m tests.importers.samples.published | sh -s - FOLDER
    LEDGER_SAMPLES=FOLDER pytest tests/importers/programs/test_samples.py
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

import pytest

from tests.importers.programs.conftest import absent, laid_out, take_in
from tests.importers.samples.published import SAMPLES, Sample, figures
from tools.importers.programs.registry import LISTED
from tools.schema.vocabulary import vocabulary

ALIASES = """kind,alias,id,seen_in,note
accelerator,NVIDIA A100-SXM4-80GB,example-sxm-80gb,a page,
accelerator,AMD Instinct MI300X 192GB HBM3,example-sxm-80gb,a page,
accelerator,h200,example-sxm-80gb,a page,
accelerator,AMD Radeon 8060S Graphics,example-box-128gb,a page,
accelerator,NVIDIA RTX 6000 Ada Generation,example-card-24gb,a page,
engine,llama.cpp,example-engine,a page,
engine,sglang,example-engine,a page,
engine,vllm,example-engine,a page,
engine,tensorrt-llm,example-engine,a page,
engine,transformers,example-engine,a page,
"""
"""What the files name, as records of the small ledger: which record is not the matter here."""

_SAME = 1e-12
"""Relative; a figure in another unit is rounded once more."""


@pytest.mark.parametrize("sample", SAMPLES, ids=str)
def test_the_list_names_its_sources_and_only_what_there_is(sample: Sample) -> None:
    said = vocabulary()
    assert sample.url is None or sample.url.startswith("https://raw.githubusercontent.com/")
    assert all(len(digest) == 64 for digest in sample.digests)
    assert (sample.format in LISTED) if sample.points else sample.refused
    for point in sample.points:
        assert set(point["absent"]) <= set(said.conditions)
        for (metric, statistic), (_, unit) in figures(point).items():
            assert unit in said.metrics[metric].units
            assert statistic in {"", *said.statistics} or statistic.isdigit()


@pytest.mark.parametrize("sample", SAMPLES, ids=str)
def test_a_published_file_gives_the_figures_that_it_shows(sample: Sample, tmp_path: Path) -> None:
    path = _file(sample.file, sample)
    ledger = laid_out(tmp_path / "ledger")
    (ledger / "data" / "aliases.csv").write_text(ALIASES, encoding="utf-8")
    taken = take_in(ledger, path, log=_file(sample.log, sample) if sample.log else None)
    named = [name for _, name, _ in taken.intake.recognised]
    assert named == ([sample.format] if sample.format else [])
    if sample.refused:
        assert not taken.records
        assert len(taken.reasons) == sample.refusals
        assert all(sample.refused in reason for reason in taken.reasons)
        return
    assert not taken.reasons
    assert len(taken.records) == len(sample.points)
    for record, point in zip(taken.records, sample.points, strict=True):
        _compare(record, point)


def _file(name: str, sample: Sample) -> Path:
    if not (folder := os.environ.get("LEDGER_SAMPLES")):
        pytest.skip(
            "LEDGER_SAMPLES names no folder; python -m tests.importers.samples.published tells where the files are"
        )
    path = Path(folder, name)
    if not path.exists():
        pytest.skip(
            f"{path} is not there; it comes from {sample.url or f'{sample.path} of {sample.repository}'}"
        )
    if (
        name == sample.file
        and (digest := hashlib.sha256(path.read_bytes()).hexdigest()) not in sample.digests
    ):
        pytest.fail(f"{path} has the digest {digest}: it is not the file that the figures were read in")
    return path


def _compare(record: dict[str, Any], point: dict[str, Any]) -> None:
    told = {key: value for key, value in point.items() if key not in ("absent", "figures", "without")}
    assert _said(record, told) == told
    assert set(absent(record)) == set(point["absent"])
    found = {
        (result["metric"], str(result.get("statistic", result.get("position", "")))): (
            result["value"],
            result["unit"],
        )
        for result in record["results"]
    }
    for name, (value, unit) in figures(point).items():
        assert found[name] == (pytest.approx(value, rel=_SAME), unit), name
    for name in point.get("without", ()):
        metric, _, statistic = name.partition(" ")
        assert (metric, statistic) not in found


def _said(record: Any, told: Any) -> Any:
    """What a record says in the places that are told; the first items of a list stand for it."""
    if isinstance(told, dict) and isinstance(record, dict):
        return {key: _said(record.get(key), value) for key, value in told.items()}
    if isinstance(told, list) and isinstance(record, list):
        return [_said(one, other) for one, other in zip(record, told, strict=False)]
    if (
        isinstance(told, (int, float))
        and not isinstance(told, bool)
        and record == pytest.approx(told, rel=_SAME)
    ):
        return told
    return record
