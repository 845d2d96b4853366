"""A git repository for one test: real commits, and none of the settings of whoever runs it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

IDENTITY = {
    f"GIT_{role}_{part}": value
    for role in ("AUTHOR", "COMMITTER")
    for part, value in (
        ("NAME", "Somebody"),
        ("EMAIL", "somebody@example.org"),
        ("DATE", "2026-06-01T12:00:00Z"),
    )
}


class Scratch:
    """A repository in a folder, with `main` as its first branch."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)

    @classmethod
    def start(cls, root: Path) -> Scratch:
        """A new repository, without a commit."""
        scratch = cls(root)
        scratch.git("init", "--quiet", "--initial-branch=main")
        return scratch

    def git(self, *arguments: str, fails: bool = False) -> str:
        """What a git command prints; its failure fails the test unless it `fails` on purpose."""
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        done = subprocess.run(
            ["git", "-c", "protocol.file.allow=always", *arguments],
            cwd=self.root,
            env={**inherited, **IDENTITY, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode != 0) == fails, done.stderr
        return done.stdout.strip()

    def write(self, path: str, text: str) -> Path:
        """Put a file there."""
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8", newline="")
        return place

    def commit(self, message: str = "a step") -> str:
        """Commit everything as it lies there, and give the commit."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.git("rev-parse", "HEAD")

    def clone(self, root: Path, *options: str) -> Scratch:
        """A clone over the file protocol, so that it can be shallow."""
        self.git("clone", "--quiet", *options, self.root.as_uri(), str(root))
        return Scratch(root)
