"""The examples of each rule, from `tests/cases/<rule>.yaml`: its tests, and what `tools explain` shows.

A file names its rule and lists what fails and what passes:

    rule: unresolved-reference
    fails:
      - name: a model that is not there
        record: example-run            # a record of the small ledger in tests/cases/ledger, here changed:
        with: {model_id: example-8b}   # keys laid over it, each replaced whole
        without: [measured_on]         # keys taken out
        edit: [{replace: "tok/s", by: "tok / s"}]   # changes of its text, each at the first such place
        expect: {at: "model_id: example-8b", says: there is no model}
    passes: [...]

Instead of a changed record a case may give a whole `text`, its bytes as `hex`, or a `size` to which the text
is filled up with a comment; `files` and `links` (path to text, path to target) are put beside the ledger's
own, and `gone` lists those taken away. For a rule that compares with a base, the ledger as it lies there is the
base; `base` (path to text) is what else that held, `most_changed` how many records may change at once. A finding is
expected on the line that contains `at`, in `file` (by default the record's), and its message
or hint contains `says`; `count` is how many findings the rule has (1), and `also` names rules that cannot but
fire with it.

Laying a case over the ledger and running it is left to the tests.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TypeVar

from tools.errors import InternalError
from tools.records.characters import UNWRITABLE
from tools.records.layout import render
from tools.records.parse import Json, parse

SHIPPED = Path(__file__).resolve().parents[1] / "_shipped" / "cases"
REPOSITORY = Path(__file__).resolve().parents[2] / "tests" / "cases"

AnyType = TypeVar("AnyType")

_MOST_LINES = 24
"""Lines of a case that are shown; of a longer one, the rest are counted."""

_WIDEST = 96
"""Columns of a line that are shown."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What a failing case is told: text of the line, words of the finding, the file, how many findings."""

    at: str
    says: str
    file: str
    count: int


@dataclass(frozen=True, slots=True)
class Case:
    """One example. `expected` is None for one that passes; `size` is 0 where the text is not filled up."""

    name: str
    record: str
    changed: Mapping[str, Json]
    removed: tuple[str, ...]
    edits: tuple[tuple[str, str], ...]
    text: str | None
    content: bytes | None
    size: int
    files: Mapping[str, str]
    links: Mapping[str, str]
    also: frozenset[str]
    expected: Expected | None
    gone: tuple[str, ...] = ()
    base: Mapping[str, str] = field(default_factory=dict)
    most_changed: int | None = None

    def shown(self) -> str:
        """The lines that matter, without the rest of the record; characters nobody can see as escapes."""
        parts = []
        if self.content is not None:
            parts.append(f"bytes {self.content.hex(' ')}")
        if self.text is not None:
            parts.append(self.text)
        if self.changed:
            parts.append(render(dict(self.changed)))
        parts += [f"# without `{key}`" for key in self.removed]
        parts += [by for _, by in self.edits]
        if self.size:
            parts.append(f"# a file of {self.size:,} bytes")
        for when, files in (("at the base, ", self.base), ("", self.files)):
            parts += [f"# {when}{path}\n{text}" for path, text in files.items()]
        parts += [f"# without the file {path}" for path in self.gone]
        parts += [f"# {path} is a link to {target}" for path, target in self.links.items()]
        return _cut("\n".join(_visible(part).rstrip("\n") for part in parts))


@dataclass(frozen=True, slots=True)
class Cases:
    """The examples of one rule; both are empty where the files are not at hand."""

    fails: tuple[Case, ...] = ()
    passes: tuple[Case, ...] = ()


@cache
def folder() -> Path | None:
    """Where the examples lie: shipped inside the package, or in the repository; None if they do not."""
    return next((place for place in (SHIPPED, REPOSITORY) if place.is_dir()), None)


