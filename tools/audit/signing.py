"""Who signs an entry, and for which day, where the call does not say."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from tools.audit.amendment import Signature
from tools.audit.entry import Evidence, parse_day
from tools.errors import ToolsError


def sign(
    root: Path, by: str | None, day: str | None, reason: str, evidence: Sequence[Evidence], today: date
) -> Signature:
    """The signature of a call; by default git's user name and today.

    Raises `ToolsError` for a day that does not exist or has not come, for a reason without words, and where nobody
    is named.
    """
    signed_on = today if day is None else parse_day(day)
    if signed_on > today:
        raise ToolsError(f"{signed_on} has not come yet: today is {today}", "an entry tells what was done")
    if not reason.strip():
        raise ToolsError("a reason without words", "say why, in a sentence that a stranger understands")
    return Signature((by or "").strip() or _git_name(root), signed_on, reason.strip(), tuple(evidence))


def _git_name(root: Path) -> str:
    try:
        done = subprocess.run(
            ["git", "config", "user.name"], cwd=root, capture_output=True, text=True, check=False
        )
        name = done.stdout.strip()
    except OSError:
        name = ""
    if not name:
        raise ToolsError(
            "an entry is signed, and git does not know your name",
            "say who does this with --by NAME, or set it: git config --global user.name NAME",
        )
    return name
