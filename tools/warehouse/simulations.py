"""The simulated points below generated/: every results.parquet that a sweep wrote, read by its columns.

A simulation is a folder of `generated/sweeps` or `generated/twins` with a results.parquet, and beside it the
manifest.json that says what made it. What a file does not have is empty: each kind of sweep has columns of its own,
and only those that two points are compared by are kept here. The file itself has the rest. A column is taken under any
of the names in `_COLUMNS`; `twin_of` holds the id of the benchmark whose conditions a point repeats, `assumed` the list
of those that had to be assumed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tools.errors import ToolsError
from tools.records.parse import Json
from tools.records.pointer import find
from tools.warehouse.fields import number, text

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

FOLDERS = ("generated/sweeps", "generated/twins")
RESULTS = "results.parquet"
MANIFEST = "manifest.json"
UNSTATED = "unstated"

_COLUMNS: dict[str, tuple[str, tuple[str, ...]]] = {
    "record_id": ("VARCHAR", ("record_id", "id")),
    "twin_of": ("VARCHAR", ("twin_of", "measured_record_id", "benchmark_id")),
    "twin_result_index": ("INTEGER", ("twin_result_index", "result_index")),
    "assumed": ("VARCHAR[]", ("assumed",)),
    "cost_model": ("VARCHAR", ("cost_model",)),
    "model_id": ("VARCHAR", ("model_id", "model")),
    "accelerator_id": ("VARCHAR", ("accelerator_id", "accelerator")),
    "technique": ("VARCHAR", ("technique", "draft")),
    "gamma": ("INTEGER", ("gamma",)),
    "batch_size": ("DOUBLE", ("batch_size",)),
    "context": ("DOUBLE", ("context",)),
    "serving": ("VARCHAR", ("serving",)),
    "synchronisation": ("VARCHAR", ("synchronisation",)),
    "speedup": ("DOUBLE", ("speedup",)),
    "speedup_low": ("DOUBLE", ("speedup_low",)),
    "speedup_high": ("DOUBLE", ("speedup_high",)),
    "acceptance_length": ("DOUBLE", ("acceptance_length", "tau")),
    "acceptance_rate": ("DOUBLE", ("acceptance_rate",)),
    "step_cost": ("DOUBLE", ("step_cost",)),
}
_QUALITY = "quality"
"""A name in one kind of sweep, a chance in another; the type of the column says which."""


class Simulation(NamedTuple):
    """A folder that a sweep wrote: its name, its points, and the manifest (empty where there is none)."""

    name: str
    results: Path
    manifest: Json


def simulations(root: Path) -> list[Simulation]:
    """The simulations of a ledger, by name. Raises `ToolsError` where two have the same one."""
    found: dict[str, Simulation] = {}
    for folder in FOLDERS:
        for path in sorted((root / folder).glob(f"*/{RESULTS}")):
            name = path.parent.name
            if name in found:
                raise ToolsError(
                    f"there are two simulations `{name}`: {found[name].results.parent} and {path.parent}",
                    "give one of them another name",
                )
            found[name] = Simulation(name, path, _manifest(path.with_name(MANIFEST)))
    return [found[name] for name in sorted(found)]


def _manifest(path: Path) -> Json:
    try:
        loaded: Json = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise _unreadable(path, error) from error
    return loaded


def fill_simulations(connection: DuckDBPyConnection, found: list[Simulation]) -> None:
    """Loads the points of each simulation. Raises `ToolsError` for a file that is no Parquet, or has no speedup."""
    import duckdb

    for simulation in found:
        try:
            _fill(connection, simulation)
        except duckdb.Error as error:
            raise _unreadable(simulation.results, error) from error


def _fill(connection: DuckDBPyConnection, simulation: Simulation) -> None:
    file = {"file": str(simulation.results)}
    columns = connection.execute("DESCRIBE SELECT * FROM read_parquet($file)", file).fetchall()
    types = {name: kind for name, kind, *_ in columns}
    if "speedup" not in types:
        raise ToolsError(
            f"{simulation.results} has no column `speedup`, so it is not the table of a sweep",
            "move it out of generated/, or write the folder anew with `tools sweep run`",
        )
    manifest = simulation.manifest
    config = find(manifest, "/config")
    cost_model = text(find(manifest, "/config/cost/model")) or text(find(manifest, "/cost_model")) or UNSTATED
    seed = number(find(manifest, "/seed"))
    connection.execute(
        f"INSERT INTO sweeps SELECT $name, $title, $cost, $seed, $config, count(*) FROM read_parquet($file)",  # noqa: F541
        {
            **file,
            "name": simulation.name,
            "title": text(find(manifest, "/config/title")) or text(find(manifest, "/title")),
            "cost": cost_model,
            "seed": None if seed is None else int(seed),
            "config": None if config is None else json.dumps(config, sort_keys=True),
        },
    )
    names, values = zip(*_selected(types), strict=True)
    connection.execute(
        f"INSERT INTO simulated (sweep_id, point, {', '.join(names)}) "
        f"SELECT $name, file_row_number, {', '.join(values)} "
        "FROM read_parquet($file, file_row_number = true)",
        {**file, "name": simulation.name, **({"cost": cost_model} if "$cost" in " ".join(values) else {})},
    )


def _selected(types: dict[str, str]) -> Iterator[tuple[str, str]]:
    """(column, expression) of each column of `simulated` that the file gives."""
    for name, (kind, spellings) in _COLUMNS.items():
        there = next((spelling for spelling in spellings if spelling in types), None)
        value = f'"{there}"::{kind}'
        if name == "cost_model":
            yield name, "$cost" if there is None else f"coalesce({value}, $cost)"
        elif name == "twin_of" and there is not None:
            # A twin of a record that is gone is the twin of none.
            yield name, f'(SELECT b.record_id FROM benchmarks b WHERE b.record_id = "{there}")'
        elif there is not None:
            yield name, value
    if _QUALITY in types:
        is_name = types[_QUALITY] == "VARCHAR"
        yield ("quality" if is_name else "acceptance"), f"{_QUALITY}::{'VARCHAR' if is_name else 'DOUBLE'}"


def _unreadable(path: Path, error: Exception) -> ToolsError:
    reason = str(error).splitlines()[0]
    return ToolsError(f"cannot read {path}: {reason}", "write the folder anew with `tools sweep run`")
