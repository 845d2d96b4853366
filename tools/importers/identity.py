"""Ids of imported records: the same row always gives the same id, whatever stands around it."""

from __future__ import annotations

import hashlib
import re
import unicodedata

LONGEST = 120
_DIGEST = 10
_BREAKS = re.compile(r"[^a-z0-9.]+")
_DOTS = re.compile(r"(?<![a-z0-9])\.+|\.+(?![a-z0-9])")


def record_id(text: str) -> str:
    """An id in small letters, digits, - and . made of a text; a long one is cut and ends in a digest of the whole.

    Letters with marks lose them; what has no letter or digit of ours gives a digest alone.
    """
    folded = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    slug = _BREAKS.sub("-", _DOTS.sub("-", folded)).strip("-.")
    slug = re.sub(r"-?\.-?|-+", lambda found: "." if found[0] == "." else "-", slug)
    if slug and len(slug) <= LONGEST:
        return slug
    kept = slug[: LONGEST - _DIGEST - 1].rstrip("-.")
    return f"{kept}-{digest(text)}" if kept else digest(text)


def digest(text: str) -> str:
    """Ten hexadecimal digits that stand for a text."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_DIGEST // 2).hexdigest()
