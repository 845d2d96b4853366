"""The files of a ledger at another git revision: which commit is meant, which files differ from it, what they
held there.

Git is asked for facts only, in forms that no name of a file and no setting of a user can bend: names end in NUL,
options are never taken from a caller, and whatever a user has configured for people to look at (renames, colours,
external differs, text conversions) is off. The other side of a comparison is the folder as it lies on the disk:
files that git does not track count, and so do edits that the index was told to overlook.

Paths are relative to the ledger and written with /; what the files mean is left to others.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from tools.errors import ToolsError

FOLDER: Final = "data"
"""The part of a ledger that holds records."""

_CALL: Final = (
    "git",
    "--no-pager",
    "--no-replace-objects",
    "--no-optional-locks",
    "--literal-pathspecs",
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.quotePath=false"),
    *("-c", "core.fileMode=false"),
)
_DIFF: Final = (
    "diff",
    "--name-only",
    "-z",
    "--no-renames",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--ignore-submodules=all",
    "-O/dev/null",
    "--relative",
)
_KEPT: Final = (
    "GIT_CONFIG",
    "GIT_CEILING",
    "GIT_DISCOVERY",
    "GIT_EXEC_PATH",
    "GIT_SSH",
    "GIT_ASKPASS",
    "GIT_SSL",
)
"""Variables of git that stay set. The others say which repository is meant (a hook sets them), and here the
folder says so."""

_TRACKED: Final = "H"
_LEFT_OUT: Final = "Ss"


class Blob(NamedTuple):
    """A file at a revision: git's mode and the name of its content."""

    mode: str
    oid: str

    @property
    def is_ordinary(self) -> bool:
        """Whether it is a file, not a symbolic link or a submodule."""
        return self.mode.startswith("100")


