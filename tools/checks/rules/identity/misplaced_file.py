"""A file in `data/` that is never read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from tools.checks.rule import Fault, PlacedFault, Rule
from tools.finding import Level
from tools.records.catalog import FOLDERS, SUFFIX, Catalog
from tools.records.parse import Json


def survey(_: Mapping[str, Json], catalog: Catalog) -> Iterator[PlacedFault]:
    for path in catalog.misplaced:
        place = Path(path).relative_to(catalog.root).as_posix()
        yield PlacedFault(place, Fault("", "this is never read as a record", _hint(PurePosixPath(place))))


def _hint(place: PurePosixPath) -> str:
    _, *folders, name = place.parts
    if not folders or folders[0] not in FOLDERS.values():
        return f"records lie in {', '.join(f'data/{folder}/' for folder in FOLDERS.values())}"
    if name.endswith(".yml"):
        return f"rename it to {name.removesuffix('.yml')}{SUFFIX}"
    return (
        f"records are files data/{folders[0]}/<id>{SUFFIX}, in no folder below; keep the rest outside data/"
    )


RULE = Rule(
    name="misplaced-file",
    level=Level.ERROR,
    summary="A file in data/ is not in the place of a record and is never read.",
    why=(
        "A record is a file data/<folder>/<id>.yaml, with one of the five folders. Anything else there "
        "(another ending, a folder inside a folder, a misspelled folder) is passed over by every tool: its "
        "author believes that the numbers are in the ledger, and no query ever returns them. Only a check of "
        "the whole ledger sees this."
    ),
    survey=survey,
)
