"""Parameters of saved questions: words of the command line into values that are bound, each by its type.

    text                          any words
    model, accelerator, engine, benchmark
                                  id of a record of that kind
    number                        a finite number that is not negative
    integer                       a whole number that is not negative
    day                           YYYY-MM-DD
    prices                        ACCELERATOR=NUMBER[,ACCELERATOR=NUMBER...], at most once each
    one|other                     one of these words

The default `none` means that the parameter is left empty; a parameter without a default has to be given.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TypeAlias

from tools.errors import ToolsError
from tools.schema.spelling import nearest

Value: TypeAlias = str | float | int | date | dict[str, list[str] | list[float]] | None
"""What is bound; prices are a map in the form that the database takes: its keys and its values."""

KINDS = ("model", "accelerator", "engine", "benchmark")
NONE = "none"
_TYPES = ("text", "number", "integer", "day", "prices", *KINDS)
_MOST = 2**53
_NUMBER = re.compile(r"([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter: its type, its default as it stands in the header (None: it has to be given), and its meaning."""

    name: str
    type: str
    default: str | None
    meaning: str

    def __post_init__(self) -> None:
        assert self.type in _TYPES or "|" in self.type, f"parameter {self.name}: no type {self.type}"

    @property
    def option(self) -> str:
        """How it is written on the command line."""
        return f"--{self.name.replace('_', '-')}"

    def value_of(self, word: str) -> Value:
        """The value that a word means. Raises `ToolsError` where it is not of the type."""
        try:
            return self._read(word)
        except ValueError:
            raise ToolsError(
                f"{self.option} takes {_WANTED.get(self.type, self.type)}, not `{word}`", self.meaning
            ) from None

    def _read(self, word: str) -> Value:
        # Bytes of the command line that are no text come as halves of characters.
        word.encode()
        if self.type == "number":
            return _amount(word)
        if self.type == "integer":
            if not (word.isascii() and word.isdigit()) or int(word) >= _MOST:
                raise ValueError
            return int(word)
        if self.type == "day":
            if not _DAY.fullmatch(word):
                raise ValueError
            return date.fromisoformat(word)
        if self.type == "prices":
            return _prices(word)
        if "|" in self.type and word not in self.type.split("|"):
            raise ValueError
        return word


_WANTED = {
    "text": "words in UTF-8",
    **dict.fromkeys(KINDS, "the id of a record"),
    "number": "a number from 0 up",
    "integer": "a whole number from 0 up",
    "day": "a day as YYYY-MM-DD",
    "prices": "ACCELERATOR=NUMBER, several with commas between them",
}


def _amount(word: str) -> float:
    if not _NUMBER.fullmatch(word.strip()) or not math.isfinite(amount := float(word)):
        raise ValueError
    return amount


def _prices(word: str) -> Value:
    names: list[str] = []
    amounts: list[float] = []
    for pair in word.split(","):
        name, mark, amount = pair.strip().partition("=")
        if not name or not mark or name in names:
            raise ValueError
        names.append(name)
        amounts.append(_amount(amount))
    return {"key": names, "value": amounts}


def accelerators_of(value: Value) -> Sequence[str]:
    """The accelerators that prices name."""
    keys = value["key"] if isinstance(value, dict) else []
    return [key for key in keys if isinstance(key, str)]


def bound(parameters: Sequence[Parameter], given: Mapping[str, str]) -> dict[str, Value]:
    """The value of every parameter: as given, else its default.

    Raises `ToolsError` for a word that is no parameter, a wrong type, and a parameter that has to be given.
    """
    known = {parameter.name: parameter for parameter in parameters}
    for word in given:
        if word.replace("-", "_") not in known:
            near = nearest(word, [parameter.option.removeprefix("--") for parameter in parameters])
            options = ", ".join(parameter.option for parameter in parameters) or "none"
            raise ToolsError(
                f"there is no parameter --{word}",
                f"did you mean --{near}?" if near else f"parameters of this question: {options}",
            )
    words = {word.replace("-", "_"): value for word, value in given.items()}
    return {name: _value(parameter, words) for name, parameter in known.items()}


def _value(parameter: Parameter, words: Mapping[str, str]) -> Value:
    word = words.get(parameter.name, parameter.default)
    if word is None:
        raise ToolsError(f"{parameter.option} has to be given", parameter.meaning)
    if word == NONE:
        return {"key": [], "value": []} if parameter.type == "prices" else None
    return parameter.value_of(word)
