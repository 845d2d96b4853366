"""The simulated points below generated/: every results.parquet that a sweep wrote, and the twins of measured records.

A simulation is a folder of `generated/sweeps` with a results.parquet, and beside it the manifest.json that says what
made it. What a file does not have is empty: each kind of sweep has columns of its own, and only those that two points
are compared by are kept here. The file itself has the rest. A column is taken under any of the names in `_COLUMNS`.
All twins together are one simulation more, whose columns `twins` has.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tools.checks.quantity import number
from tools.errors import ToolsError
from tools.records.parse import Json
from tools.records.pointer import find
from tools.warehouse import twins
from tools.warehouse.fields import text
from tools.warehouse.pattern import literally

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

FOLDER = Path("generated") / "sweeps"
RESULTS = "results.parquet"
MANIFEST = "manifest.json"
UNSTATED = "unstated"
_SEEDS = 2**63
"""Seeds from here on are left empty; they fit into no column."""

_COLUMNS: dict[str, tuple[str, tuple[str, ...]]] = {
    "record_id": ("VARCHAR", ("record_id", "id")),
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
    """What a sweep wrote: its name, its points, the manifest (empty where there is none), whether they are twins."""

    name: str
    results: Path
    manifest: Json
    are_twins: bool = False


def simulations(root: Path) -> list[Simulation]:
    """The simulations of a ledger, by name. Raises `ToolsError` where a sweep is called as the twins are."""
    found = {
        path.parent.name: Simulation(path.parent.name, path, _manifest(path.with_name(MANIFEST)))
        for path in (root / FOLDER).glob(f"*/{RESULTS}")
    }
    path = root / twins.FILE
    if path.exists():
        if twins.NAME in found:
            raise ToolsError(
                f"a sweep has the name of the twins: {found[twins.NAME].results.parent}",
                "give it another name",
            )
        found[twins.NAME] = Simulation(twins.NAME, path, _manifest(path.with_name(MANIFEST)), are_twins=True)
    for simulation in found.values():
        # Reading anything else could wait for ever.
        if not simulation.results.is_file():
            raise ToolsError(f"{simulation.results} is no file", "move it out of generated/")
    return [found[name] for name in sorted(found)]


def _manifest(path: Path) -> Json:
    try:
        if path.exists() and not path.is_file():
            raise ToolsError(f"{path} is no file", "move it out of generated/")
        loaded: Json = json.loads(path.read_bytes())
        # Half a character is no text that a database takes.
        json.dumps(loaded, ensure_ascii=False).encode()
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
            command = "twin" if simulation.are_twins else "run"
            raise _unreadable(simulation.results, error, command) from error


def _fill(connection: DuckDBPyConnection, simulation: Simulation) -> None:
    file = {"file": literally(simulation.results)}
    columns = connection.execute("DESCRIBE SELECT * FROM read_parquet($file)", file).fetchall()
    types = {name: kind for name, kind, *_ in columns}
    if "speedup" not in types and not simulation.are_twins:
        raise ToolsError(
            f"{simulation.results} has no column `speedup`, so it is not the table of a sweep",
            "move it out of generated/, or write the folder anew with `tools sweep run`",
        )
    points = f"read_parquet($file, file_row_number = true) AS twin {twins.OF_RECORDS if simulation.are_twins else ''}"
    manifest = simulation.manifest
    config = find(manifest, "/config")
    cost_model = text(find(manifest, "/config/cost/model")) or text(find(manifest, "/cost_model")) or UNSTATED
    title = text(find(manifest, "/config/title")) or text(find(manifest, "/title"))
    if simulation.are_twins:
        cost_model, title = twins.COST_MODEL, twins.TITLE
    seed = number(find(manifest, "/seed"))
    connection.execute(
        f"INSERT INTO sweeps SELECT $name, $title, $cost, $seed, $config, count(*) FROM {points}",
        {
            **file,
            "name": simulation.name,
            "title": title,
            "cost": cost_model,
            "seed": None if seed is None or abs(seed) >= _SEEDS else int(seed),
            "config": None if config is None else json.dumps(config, sort_keys=True),
        },
    )
    selected = twins.COLUMNS.items() if simulation.are_twins else _selected(types)
    names, values = zip(*selected, strict=True)
    connection.execute(
        f"INSERT INTO simulated (sweep_id, point, {', '.join(names)}) "
        f"SELECT $name, file_row_number, {', '.join(values)} "
        f"FROM {points}",
        {**file, "name": simulation.name, **({"cost": cost_model} if "$cost" in " ".join(values) else {})},
    )


def _selected(types: dict[str, str]) -> Iterator[tuple[str, str]]:
    """(column, expression) of each column of `simulated` that the file gives."""
    for name, (kind, spellings) in _COLUMNS.items():
        there = next((spelling for spelling in spellings if spelling in types), None)
        value = f'"{there}"::{kind}'
        if name == "cost_model":
            yield name, "$cost" if there is None else f"coalesce({value}, $cost)"
        elif there is not None:
            yield name, value
    if _QUALITY in types:
        is_name = types[_QUALITY] == "VARCHAR"
        yield ("quality" if is_name else "acceptance"), f"{_QUALITY}::{'VARCHAR' if is_name else 'DOUBLE'}"


def _unreadable(path: Path, error: Exception, command: str = "run") -> ToolsError:
    reason = str(error).splitlines()[0]
    return ToolsError(f"cannot read {path}: {reason}", f"write the folder anew with `tools sweep {command}`")
