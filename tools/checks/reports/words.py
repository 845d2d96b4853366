"""What the reports share: counts in words, and text that is safe to show.

Findings quote records, and a record may come from anybody. What it holds must not move the cursor of a
terminal, turn the reading direction of a review, or make an output that no parser reads.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TypeAlias

from tools.finding import Acknowledgement, Finding, Level
from tools.records.characters import UNWRITABLE

Style: TypeAlias = Callable[[str, str], str]
"""(text, name of its role) to styled text; roles: error, warning, info, file, strong, dim, good."""

_REPLACEMENT = "\ufffd"
_WHITE = re.compile("[\t\n\r]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def unstyled(text: str, _: str) -> str:
    """The text as it is."""
    return text


def plain(text: str) -> str:
    """The text with U+FFFD for line ends and all that cannot be shown; every column stays the same."""
    return _WHITE.sub(_REPLACEMENT, UNWRITABLE.sub(_REPLACEMENT, text))


def plain_lines(text: str) -> list[str]:
    """The lines of a text, each of them plain."""
    return [plain(line) for line in text.replace("\r\n", "\n").split("\n")]


def flat(text: str) -> str:
    """The lines of a text as one, plain."""
    return " ".join(plain_lines(text))


def well_formed(text: str) -> str:
    """The text with U+FFFD for halves of surrogate pairs, which many JSON parsers refuse."""
    return _SURROGATE.sub(_REPLACEMENT, text)


def told(finding: Finding) -> list[str]:
    """The message in plain lines, and why the finding is accepted, or else what to do (`help: `)."""
    accepted = finding.acknowledged
    if accepted is not None:
        return [*plain_lines(finding.message), f"acknowledged: {accepted_because(accepted)}"]
    return [*plain_lines(finding.message), *([f"help: {flat(finding.hint)}"] if finding.hint else [])]


def accepted_because(accepted: Acknowledgement) -> str:
    """The reason of an acknowledgement, by whom and when, on one line."""
    signed = [
        *([f"by {accepted.by}"] if accepted.by else []),
        *([f"on {accepted.day}"] if accepted.day else []),
    ]
    return flat(f"{accepted.reason} ({' '.join(signed)})" if signed else accepted.reason)


def counted(number: int, thing: str) -> str:
    """A number and what it counts: `1 file`, `1,024 files`."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def tally(findings: Iterable[Finding]) -> str:
    """How many findings of which level, the worst first, those that are acknowledged apart.

    `2 errors, 1 warning, 3 acknowledged`, or `no findings`.
    """
    levels = [None if finding.acknowledged else finding.level for finding in findings]
    counts = [counted(levels.count(level), level) for level in Level if level in levels]
    if None in levels:
        counts.append(f"{levels.count(None):,} acknowledged")
    return ", ".join(counts) or "no findings"
