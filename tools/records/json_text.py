"""Values as JSON for a program that a person may watch: what would steer a terminal or reorder text is escaped.

Everything else that is not ASCII stays readable. JSON that is meant to be stored is the business of its module.
"""

from __future__ import annotations

import json
import re
from typing import Any

from tools.records.characters import UNWRITABLE


def json_text(value: Any) -> str:
    """The value as indented JSON, without a line end; it parses to the same value."""
    return UNWRITABLE.sub(_escape, json.dumps(value, indent=2, ensure_ascii=False))


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"