def cases_of(rule: str) -> Cases:
    """The examples of a rule; raises `InternalError` for a case file that breaks the format above."""
    place = folder()
    path = place / f"{rule}.yaml" if place else None
    if path is None or not path.is_file():
        return Cases()
    document = parse(path.read_bytes())
    if document.problems:
        problem = document.problems[0]
        raise InternalError(f"{path}:{problem.location.line}: {problem.message}")
    reader = _Reader(str(path), document.value)
    if reader.text("rule") != rule:
        raise InternalError(f"{path}: the file is named for another rule than `{reader.text('rule')}`")
    cases = Cases(
        tuple(_case(item, fails=True) for item in reader.items("fails")),
        tuple(_case(item, fails=False) for item in reader.items("passes")),
    )
    reader.close()
    return cases


def _case(reader: _Reader, *, fails: bool) -> Case:
    content = reader.optional("hex")
    edits = tuple((edit.text("replace"), edit.text("by")) for edit in reader.items("edit"))
    case = Case(
        name=reader.text("name"),
        record=reader.optional("record") or "",
        changed=reader.mapping("with"),
        removed=reader.texts("without"),
        edits=edits,
        text=reader.optional("text"),
        content=None if content is None else bytes.fromhex(content),
        size=reader.number("size", 0),
        files=reader.names("files"),
        links=reader.names("links"),
        gone=reader.texts("gone"),
        base=reader.names("base"),
        most_changed=reader.number("most_changed", 0) if "most_changed" in reader.left else None,
        also=frozenset(reader.texts("also")),
        expected=_expected(reader.inner("expect")) if fails else None,
    )
    reader.close()
    return case


def _expected(reader: _Reader) -> Expected:
    expected = Expected(
        reader.optional("at") or "",
        reader.text("says"),
        reader.optional("file") or "",
        reader.number("count", 1),
    )
    reader.close()
    return expected


class _Reader:
    """One mapping of a case file; every key has to be asked for before it is closed."""

    def __init__(self, where: str, value: Json) -> None:
        self.where = where
        self.left: dict[str, Json] = dict(value) if isinstance(value, dict) else {}

    def close(self) -> None:
        if self.left:
            raise InternalError(f"{self.where}: nothing is known of {', '.join(self.left)}")

    def text(self, key: str) -> str:
        found = self.optional(key)
        if found is None:
            raise InternalError(f"{self.where}: `{key}` is missing")
        return found

    def optional(self, key: str) -> str | None:
        return self._typed(key, str) if key in self.left else None

    def number(self, key: str, default: int) -> int:
        return self._typed(key, int) if key in self.left else default

    def mapping(self, key: str) -> dict[str, Json]:
        return self._typed(key, dict) if key in self.left else {}

    def names(self, key: str) -> dict[str, str]:
        return {name: text for name, text in self.mapping(key).items() if isinstance(text, str)}

    def values(self, key: str) -> list[Json]:
        return self._typed(key, list) if key in self.left else []

    def texts(self, key: str) -> tuple[str, ...]:
        return tuple(item for item in self.values(key) if isinstance(item, str))

    def inner(self, key: str) -> _Reader:
        return _Reader(f"{self.where} {key}", self.mapping(key))

    def items(self, key: str) -> tuple[_Reader, ...]:
        return tuple(_Reader(f"{self.where} {key} {n}", item) for n, item in enumerate(self.values(key)))

    def _typed(self, key: str, kind: type[AnyType]) -> AnyType:
        found = self.left.pop(key)
        if not isinstance(found, kind):
            raise InternalError(f"{self.where}: `{key}` should be of type {kind.__name__}")
        return found


def _visible(text: str) -> str:
    shown = UNWRITABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
    return shown.replace("\t", "\\t")


def _cut(text: str) -> str:
    lines = [line if len(line) <= _WIDEST else f"{line[: _WIDEST - 1]}…" for line in text.split("\n")]
    left = len(lines) - _MOST_LINES
    return "\n".join(lines if left <= 0 else [*lines[:_MOST_LINES], f"# and {left} more lines"])
