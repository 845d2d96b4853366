"""What a study computes, read from a file of the strict YAML subset and judged by `config.schema.json`.

A fault names file and line, and the nearest name where a key is unknown. Nothing has a default: what a study
does stands in its file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, TypeAlias

from tools.errors import ToolsError
from tools.records.parse import Document, parse
from tools.records.pointer import join
from tools.records.read import read_file
from tools.schema.spelling import nearest, quoted
from tools.schema.validate import CompiledSchema

HERE = Path(__file__).resolve().parent
CONFIGS = HERE / "configs"
SCHEMA = HERE / "config.schema.json"
MOST_POINTS = 20_000
"""Points of one study; each becomes a record, a file of about 3 KB."""

_MODE = re.compile(r"[a-z0-9]+(_[a-z0-9]+)*")

Parts: TypeAlias = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Population:
    """How q is distributed over requests: `parts` are (q, share), or q is uniform between `ends`."""

    parts: Parts = ()
    ends: tuple[float, float] | None = None

    @property
    def single(self) -> float | None:
        """The one q of all requests, or None where they differ."""
        return self.parts[0][0] if len(self.parts) == 1 else None

    @property
    def mean(self) -> float:
        """Mean of q over requests."""
        return sum(self.ends) / 2 if self.ends else sum(q * share for q, share in self.parts)


@dataclass(frozen=True, slots=True)
class Citation:
    """A source record, the place in it, and how it was read."""

    source_id: str
    locator: str
    read_from: str


@dataclass(frozen=True, slots=True)
class Study:
    """A configured study; `content` is the text it was read from, `published` the file of figures to reproduce."""

    id: str
    title: str
    date: str
    by: str
    seed: int
    requests: int
    output_length: int
    batch_sizes: tuple[int, ...]
    gammas: tuple[int, ...]
    qualities: Mapping[str, Population]
    serving: Mapping[str, str]
    cost_model: str
    draft_cost_ratio: float
    sources: tuple[Citation, ...]
    published: Path | None
    content: bytes

    @property
    def points(self) -> int:
        """Points of the grid."""
        return len(self.batch_sizes) * len(self.gammas) * len(self.qualities) * len(self.serving)

    def seeded(self, seed: int | None) -> Study:
        """The same study with another seed; None leaves it."""
        return self if seed is None else replace(self, seed=seed)


def find_config(name: str) -> Path:
    """The file that a name means: one of ours, or a path that ends in .yaml. Raises `ToolsError` else."""
    if name.endswith(".yaml"):
        return Path(name)
    own = {path.stem: path for path in sorted(CONFIGS.glob("*.yaml")) if is_study(path)}
    if name not in own:
        near = nearest(name, list(own))
        raise ToolsError(
            f"there is no study `{name}`",
            f"did you mean `{near}`?" if near else f"there is {', '.join(own)}; or name a .yaml file",
        )
    return own[name]


def is_study(path: Path) -> bool:
    """Whether a file configures a study, rather than holding figures for one."""
    value = parse(path.read_bytes()).value
    return isinstance(value, dict) and "grid" in value


def cost_model_of(path: Path) -> str:
    """The cost model that a configuration names: `constant` also where it names none that is known, so that its
    own schema tells what is wrong. A file that cannot be read is left to whoever reads it next."""
    content = read_file(path)
    value = parse(content).value if isinstance(content, bytes) else None
    cost = value.get("cost") if isinstance(value, dict) else None
    return "roofline" if isinstance(cost, dict) and cost.get("model") == "roofline" else "constant"


def load_study(path: Path) -> Study:
    """The study that a file configures. Raises `ToolsError` with file and line for the first fault in it."""
    return _study(path, *read_config(path, SCHEMA))


def read_config(path: Path, schema: Path) -> tuple[Document, bytes]:
    """A document that fits a schema, and its bytes. Raises `ToolsError` with file and line else."""
    content = read_file(path)
    if not isinstance(content, bytes):
        raise ToolsError(f"cannot read {path}: {content.message}", content.hint)
    document = parse(content)
    if document.problems:
        first = document.problems[0]
        raise ToolsError(f"{path}:{first.location.line}: {first.message}", first.hint)
    faults = CompiledSchema(json.loads(schema.read_bytes())).faults(document.value, document.spelling)
    if faults:
        # A misspelt key is also a missing one; the line where it stands tells more.
        fault, more = min(faults, key=lambda fault: fault.keyword == "required"), len(faults) - 1
        line = document.locate(fault.pointer, key=fault.at_key).line
        rest = f" (and {more} more)" if more else ""
        raise ToolsError(f"{path}:{line}: {fault.message}{rest}", fault.hint)
    return document, content


def _study(path: Path, document: Document, content: bytes) -> Study:
    value: Any = document.value

    def refuse(pointer: str, message: str, hint: str) -> ToolsError:
        return ToolsError(f"{path}:{document.locate(pointer, key=True).line}: {message}", hint)

    try:
        date.fromisoformat(value["date"])
    except ValueError:
        raise refuse("/date", f"there is no day {value['date']}", "write the day as YYYY-MM-DD") from None
    for name, population in value["quality"].items():
        if not _MODE.fullmatch(name):
            raise refuse(
                join(["quality", name]),
                f"{quoted(name)} is no name for a quality mode",
                "small letters and digits, words joined by _",
            )
        ends, parts = population.get("uniform"), population.get("mixture")
        if ends and ends["low"] >= ends["high"]:
            raise refuse(f"/quality/{name}/uniform", "low is not below high", "for one value write `q` alone")
        if parts and abs(sum(part["share"] for part in parts) - 1) > 1e-9:
            total = sum(part["share"] for part in parts)
            raise refuse(f"/quality/{name}/mixture", f"the shares sum to {total:g}, not to 1", "")
    largest = max(value["grid"]["batch_size"])
    if 2 * largest > value["requests"]:
        raise refuse(
            "/requests",
            f"{value['requests']} requests make fewer than two batches of {largest}",
            f"ask for at least {2 * largest}; a sampling error needs two batches",
        )
    study = Study(
        id=value["id"],
        title=value["title"],
        date=value["date"],
        by=value["by"],
        seed=value["seed"],
        requests=value["requests"],
        output_length=value["output_length"],
        batch_sizes=tuple(sorted(value["grid"]["batch_size"])),
        gammas=tuple(sorted(value["grid"]["gamma"])),
        qualities={name: _population(given) for name, given in value["quality"].items()},
        serving=dict(value["serving"]),
        cost_model=value["cost"]["model"],
        draft_cost_ratio=float(value["cost"]["draft_cost_ratio"]),
        sources=tuple(Citation(**citation) for citation in value["sources"]),
        published=path.parent / value["published"] if "published" in value else None,
        content=content,
    )
    if study.points > MOST_POINTS:
        raise refuse(
            "/grid",
            f"the grid has {study.points:,} points, which would become as many records "
            f"of about 3 KB ({study.points * 3 / 1024:,.0f} MB)",
            f"a study with records has at most {MOST_POINTS:,} points",
        )
    return study


def _population(given: Mapping[str, Any]) -> Population:
    if "uniform" in given:
        return Population(ends=(given["uniform"]["low"], given["uniform"]["high"]))
    if "mixture" in given:
        return Population(parts=tuple((part["q"], part["share"]) for part in given["mixture"]))
    return Population(parts=((given["q"], 1.0),))
