"""Damage to the output of a program, at any depth: what a hand, an older version or a broken disk may leave there."""

from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import strategies as st

SECRETS = ("/home/planted/x", "http://planted.example", "sk-planted0123456789", "planted@host")
RAW = (
    "NaN", "Infinity", "-Infinity", "-0.0", "-0", "0", "1e308", "-1e308", "1e-320", "1e400", "1" * 300, "9" * 400,
    "-1", "0.5", "1e22", "true", "null", '""', '"1,234.5"', '"NaN"', '"-1"', r'"\ud800"', r'"\u0000"', "[]", "{}",
    "[1]", "[null]", "[NaN]", '{"a": 1}', "[[1, 2], [3]]", '[{"a": 1}]', '{"mean": NaN}', '"2026-13-45"',
    '{"a": 1, "a": 2}', f'"{"x" * 5000}"', *(json.dumps(secret) for secret in SECRETS),
)  # fmt: skip
"""JSON as it may stand in the place of a member, also what is none."""

_HOLE = "the place of the damage"


@st.composite
def damaged(draw: st.DrawFn, whole: Any) -> str:
    """A JSON value with up to two of its members, wherever they are, replaced or taken away."""
    value = copy.deepcopy(whole)
    texts = []
    for number in range(draw(st.integers(1, 2))):
        holder, key = draw(st.sampled_from(list(_places(value)))), None
        if isinstance(holder, dict):
            key = draw(st.sampled_from(sorted(holder)))
        else:
            key = draw(st.integers(0, min(len(holder), 6) - 1))
        if draw(st.integers(0, 4)):
            holder[key] = f"{_HOLE} {number}"
            texts.append((json.dumps(holder[key]), draw(st.sampled_from(RAW))))
        else:
            del holder[key]
            if not value:
                break
    written = json.dumps(value)
    for hole, text in texts:
        written = written.replace(hole, text)
    return written


def _places(value: Any) -> Any:
    """The mappings and lists that hold something."""
    if isinstance(value, (dict, list)) and value:
        yield value
        for inner in value.values() if isinstance(value, dict) else value[:6]:
            yield from _places(inner)
