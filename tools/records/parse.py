"""The one reader of record files: bytes to a value, and to every departure from the strict YAML subset.

The subset: UTF-8 without byte-order mark, tabs and invisible characters (`tools.records.characters`); one
document of mappings, lists, text, numbers, true, false and null (`tools.records.scalars`); no anchors,
aliases, tags, merge keys or directives; keys are text of at most `MAX_KEY` characters, each once in its
mapping. What the values must be is left to the schema.

Positions cost nothing until one is asked for: `Document.locate` reads the text a second time
(`tools.records.outline`), which happens only for files that have something to report.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tools.finding import START, Location
from tools.records.characters import CharacterFault, character_faults, decode, readable
from tools.records.outline import Outline
from tools.records.subset import MAX_DEPTH, MAX_KEY, MAX_PROBLEMS, BrokenError, Json, Problem, SubsetReader
from tools.records.tree import Page, read_page

__all__ = [
    "MAX_BYTES",
    "MAX_DEPTH",
    "MAX_KEY",
    "MAX_PROBLEMS",
    "Document",
    "Json",
    "Problem",
    "parse",
    "too_large",
]

MAX_BYTES = 1_048_576


@dataclass(slots=True)
class Document:
    """What one file holds.

    `value` is the record, or None when `broken`: the structure could not be read to its end, so nothing can
    be said about the content. With problems that leave the structure whole, `value` is complete: a refused
    word or an alias stands in it as the text that was written, a tag or anchor is ignored, of a key given
    twice the last counts, and of several documents the first. `text` has no byte-order mark; it is empty for
    a file that is too large, and shows U+FFFD for bytes that are not UTF-8. `problems` come in the order of
    the text; beyond `MAX_PROBLEMS` they are only counted, in `unlisted`.
    """

    value: Json
    text: str
    problems: list[Problem]
    broken: bool = False
    unlisted: int = 0
    _page: Page | None = field(default=None, init=False, repr=False, compare=False)
    _outline: Outline | None = field(default=None, init=False, repr=False, compare=False)
    _lines: list[str] | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def page(self) -> Page:
        """The text as a tree of nodes with their places; only for a document that is not broken."""
        if self._page is None:
            self._page = read_page(readable(self.text))
        return self._page

    @property
    def outline(self) -> Outline:
        """Where the values and keys of the text stand; only for a document that is not broken."""
        if self._outline is None:
            self._outline = Outline(readable(self.text))
        return self._outline

    def locate(self, pointer: str, key: bool = False) -> Location:
        """Where the value at a JSON Pointer starts, or its key.

        Where there is no such value, it is the nearest existing ancestor's. An item of a list has no key and
        is its own; a broken document has no places but its start.
        """
        return START if self.broken else self.outline.locate(pointer, key)

    def spelling(self, pointer: str) -> str:
        """How the number at a JSON Pointer is written (`0.10` where its value is 0.1); empty for anything else."""
        return "" if self.broken else self.outline.spelling(pointer)

    def line(self, number: int) -> str:
        """The text of a line, counted from 1, without its end; empty beyond the last."""
        if self._lines is None:
            self._lines = self.text.split("\n")
        return self._lines[number - 1].removesuffix("\r") if 1 <= number <= len(self._lines) else ""


def parse(content: bytes) -> Document:
    """The document in `content`, whatever the bytes: what is wrong with them is in `Document.problems`."""
    if len(content) > MAX_BYTES:
        return Document(None, "", [too_large(len(content))], broken=True)
    text, fault = decode(content)
    if fault is not None and fault.rule == "not-utf8":
        return Document(None, text, [_problem(fault)], broken=True)
    faults = ([fault] if fault else []) + character_faults(text)
    reader = SubsetReader(readable(text) if faults else text, [_problem(fault) for fault in faults])
    value: Json = None
    broken = False
    try:
        value = reader.read()
    except BrokenError:
        broken = True
    return Document(value, text, reader.listed_problems(), broken, reader.unlisted)


def too_large(size: int) -> Problem:
    """The problem of a file of so many bytes, more than the limit."""
    message = f"{size:,} bytes; a record has at most {MAX_BYTES:,}"
    return Problem("file-too-large", START, message, "keep raw outputs elsewhere and cite them as a source")


def _problem(fault: CharacterFault) -> Problem:
    return Problem(fault.rule, fault.location, fault.message, fault.hint)
