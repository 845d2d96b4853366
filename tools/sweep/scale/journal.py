"""Which chunks of a data set are done: a line each while it is under way, a manifest when it is whole.

A folder with `manifest.json` is complete. One with `plan.json` and `done.jsonl` is under way or was interrupted; a line
that was cut by a crash is ignored, and its chunk computed again, to the same bytes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import IO

from tools.errors import ToolsError
from tools.sweep.scale.chunk import Written, remove_partial
from tools.sweep.scale.plan import Plan

PLAN, DONE, MANIFEST = "plan.json", "done.jsonl", "manifest.json"


def begin(folder: Path, plan: Plan, resume: bool) -> dict[int, Written]:
    """Makes the folder ready and gives the chunks that are done in it, by number.

    Raises `ToolsError` where it holds something else, or an interrupted run that nobody asked to resume.
    """
    digest = plan.digest()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        present = {path.name for path in folder.iterdir()}
        if MANIFEST in present:
            raise ToolsError(f"{folder} holds a whole data set already", "name another folder with --out DIR")
        if PLAN not in present:
            if present:
                raise ToolsError(f"{folder} is not empty", "name a new or an empty folder with --out DIR")
            _replace(folder / PLAN, {"digest": digest, **plan.description()})
            return {}
    except OSError as error:
        raise refused(folder, error) from error
    if not resume:
        raise ToolsError(
            f"{folder} holds an interrupted run",
            "continue it with --resume, or name another folder with --out DIR",
        )
    stored = _stored(folder / PLAN)
    if stored != digest:
        raise ToolsError(
            f"{folder} holds an interrupted run of another grid, of other facts or of other versions",
            "call it as it was called then, or name another folder with --out DIR",
        )
    remove_partial(folder)
    return {done.number: done for done in _lines(folder / DONE)}


@contextmanager
def appending(folder: Path) -> Iterator[IO[str]]:
    """The journal, open for more lines. Raises `ToolsError` where it cannot be written."""
    try:
        with (folder / DONE).open("a", encoding="utf-8") as file:
            # After a line that was cut, the next one must stand on its own.
            file.write("\n" if file.tell() else "")
            yield file
    except OSError as error:
        raise refused(folder, error) from error


def note(file: IO[str], done: Written) -> None:
    """Adds a chunk that is in its place."""
    file.write(json.dumps(asdict(done)) + "\n")
    file.flush()
    os.fsync(file.fileno())


def finish(folder: Path, plan: Plan, done: dict[int, Written], share: str | None) -> None:
    """Writes the manifest and takes the journal away: from now on the data set is whole."""
    files = [
        {"path": plan.path(chunk), **asdict(done[chunk.number])}
        for chunk in plan.chunks()
        if chunk.number in done
    ]
    name = MANIFEST if share is None else f"manifest-{share}.json"
    content = {"digest": plan.digest(), **plan.description(), "share": share, "files": files}
    remove_partial(folder)
    _replace(folder / name, content)
    for left in (DONE, PLAN):
        (folder / left).unlink(missing_ok=True)


def abandon(folder: Path) -> None:
    """Takes away what `begin` made, and all below it, after a run in which no chunk was noted."""
    with suppress(OSError):
        for left in (DONE, PLAN):
            (folder / left).unlink(missing_ok=True)
        remove_partial(folder)
        for path in sorted(folder.rglob("*"), reverse=True):
            # A chunk may have come into its place after the run had stopped listening.
            path.rmdir() if path.is_dir() else path.unlink()
        folder.rmdir()


def refused(folder: Path, error: OSError) -> ToolsError:
    """What the system says of a folder that cannot be written."""
    return ToolsError(
        f"cannot write {folder}: {error.strerror or error}",
        "check who may write there and whether the disk is full, or name another folder with --out DIR",
    )


def _replace(path: Path, content: object) -> None:
    fresh = path.with_name(f".{path.name}.new")
    fresh.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    fresh.replace(path)


def _stored(path: Path) -> object:
    try:
        return json.loads(path.read_bytes()).get("digest")
    except (OSError, ValueError, AttributeError):
        return None


def _lines(path: Path) -> Iterator[Written]:
    if not path.is_file():
        return
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            yield Written(**json.loads(line))
        except (ValueError, TypeError):
            continue
