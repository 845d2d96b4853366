"""Values as the audit log compares and quotes them."""

from __future__ import annotations

import json
import re
import unicodedata

from tools.audit.entry import ABSENT, Slot
from tools.records.parse import Json

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_.:/%+ -]*(?<! )")
_WORDS = frozenset({"true", "false", "null"})


def same(one: Slot, other: Slot) -> bool:
    """Whether two values are no different.

    Numbers go by value (24525 is 24525.0), but true is not 1 and no string is a number. Keys have no order.
    """
    if isinstance(one, dict):
        return (
            isinstance(other, dict)
            and one.keys() == other.keys()
            and all(same(one[k], other[k]) for k in one)
        )
    if isinstance(one, list):
        return isinstance(other, list) and len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return one == other


def shown(value: Slot, limit: int | None = None) -> str:
    """A value on one line: words bare, other strings in quotes, mappings and lists as in YAML's flow style.

    Text that is not in Unicode's composed form (NFC) is escaped, so that two texts which look alike and are not the
    same can be told apart.

    With a `limit`, a longer text is cut to that many characters, the last of which says so.
    """
    text = _shown(value)
    return text if limit is None or len(text) <= limit else text[: limit - 1] + "…"


def _shown(value: Slot) -> str:
    if value is ABSENT:
        return "nothing"
    if isinstance(value, str):
        return (
            value
            if _PLAIN.fullmatch(value) and value not in _WORDS
            else json.dumps(value, ensure_ascii=not unicodedata.is_normalized("NFC", value))
        )
    if isinstance(value, list):
        return f"[{', '.join(map(_shown, value))}]"
    if isinstance(value, dict):
        return f"{{{pairs(value)}}}"
    return json.dumps(value)


def pairs(mapping: dict[str, Json]) -> str:
    """The members of a mapping on one line, without its braces."""
    return ", ".join(f"{key}: {_shown(value)}" for key, value in mapping.items())
