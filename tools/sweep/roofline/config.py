"""A grid of the roofline, from a configuration file or from options: values, lists and ranges FROM:TO:STEP."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from tools.errors import ToolsError
from tools.schema.spelling import quoted
from tools.sweep.config import Citation, Population, read_config
from tools.sweep.roofline.axes import Axes, Places
from tools.sweep.roofline.choice import Proposal

SCHEMA = Path(__file__).with_name("config.schema.json")
LONGEST_AXIS = 100_000
"""Values of one axis."""


@dataclass(frozen=True, slots=True)
class Requests:
    """Requests of several q, for Monte Carlo: how many, how long, and the populations by name."""

    seed: int
    count: int
    output_length: int
    populations: Mapping[str, Population]


@dataclass(frozen=True, slots=True)
class Grid:
    """A configured grid; `content` is the text it was read from."""

    id: str
    title: str
    date: str
    by: str
    axes: Axes
    requests: Requests | None
    sources: tuple[Citation, ...]
    content: bytes


def load_grid(path: Path) -> Grid:
    """The grid that a file configures. Raises `ToolsError` with file and line for a fault in it."""
    document, content = read_config(path, SCHEMA)
    value: Any = document.value
    grid = value["grid"]

    def refuse(pointer: str, error: ToolsError) -> ToolsError:
        return ToolsError(f"{path}:{document.locate(pointer, key=True).line}: {error.message}", error.hint)

    def counts(axis: str) -> tuple[int, ...]:
        try:
            return whole_numbers(axis, grid[axis])
        except ToolsError as error:
            raise refuse(f"/grid/{axis}", error) from error

    try:
        date.fromisoformat(value["date"])
    except ValueError:
        raise refuse("/date", ToolsError(f"there is no day {value['date']}", "write YYYY-MM-DD")) from None
    try:
        places = Places(
            counts("context"),
            counts("batch_size"),
            counts("gamma"),
            numbers("quality", grid["quality"]),
        )
    except ToolsError as error:
        raise error if str(path) in error.message else refuse("/grid", error) from error
    return Grid(
        value["id"],
        value["title"],
        value["date"],
        value["by"],
        Axes(
            tuple(grid["accelerator"]),
            tuple(grid["model"]),
            tuple(_proposal(given) for given in grid["draft"]),
            tuple(grid["engine"]),
            counts("tensor_parallel"),
            grid["precision"],
            grid["cache_precision"],
            grid.get("arithmetic"),
            places,
            float(value["quality_sd"]),
        ),
        _requests(value["populations"], refuse) if "populations" in value else None,
        tuple(Citation(**citation) for citation in value["sources"]),
        content,
    )


def _proposal(given: Mapping[str, Any]) -> Proposal:
    return Proposal(
        given["way"], given.get("nodes"), float(given.get("fill", 1.0)), tuple(given.get("factors", ()))
    )


def _requests(given: Mapping[str, Any], refuse: Any) -> Requests:
    populations = {}
    for name, parts in given["quality"].items():
        total = sum(part["share"] for part in parts)
        if abs(total - 1) > 1e-9:
            raise refuse(f"/populations/quality/{name}", ToolsError(f"the shares sum to {total:g}, not to 1"))
        populations[name] = Population(tuple((part["q"], part["share"]) for part in parts))
    return Requests(given["seed"], given["requests"], given["output_length"], populations)


def whole_numbers(axis: str, given: Iterable[int | str]) -> tuple[int, ...]:
    """The values of an axis of whole numbers, sorted, each once. Raises `ToolsError` for what is none."""
    found = set()
    for value in _values(axis, given):
        if value != value.to_integral_value():
            raise ToolsError(f"a {_named(axis)} of {value} cannot be", "it is a whole number")
        found.add(int(value))
    return tuple(sorted(found))


def numbers(axis: str, given: Iterable[float | str]) -> tuple[float, ...]:
    """The values of an axis, sorted, each once. Raises `ToolsError` for what is no number."""
    return tuple(sorted({float(value) for value in _values(axis, given)}))


def _values(axis: str, given: Iterable[float | str]) -> list[Decimal]:
    """Each number, range or list between commas. In decimals, so that 0.5:0.9:0.1 holds 0.7 and not its neighbour."""
    values: list[Decimal] = []
    for text in given:
        for part in str(text).split(","):
            values += _range(axis, part.strip())
            if len(values) > LONGEST_AXIS:
                raise ToolsError(
                    f"the axis {_named(axis)} has more than {LONGEST_AXIS:,} values",
                    "take a wider step, or several runs",
                )
    return values


def _range(axis: str, text: str) -> list[Decimal]:
    parts = text.split(":")
    try:
        ends = [Decimal(part) for part in parts]
    except InvalidOperation:
        ends = []
    if not 1 <= len(ends) <= 3 or not all(end.is_finite() for end in ends):
        raise ToolsError(
            f"{quoted(text)} is no value of {_named(axis)}",
            "write a number, several with commas between, or FROM:TO or FROM:TO:STEP",
        )
    if len(ends) == 1:
        return ends
    first, last, step = ends[0], ends[1], ends[2] if len(ends) == 3 else Decimal(1)
    if step <= 0 or last < first:
        raise ToolsError(
            f"the range {quoted(text)} of {_named(axis)} is empty", "FROM is at most TO, STEP above 0"
        )
    count = math.floor((last - first) / step) + 1
    return [first + step * number for number in range(min(count, LONGEST_AXIS + 1))]


def _named(axis: str) -> str:
    return axis.replace("_", " ")
