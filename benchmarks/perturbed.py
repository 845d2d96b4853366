"""A ledger of any size that is made of the real one: copies of every benchmark on a machine a little slower.

The copies of a round cite copies of their sources and name other systems, so that each round stands for itself in
every question, as measurements of other people would. They share a factor below 1: rates, also the offered one, are
multiplied by it, times and energies for each token or request are divided by it. Whatever the rules derive from one
another then agrees as before, and what is below a limit stays below. Copied as they are: records whose log changes
their numbers, since the log has to replay, and those with a speedup, whose baseline may be another record. The twins
of these are copied with them. A few copies come close to a multiple of another record, which is an error to the
rules. Inputs for timing and nothing else.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from benchmarks.corpus import REPOSITORY
from tools.schema.vocabulary import vocabulary
from tools.warehouse.twins import FILE

FOUNDING = ("sd-medusa-batch1-speedup", "sd-medusa-batch32-degradation")
"""Records that cite one another, which a part of the ledger keeps."""
_STEP = 0.00973
"""By how much each round is slower than the one before."""
MAX_ID = 116
"""Characters that are kept of an id: 120 are allowed, and the end of a long one is its digest."""
_POWERS = {
    "token rate": 1,
    "request rate": 1,
    "sample rate": 1,
    "tokens per energy": 1,
    "time": -1,
    "time per token": -1,
    "energy": -1,
    "energy per token": -1,
    "energy per request": -1,
}
_COPY = re.compile(r"c[0-9]{2}-")
_CITED = re.compile(r"(\bsource_id: )([\w.-]+)")
_SYSTEM = re.compile(r"\bsystem_name: [\w. -]*\w")
_METRIC = re.compile(r"^  - metric: (\w+)$")
_VALUE = re.compile(r"(\bvalue: )(-?[0-9.]+(?:e[-+]?[0-9]+)?)")
_FIELD_POWERS = {"duration_s": -1, "request_rate": 1}
_FIELDS = {field: re.compile(rf"(\b{field}: )([0-9.]+)") for field in _FIELD_POWERS}


def perturbed_ledger(root: Path, records: int) -> Path:
    """A ledger at `root` of so many benchmarks, the real ones first, or of a part of these; gives `root`."""
    shutil.copytree(REPOSITORY / "data", root / "data")
    shutil.copytree(REPOSITORY / "generated", root / "generated", ignore=shutil.ignore_patterns("*.duckdb"))
    folder = root / "data" / "benchmarks"
    paths = sorted(folder.glob("*.yaml"))
    if records < len(paths):
        kept = {paths[number * len(paths) // records] for number in range(records)}
        for path in paths:
            if path not in kept and path.stem not in FOUNDING:
                path.unlink()
        return root
    originals = {path.stem: path.read_text(encoding="utf-8") for path in paths}
    missing = records - len(originals)
    rounds = -(-missing // len(originals))
    for number in range(1, rounds + 1):
        _copy_sources(root / "data" / "sources", number)
        for name, text in list(originals.items())[: missing - (number - 1) * len(originals)]:
            place = folder / f"{copy_id(name, number)}.yaml"
            place.write_text(_own(_slower(text, name, number), number), encoding="utf-8")
    _copy_twins(root / FILE, rounds)
    return root


def _copy_sources(folder: Path, number: int) -> None:
    for path in [path for path in folder.glob("*.yaml") if not _COPY.match(path.stem)]:
        text = path.read_text(encoding="utf-8")
        name = copy_id(path.stem, number)
        (folder / f"{name}.yaml").write_text(
            text.replace(f"id: {path.stem}", f"id: {name}", 1), encoding="utf-8"
        )


def _own(text: str, number: int) -> str:
    """The record with the sources and the system of its round."""
    text = _CITED.sub(lambda found: f"{found[1]}{copy_id(found[2], number)}", text)
    return _SYSTEM.sub(lambda found: f"{found[0]} {number}", text)


def copy_id(name: str, number: int) -> str:
    """The id of the copy of a record in a round."""
    return f"c{number:02d}-{name[-MAX_ID:].lstrip('-.')}"


def _slower(text: str, name: str, number: int) -> str:
    factor = 1 - _STEP * number
    text = text.replace(f"id: {name}\n", f"id: {copy_id(name, number)}\n", 1)
    head, mark, log = text.partition("\naudit:\n")
    if "/value" in log or "metric: speedup_ratio" in head:
        return text
    return "\n".join(_lines(head, factor)) + mark + log


def _lines(head: str, factor: float) -> Iterator[str]:
    power = 0
    for line in head.split("\n"):
        metric = _METRIC.match(line)
        if metric is not None:
            units = vocabulary().metrics[metric[1]].units
            power = _POWERS.get(vocabulary().units[units[0]].dimension, 0)
        elif line and not line.startswith(" "):
            power = 0
        if power:
            line = _scaled(_VALUE, line, factor**power)
        for field, of_field in _FIELDS.items():
            line = _scaled(of_field, line, factor ** _FIELD_POWERS[field])
        yield line


def _scaled(pattern: re.Pattern[str], line: str, factor: float) -> str:
    return pattern.sub(lambda found: f"{found[1]}{float(f'{float(found[2]) * factor:.9g}')!r}", line)


def _copy_twins(file: Path, rounds: int) -> None:
    import duckdb

    place = file.with_suffix(".copy")
    duckdb.execute(
        "COPY (SELECT * REPLACE (CASE number WHEN 0 THEN record_id "
        f"ELSE printf('c%02d-%s', number, ltrim(right(record_id, {MAX_ID}), '-.')) END AS record_id) "
        f"FROM read_parquet($file), range(0, {rounds} + 1) AS of_round(number)) TO '{place}' (FORMAT parquet)",
        {"file": str(file)},
    )
    place.replace(file)
