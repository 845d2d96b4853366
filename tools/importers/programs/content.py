"""The content of one file, read leniently enough to see what is there.

Programs write JSON that is none (`NaN`, `Infinity`, several objects in a file), shells add byte order marks and
carriage returns, and a run that was killed leaves half a line. All of that is seen here and named; whether it has a
meaning is for the format to say. Numbers keep their digits (`Digits`), so that reading loses none; what is not
finite is `NonFinite` and never a number.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from tools.importers.printed import Printed, read_number

LARGEST = 64 * 1024 * 1024
"""Bytes of a file that is read; detailed results of long runs have some 10 MB."""

_LONG, _SHOWN = 300, 20
"""Digits of a number that may be too large for one, and of them those that a message shows."""

_MARKS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}

Value: TypeAlias = "Digits | NonFinite | bool | str | list[Value] | dict[str, Value] | None"


class Digits(str):
    """A number as a file spells it."""

    __slots__ = ()

    @property
    def number(self) -> Printed | None:
        """The number, or None where its digits are more than a number here can hold."""
        return read_number(self)


class NonFinite(str):
    """`NaN`, `Infinity` or `-Infinity` as a bare word."""

    __slots__ = ()


class ContentError(Exception):
    """A file, or a part of it, that cannot be read; the text is the reason."""


@dataclass(frozen=True, slots=True)
class Part:
    """One JSON object of a file: where it stands (empty where it is the whole file) and its members."""

    place: str
    values: Mapping[str, Any]


class Content:
    """The bytes of a file as the formats look at them. Raises `ContentError` for bytes that are no text."""

    def __init__(self, data: bytes) -> None:
        self.sha256 = hashlib.sha256(data).hexdigest()
        self.text = _decoded(data)
        if not self.text.strip():
            raise ContentError("it is empty")

    @cached_property
    def _json(self) -> tuple[list[tuple[int, Value]], str | None]:
        return _documents(self.text)

    @property
    def json_fault(self) -> str | None:
        """What keeps the rest of a JSON file from being read: the line, and that it may be cut off; None for none."""
        return self._json[1]

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """Every JSON object: the file itself, its lines, or the items of a list."""
        found: list[Part] = []
        documents = self._json[0]
        for line, value in documents:
            above = f"line {line}" if len(documents) > 1 else ""
            if isinstance(value, dict):
                found.append(Part(above, value))
            elif isinstance(value, list):
                found += [
                    Part(f"{above}, item {index}" if above else f"item {index}", item)
                    for index, item in enumerate(value, 1)
                    if isinstance(item, dict)
                ]
        return tuple(found)

    @property
    def only(self) -> Mapping[str, Any] | None:
        """The object that is the whole file, or None."""
        documents = self._json[0]
        if len(documents) == 1 and isinstance(documents[0][1], dict):
            return documents[0][1]
        return None

    @cached_property
    def keys(self) -> frozenset[str]:
        """The keys that every object of the file has; empty for a file that is no JSON."""
        # All of them: a file of one program may have runs of another appended.
        return (
            frozenset.intersection(*(frozenset(part.values) for part in self.parts))
            if self.parts
            else frozenset()
        )

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines as a terminal shows them: what a carriage return wrote over is gone."""
        shown = (line.rstrip("\r").rpartition("\r")[2] for line in self.text.split("\n"))
        return tuple(line.rstrip() for line in shown)

    @cached_property
    def header(self) -> tuple[str, ...]:
        """The cells of the first line that is no comment, read as CSV."""
        return next(iter(self._rows), ())

    @cached_property
    def rows(self) -> tuple[Mapping[str, str], ...]:
        """The rows of a CSV file by the names of its header. Raises `ContentError` for a row of another width."""
        header, found = self.header, []
        for number, cells in enumerate(self._rows[1:], 1):
            if len(cells) != len(header):
                raise ContentError(
                    f"row {number} has {len(cells)} cells where the header has {len(header)}: it is cut off, or its "
                    "header is of another version"
                )
            found.append(dict(zip(header, cells, strict=True)))
        return tuple(found)

    @cached_property
    def comments(self) -> tuple[str, ...]:
        """The lines above a CSV header that begin with #."""
        return tuple(line for line in self.lines[:20] if line.startswith("#"))

    @cached_property
    def _rows(self) -> list[tuple[str, ...]]:
        text = "\n".join(line for line in self.lines if line and not line.startswith("#"))
        try:
            return [tuple(row) for row in csv.reader(io.StringIO(text, newline=""))]
        except csv.Error as error:
            raise ContentError(f"it cannot be read as CSV: {error}") from error


def read_content(path: Path) -> Content:
    """The content of a file. Raises `ContentError` for one that cannot be read, is too large, empty or no text."""
    try:
        size = path.stat().st_size
        if size <= LARGEST:
            # What has no end, such as a device, has no size either.
            with path.open("rb") as stream:
                data = stream.read(LARGEST + 1)
            size = max(size, len(data))
    except OSError as error:
        raise ContentError(f"it cannot be read: {error.strerror or error}") from error
    if size > LARGEST:
        raise ContentError(f"it has {size:,} bytes or more; {LARGEST:,} are read at most")
    return Content(data)


def _decoded(data: bytes) -> str:
    encoding = _MARKS.get(data[:2], "utf-8-sig")
    try:
        text = data.decode(encoding)
        if "\0" not in text:
            return text
    except UnicodeDecodeError as error:
        raise ContentError(
            f"it is no text: byte {error.start} is not {encoding.removesuffix('-sig')}"
        ) from error
    raise ContentError(
        "it is no text: it has NUL characters, as UTF-16 without its mark has and a file whose writing was broken off"
    )


def _documents(text: str) -> tuple[list[tuple[int, Value]], str | None]:
    """The JSON values that follow each other, each with its line, and what kept the rest from being read."""
    decoder = json.JSONDecoder(
        parse_float=_digits, parse_int=_digits, parse_constant=NonFinite, object_pairs_hook=_object
    )
    found: list[tuple[int, Value]] = []
    end, line, counted_to = 0, 1, 0
    while True:
        start = _next(text, end)
        if start >= len(text):
            return found, None
        if text[start] not in "[{":
            return found, None if not found else _told(text, start, "neither { nor [ begins here")
        line += text.count("\n", counted_to, start)
        counted_to = start
        try:
            value, end = decoder.raw_decode(text, start)
        except json.JSONDecodeError as error:
            is_cut = error.pos >= len(text.rstrip()) - 1 or "Unterminated" in error.msg
            return found, _told(text, error.pos, "the file is cut off" if is_cut else error.msg)
        except (ContentError, RecursionError) as error:
            reason = str(error) if isinstance(error, ContentError) else "it is nested too deep"
            return found, _told(text, start, reason)
        found.append((line, value))


def _next(text: str, start: int) -> int:
    while start < len(text) and text[start].isspace():
        start += 1
    return start


def _told(text: str, position: int, reason: str) -> str:
    return f"line {text.count(chr(10), 0, position) + 1} is no JSON: {reason}"


def _digits(text: str) -> Digits:
    made = Digits(text)
    if ("e" in text or "E" in text or len(text) > _LONG) and made.number is None:
        raise ContentError(f"{text[:_SHOWN]}... is more than a number can hold")
    return made


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: dict[str, Any] = {}
        for key, value in pairs:
            if seen.setdefault(key, value) != value:
                raise ContentError("one object has a key twice with two values")
    return made
