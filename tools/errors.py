"""Trouble with the call or the machine, as opposed to the data: a message, a hint and an exit code.

Exit codes of the command: 0 clean, 1 findings, 2 usage or environment (a `ToolsError`), 3 a fault of ours (an
`InternalError`: a rule or a reader crashed on input it should have judged), 130 interrupted.
"""

from __future__ import annotations

EXIT_CLEAN = 0
EXIT_FINDINGS = 1
EXIT_USAGE = 2
EXIT_INTERNAL = 3
EXIT_INTERRUPTED = 130


class ToolsError(Exception):
    """A call that cannot be carried out: what is wrong (`message`) and what to do about it (`hint`)."""

    exit_code = EXIT_USAGE

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class InternalError(ToolsError):
    """A fault of this program rather than of the data; the message names the part that failed."""

    exit_code = EXIT_INTERNAL
