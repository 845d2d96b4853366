"""Where real outputs of the programs are published, and what each of them shows.

One file a program. `commit` and `path` name a file of a public GitHub repository; `sha256` is the digest of what the
figures were read in, and `published` that of the file there: `true` for the same, left out where only a part of it was
read or nobody could compare. `cut` says what was left away. A figure stands in the unit of its metric.

Run as a module, this prints the commands of a shell that get the published files into a folder, its $1.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tools.records.parse import parse


@dataclass(frozen=True)
class Sample:
    """One output, and what becomes of it: points, or a refusal with a part of its reason."""

    file: str
    """Its name in the folder of whoever has it."""
    repository: str
    path: str
    sha256: str
    commit: str = ""
    release: str = ""
    published: str | bool = ""
    cut: str = ""
    note: str = ""
    log: str = ""
    format: str = ""
    """What `auto` recognises; empty for nothing."""
    refused: str = ""
    refusals: int = 0
    points: tuple[dict[str, Any], ...] = ()

    def __str__(self) -> str:
        return f"{self.file} with its log" if self.log else self.file

    @property
    def digests(self) -> tuple[str, ...]:
        """The digests of files that show the figures."""
        return (
            (self.sha256, self.published)
            if isinstance(self.published, str) and self.published
            else (self.sha256,)
        )

    @property
    def url(self) -> str | None:
        """Where the file is published; None for a part of a page, or one that nobody could compare."""
        if not self.published:
            return None
        return f"https://raw.githubusercontent.com/{self.repository}/{self.commit}/{quote(self.path)}"


def figures(point: dict[str, Any]) -> dict[tuple[str, str], tuple[float, str]]:
    """The numbers of a point, each with its unit, by metric and statistic or position."""
    found = {}
    for name, said in point["figures"].items():
        metric, _, unit = name.partition(" in ")
        for statistic, value in said.items() if isinstance(said, dict) else (("", said),):
            found[metric, statistic] = (value, unit)
    return found


def _listed() -> tuple[Sample, ...]:
    found: list[Sample] = []
    for path in sorted(Path(__file__).parent.glob("*.yaml")):
        read = parse(path.read_bytes())
        assert not read.problems, f"{path}: {read.problems[0].message}"
        said: Any = read.value
        found += [Sample(**{**one, "points": tuple(one.get("points", ()))}) for one in said]
    return tuple(found)


SAMPLES = _listed()

if __name__ == "__main__":
    for file, url in {sample.file: sample.url for sample in SAMPLES if sample.url}.items():
        print(f"curl --fail --silent --show-error --location --create-dirs --output \"$1/{file}\" '{url}'")
