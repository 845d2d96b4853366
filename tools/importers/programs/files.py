"""The files of a call: those that are named, and those in folders that are named."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.importers.programs.content import Content, ContentError, read_content
from tools.importers.programs.vllm_log import HEAD, results_in

_FOLDERS_OF_A_RUN = 7
"""As deep as the results of an MLPerf submission lie below the name of their system."""

_LARGEST_LOG = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Found:
    """A file to import; one that was `listed` lies in a folder that was named."""

    path: Path
    shown: str
    listed: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Its name and those of the folders above it, as far as the call has them, the nearest first."""
        return tuple(reversed(Path(self.shown).parts[-_FOLDERS_OF_A_RUN:]))


def files_of(paths: Iterable[Path]) -> Iterator[Found]:
    """The files that are named, and those in folders that are named, in the order of their names; hidden ones not."""
    for path in paths:
        if not path.is_dir():
            yield Found(path, str(path))
            continue
        for inner in sorted(path.rglob("*")):
            hidden = any(part.startswith(".") for part in inner.relative_to(path).parts)
            if inner.is_file() and not hidden:
                yield Found(inner, str(inner), listed=True)


def printed_in(files: Iterable[Found]) -> dict[Path, Content]:
    """The console outputs of one serving run each among the files that lie in folders."""
    found = {}
    for file in files:
        if not file.listed or file.path.stat().st_size > _LARGEST_LOG:
            continue
        if HEAD.encode() not in file.path.read_bytes().lower():
            continue
        try:
            content = read_content(file.path)
        except ContentError:
            continue
        if results_in(content) == 1:
            found[file.path] = content
    return found
