"""What an unquoted word of a record means.

YAML's own answers differ between versions and programs (`010` is 8, 10 or a string; `no` is false or "no"),
so this module accepts only spellings that every reader takes for the same value and refuses the rest by
raising `ScalarError`. Quoted text never comes here: it is always a string.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

MAX_INTEGER_DIGITS = 4_300
"""Python converts no longer integer from text; no quantity has so many digits."""

_SHOWN = 40
"""Characters of a faulty word that a message repeats."""

_WORDS: Final[Mapping[str, bool | None]] = {
    "": None,
    "~": None,
    "null": None,
    "Null": None,
    "NULL": None,
    "true": True,
    "false": False,
}
_NUMBER_STARTS = frozenset("0123456789+-.")
FIRST_CHARACTERS = _NUMBER_STARTS | {word[:1] for word in _WORDS}
"""How a word starts that may be something else than the text it is; "" for the empty word."""


_NUMBER = re.compile(r"(-?(?:0|[1-9][0-9]*))(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_WRITTEN_NONZERO = re.compile(r"[-0.]*[1-9]")
_REFUSED = re.compile(
    r"([-+]?)(?:"
    r"(?P<endless>\.(?:inf|nan))"
    r"|(?P<based>0(?:x[0-9a-f_]+|o[0-7_]+|b[01_]+))"
    r"|(?=\.?[0-9])(?P<whole>[0-9_]*)(?P<fraction>\.[0-9_]*)?(?P<exponent>e[-+]?[0-9]+)?"
    r")",
    re.IGNORECASE | re.ASCII,
)
"""What some readers take for a number, or for another one: every spelling that `_NUMBER` does not have."""


class ScalarError(ValueError):
    """An unquoted word with more than one meaning, or a number that is no quantity.

    Message and hint are put into words when they are asked for: of a hundred thousand faults few are told.
    """

    def __init__(self, rule: str, words: Callable[[], tuple[str, str]]) -> None:
        super().__init__()
        self.rule = rule
        self._words = words

    @property
    def message(self) -> str:
        return self._words()[0]

    @property
    def hint(self) -> str:
        return self._words()[1]

    def __str__(self) -> str:
        return self.message


def plain_value(text: str) -> bool | int | float | str | None:
    """The value of an unquoted word; raises `ScalarError` where readers of YAML would disagree."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _NUMBER_STARTS:
        return text
    if number := _NUMBER.fullmatch(text):
        return _integer(text) if number.lastindex == 1 else _float(text)
    if refused := _REFUSED.fullmatch(text):
        raise _fault(text, refused)
    return text


def _integer(text: str) -> int:
    if len(text) > MAX_INTEGER_DIGITS:
        raise ScalarError("non-finite-number", partial(_too_long, text))
    return int(text)


def _float(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ScalarError("non-finite-number", partial(_too_large, text))
    if not number and _WRITTEN_NONZERO.match(text):
        raise ScalarError("ambiguous-scalar", partial(_too_small, text))
    return number


def _fault(text: str, refused: re.Match[str]) -> ScalarError:
    if refused["endless"]:
        return ScalarError("non-finite-number", partial(_endless, text))
    return ScalarError("ambiguous-scalar", partial(_ambiguous, text, refused))


def _too_long(text: str) -> tuple[str, str]:
    return (
        f"a number of {len(text):,} digits is not a quantity",
        f"at most {MAX_INTEGER_DIGITS:,} digits are read; quote the text if it is not a number",
    )


def _too_large(text: str) -> tuple[str, str]:
    return (
        f"{_shortened(text)} is larger than any number a program can hold (about 1.8e308)",
        "check the exponent, or quote the text if it is not a number",
    )


def _too_small(text: str) -> tuple[str, str]:
    return (
        f"{_shortened(text)} is too small to hold (less than about 4.9e-324) and would be read as 0",
        "check the exponent; write 0 if it is zero, or quote the text if it is not a number",
    )


def _endless(text: str) -> tuple[str, str]:
    return f"{text} is not a quantity", "leave the value out and declare it absent, or quote the text"


def _ambiguous(text: str, refused: re.Match[str]) -> tuple[str, str]:
    plain = _plain_spelling(refused) if len(text) <= _SHOWN else ""
    suggestion = f", or write {plain}" if plain else ""
    return (
        f"{_shortened(text)} is read as different values by different programs",
        f'quote it ("{_shortened(text)}") if it is a name or a code{suggestion} if it is a number',
    )


def _plain_spelling(refused: re.Match[str]) -> str:
    """The number that was probably meant, in the spelling that is read alike everywhere; "" for none."""
    sign = refused[1].strip("+")
    if based := refused["based"]:
        digits = based[2:].replace("_", "")
        base = {"x": 16, "o": 8, "b": 2}[based[1].lower()]
        return f"{sign}{int(digits, base)}" if digits else ""
    plain = sign + (refused["whole"].replace("_", "").lstrip("0") or "0")
    if refused["fraction"]:
        plain += "." + (refused["fraction"][1:].replace("_", "") or "0")
    return plain + (refused["exponent"] or "")


def _shortened(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."