class Repository:
    """The git repository that a ledger lies in; it may begin in a folder above. Raises `ToolsError` if none does."""

    def __init__(self, root: Path) -> None:
        self.root = root
        done = self._run("rev-parse", "--is-inside-work-tree")
        if done.returncode != 0 or done.stdout.strip() != b"true":
            hint = "a comparison needs the history: clone the repository, or leave out what to compare with"
            raise ToolsError(
                f"{root} is not in a git repository", _told(done, "not a git repository") or hint
            )

    @property
    def is_shallow(self) -> bool:
        """Whether the history was cut off when it was fetched."""
        return self._ask("rev-parse", "--is-shallow-repository").strip() == b"true"

    def commit(self, ref: str) -> str:
        """The commit a ref means: a branch, a tag, a hash, or what leads there (HEAD~2, main@{1}).

        Raises `ToolsError` when there is none, with what to fetch.
        """
        found = None if not ref or ref.startswith("-") or "\0" in ref or "\n" in ref else self._resolved(ref)
        if found is None:
            if ref == "HEAD":
                raise ToolsError("the repository has no commit yet", "commit the ledger as it stands first")
            raise ToolsError(
                f"`{ref}` names no commit in this repository",
                f"fetch it with `{self._fetching(ref, into_place=True)}`, or see `git branch --all` for the names",
            )
        return found

    def base(self, ref: str, head: str = "HEAD") -> str:
        """The commit at which the history of `head` left that of `ref`: what a pull request is compared with.

        Raises `ToolsError` when one of them is not there, or their histories do not meet in what was fetched.
        """
        one, other = self.commit(ref), self.commit(head)
        done = self._run("merge-base", one, other)
        if done.returncode == 0:
            return done.stdout.decode("ascii").split()[0]
        if told := _told(done):
            raise ToolsError(f"git cannot say where `{head}` and `{ref}` parted", told)
        if self.is_shallow:
            raise ToolsError(
                f"the history was fetched in part, and where `{head}` and `{ref}` parted is not in it",
                f"fetch the rest with `{self._fetching(ref)}`",
            )
        raise ToolsError(
            f"`{head}` and `{ref}` have no commit in common", "name the branch that this work started from"
        )

    def files(self, commit: str) -> dict[str, Blob]:
        """Every file below `data/` at a commit, by its path."""
        found = {}
        for line in _split(self._ask("ls-tree", "-r", "-z", commit, "--", FOLDER)):
            head, _, path = line.partition("\t")
            mode, _, oid = head.split(" ")
            found[path] = Blob(mode, oid)
        return found

    def changed(self, commit: str) -> set[str]:
        """Paths below `data/` that differ, or may differ, between a commit and the folder as it lies there."""
        differing = set(_split(self._ask(*_DIFF, commit, "--", FOLDER)))
        for line in _split(self._ask("ls-files", "-z", "-v", "--cached", "--others", "--", FOLDER)):
            tag, path = line[0], line[2:]
            if tag == _TRACKED:
                continue
            # A sparse checkout leaves files out on purpose; one that is there all the same may hold an edit.
            if tag not in _LEFT_OUT or os.path.lexists(self.root / path):
                differing.add(path)
        return differing

    def contents(self, blobs: Iterable[Blob]) -> dict[str, bytes]:
        """What some files held, by the name of the content; raises `ToolsError` for one that was not fetched."""
        oids = sorted({blob.oid for blob in blobs})
        stream = self._ask("cat-file", "--batch", stdin="".join(f"{oid}\n" for oid in oids).encode("ascii"))
        found = {}
        start = 0
        while start < len(stream):
            end = stream.index(b"\n", start)
            oid, *rest = stream[start:end].decode("ascii").split(" ")
            if len(rest) < 2:
                raise ToolsError(
                    f"git does not have the content {oid}",
                    "fetch the base again: the copy of its history is not whole",
                )
            start = end + 1
            length = int(rest[1])
            found[oid] = stream[start : start + length]
            start += length + 1
        return found

    def lay_out(self, commit: str, folder: Path) -> None:
        """Write the ordinary files below `data/` of a commit into a folder of their own."""
        blobs = {path: blob for path, blob in self.files(commit).items() if blob.is_ordinary}
        contents = self.contents(blobs.values())
        for path, blob in blobs.items():
            place = folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(contents[blob.oid])

    def _resolved(self, ref: str) -> str | None:
        done = self._run("rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}")
        return done.stdout.decode("ascii").strip() or None if done.returncode == 0 else None

    def _fetching(self, ref: str, into_place: bool = False) -> str:
        """The command that brings a ref and, where the history was cut off, the rest of it.

        With `into_place` the branch gets its name too: a shallow clone follows no other branch than its own.
        """
        name = ref.removeprefix("refs/").removeprefix("remotes/").removeprefix("heads/")
        remotes = self._run("remote").stdout.decode("utf-8", "replace").split()
        remote = next((known for known in remotes if name.startswith(f"{known}/")), None)
        branch = _branch(name.removeprefix(f"{remote}/") if remote else name)
        command = ["git", "fetch", *(["--unshallow"] if self.is_shallow else []), remote or "origin"]
        if branch is None:
            return " ".join(command)
        target = f":refs/remotes/{remote}/{branch}" if into_place and remote else ""
        return " ".join([*command, f"{branch}{target}"])

    def _ask(self, *arguments: str, stdin: bytes = b"") -> bytes:
        done = self._run(*arguments, stdin=stdin)
        if done.returncode != 0:
            raise ToolsError(f"`git {arguments[0]}` failed in {self.root}", _told(done))
        return done.stdout

    def _run(self, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        inherited = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("GIT_") or name.startswith(_KEPT)
        }
        try:
            return subprocess.run(
                [*_CALL, *arguments],
                cwd=self.root,
                input=stdin,
                capture_output=True,
                check=False,
                env={**inherited, "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0"},
            )
        except FileNotFoundError as error:
            raise ToolsError(
                "git is not installed, or not found", "a comparison with a base needs it"
            ) from error


def _split(output: bytes) -> Iterator[str]:
    return (os.fsdecode(item) for item in output.split(b"\0") if item)


def _branch(name: str) -> str | None:
    """The branch in a ref, without the steps that lead on from it; None for a hash or a place in the reflog."""
    for mark in ("~", "^", "@", ":"):
        name = name.partition(mark)[0]
    is_hash = len(name) >= 7 and all(character in "0123456789abcdef" for character in name)
    plain = all(character.isalnum() or character in "/._-+" for character in name)
    return name if plain and name and name != "HEAD" and not is_hash and not name.startswith("-") else None


def _told(done: subprocess.CompletedProcess[bytes], apart_from: str = "") -> str:
    """Git's own words on a failure, unless they say what is known; its first line says what is wrong."""
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    said = lines[0].removeprefix("fatal: ").removeprefix("error: ") if lines else ""
    return "" if apart_from and apart_from in said else f"git says: {said}" if said else ""
