"""What the words around a number say of it: whether its source speaks of a multiple of something else.

The words are those of captions, axis titles and notes. Some of them have innocent uses beside a rate, which are taken
out first: `8x H100` counts parts, `normalised per GPU` divides by their number, a `relative error` is an uncertainty.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tools.checks.rule import Record
from tools.records import pointer
from tools.records.parse import Json

_INNOCENT = re.compile(
    r"\b(?:"
    r"normali[sz]ed\s+(?:per|by|to|for)\s+(?:the\s+)?(?:number\s+of\s+|one\s+|a\s+single\s+)?"
    r"(?:gpus?|accelerators?|cards?|devices?|chips?|users?|nodes?)"
    r"|relative\s+(?:standard\s+)?(?:errors?|deviations?|uncertainty|spread|std|stddev|tolerance|difference\s+of)"
    r"|(?:not|no|never)\s+(?:a\s+|an\s+)?(?:relative|normali[sz]ed|speed-?\s?ups?)"
    r")\b",
    re.IGNORECASE,
)
_MULTIPLE = re.compile(
    r"\b(?:relative|normali[sz]ed|speed-?ups?|speed ups?)\b"
    r"|\btimes\s+(?:as|faster|slower|higher|lower|more|better|the|that|over)\b"
    r"|\b[0-9]+(?:\.[0-9]+)?\s*times\b",
    re.IGNORECASE,
)
_NUMBER_X = re.compile(
    r"(?<![\w.])([0-9]+(?:\.[0-9]+)?)\s?[x\u00d7](?=\s*(?:$|[,;:.)\]]|"
    r"(?:faster|slower|higher|lower|more|better|over|vs|versus|relative|gain|improvement|increase|the)\b))",
    re.IGNORECASE,
)
_UNIT = re.compile(r"\b(?:tok(?:en)?s?|req(?:uest)?s?|queries|samples)\s?(?:/|per\s)\s?s", re.IGNORECASE)


def words_of_multiple(texts: Iterator[str], value: float, accelerators: float | None) -> str | None:
    """The words by which a text calls a number a multiple; None where none does.

    A text that names the unit of a rate is believed, unless a number followed by x in it is the value itself.
    """
    for text in texts:
        plain = _INNOCENT.sub(" ", text)
        for found in _NUMBER_X.finditer(plain):
            if float(found[1]) == value or (float(found[1]) != accelerators and not _UNIT.search(plain)):
                return found[0].strip()
        word = _MULTIPLE.search(plain)
        if word is not None and not _UNIT.search(plain):
            return word[0]
    return None


def texts_about(record: Record, result: dict[str, Json], *, of_record: bool) -> Iterator[str]:
    """The texts that speak of one result; those of the record's citations only where `of_record`."""
    for place in ("/note", "/definition", "/printed", "/derived_from/original/key"):
        found = pointer.find(result, place)
        if isinstance(found, str):
            yield found
    number = [pointer.find(result, f"/derived_from/original/{key}") for key in ("value", "unit")]
    for printed in (f"{number[0]} {number[1]}", pointer.find(result, "/derived_from/original/printed")):
        if isinstance(printed, str):
            yield printed
    own = result.get("sources")
    cited = own if isinstance(own, list) else record.get("/sources") if of_record else None
    for source in cited if isinstance(cited, list) else ():
        if isinstance(source, dict):
            yield from (text for key in ("caption", "note") if isinstance(text := source.get(key), str))
