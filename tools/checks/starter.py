"""An empty ledger: the folders of records, the schemas for editors, and a page that says what to do next.

What is there already is left as it is, so that a repository with a history can become a ledger. The record folders
come last: a call that was cut off has not made a ledger yet, and can be made again.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.errors import ToolsError
from tools.records.catalog import FOLDERS
from tools.records.create import create_file
from tools.schema.editor import editor_files
from tools.schema.editor_copy import editor_copy

_README = """# A ledger

Records of LLM-inference benchmarks, one file a record, in `data/`. Every change of a record is told in its own
audit log.

    tools new source --help          # file a source, then what it says
    tools new benchmark              # at a terminal: asks for what has to be there
    tools validate                   # check everything
    tools validate --base main       # as a pull request would be checked
    tools correct ID POINTER VALUE --reason TEXT --evidence SOURCE:LOCATOR

From another folder, name this one with `--root DIR` or in `TOOLS_ROOT`. Editors with the YAML language server
complete metrics, units and the ids of this ledger by the schemas in `.cache/editor/`, which are not committed:
`tools generate --editor` writes them in a new clone. `tools generate` brings those in `generated/schemas/` up to date
after an upgrade. git keeps no empty folders: the `.gitkeep` files in `data/` can go once there are records.
"""


@dataclass(frozen=True, slots=True)
class Started:
    """The files that were written, and those that were there and stay."""

    written: tuple[str, ...]
    kept: tuple[str, ...]


def start_ledger(root: Path, *, dry_run: bool = False) -> Started:
    """Makes a folder an empty ledger; with `dry_run` only says what would be written.

    Raises `ToolsError` where something is in its data/ already, and where it cannot be written to.
    """
    _refuse_taken(root)
    files = list(_files())
    kept = tuple(name for name, _ in files if os.path.lexists(root / name))
    missing = [(name, text) for name, text in files if name not in kept]
    for name, text in () if dry_run else missing:
        path = root / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ToolsError(f"cannot make the folder {path.parent}: {error.strerror}") from error
        create_file(path, text)
    return Started(tuple(name for name, _ in missing), kept)


def _refuse_taken(root: Path) -> None:
    if os.path.lexists(root) and not root.is_dir():
        raise ToolsError(f"{root} is not a folder", "name a folder, which need not be there yet")
    data = root / "data"
    if not os.path.lexists(data):
        return
    if any((data / folder).is_dir() for folder in FOLDERS.values()):
        raise ToolsError(
            f"{root} holds a ledger already", f"`tools validate --root {root}` says how it stands"
        )
    if not data.is_dir() or any(data.iterdir()):
        raise ToolsError(f"{data} is there and holds something else", "choose another folder, or empty it")


def _files() -> Iterator[tuple[str, str]]:
    yield "README.md", _README
    yield ".gitignore", ".cache/\n"
    yield from editor_files()
    yield from editor_copy({})
    for folder in FOLDERS.values():
        yield f"data/{folder}/.gitkeep", ""
