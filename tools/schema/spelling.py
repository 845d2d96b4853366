"""How values, names and lists are written inside a sentence, and which known word a reader probably meant.

Nothing here knows a schema. Text is cut to a readable length and made printable: a message may end up on a
terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tools.records.parse import Json

LONGEST_TEXT = 60
LONGEST_LIST = 12
LIKENESS = 66
"""How alike two words must be, of 100, for one to be proposed for the other."""

# Python writes no integer of more digits than this; they are counted, not shown.
_MOST_DIGITS = 40


def quoted(text: str) -> str:
    """Text between backticks, on one line, cut and printable."""
    cut = text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"
    return "`" + "".join(c if c.isprintable() else ascii(c)[1:-1] for c in cut) + "`"


def shown(value: Json) -> str:
    """A value in a sentence: text between backticks, numbers as they are, lists and mappings by name."""
    if value is None:
        return "no value"
    if isinstance(value, bool):
        return "`true`" if value else "`false`"
    if isinstance(value, str):
        return quoted(value) if value else "an empty text"
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    if isinstance(value, dict):
        return "a mapping" if value else "an empty mapping"
    return number(value)


def number(value: float) -> str:
    """A number as written, a very long one by its number of digits."""
    if isinstance(value, int) and value.bit_length() > _MOST_DIGITS * 10 // 3:
        digits = int(value.bit_length() * 0.30103) + 1
        return f"a number of about {digits:,} digits"
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e15
    return f"{value:.0f}" if is_whole else str(value)


def listed(words: Iterable[str], last: str = "or", most: int = LONGEST_LIST) -> str:
    """Words between backticks as a list with `or`; of a long one the first, and how many more there are."""
    all_words = [quoted(word) for word in words]
    shown_words, rest = all_words[:most], len(all_words) - most
    if rest > 0:
        return f"{', '.join(shown_words)} and {rest} more"
    if len(shown_words) < 2:
        return "".join(shown_words)
    return f"{', '.join(shown_words[:-1])} {last} {shown_words[-1]}"


def proposal(word: str | None) -> str:
    """The end of a sentence that asks whether another word was meant; empty without one."""
    return "" if word is None else f"; did you mean {quoted(word)}?"


def nearest(word: str, known: Sequence[str], titles: Mapping[str, str] | None = None) -> str | None:
    """The known word that was probably meant, or None; `titles` are other names of known words."""
    wanted = _plain(word)
    for name in known:
        if wanted and wanted in (_plain(name), _plain((titles or {}).get(name, ""))):
            return name
    # Loading it takes longer than checking a whole valid ledger file; most runs have nothing to propose.
    from rapidfuzz import fuzz, process

    found = process.extractOne(word[:200], known, scorer=fuzz.ratio, processor=_plain, score_cutoff=LIKENESS)
    return found[0] if found else None


def _plain(word: str) -> str:
    return "".join(c for c in word.casefold() if c.isalnum())
