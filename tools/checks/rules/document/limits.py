"""Files that are not read, or not to their end; the readers in `tools.records` and the runner find them."""

from __future__ import annotations

from tools.checks.rule import Rule
from tools.finding import Level

RULES = (
    Rule(
        name="unreadable-file",
        level=Level.ERROR,
        summary="The file cannot be read, or is no ordinary file.",
        why=(
            "A record is an ordinary file with the record in it. A symbolic link, a pipe or a file without "
            "read permission holds nothing that a clone of the repository would show to others, and "
            "following a link could lead anywhere. Put the record itself in its place; the other files are "
            "checked all the same."
        ),
    ),
    Rule(
        name="file-too-large",
        level=Level.ERROR,
        summary="The file is larger than 1 MiB.",
        why=(
            "One record is one run at one operating point, a few kilobytes of text. A file of more than "
            "1,048,576 bytes is something else, mostly the raw output of a run. Keep that elsewhere, cite it "
            "as a source with its SHA-256, and file the numbers."
        ),
    ),
    Rule(
        name="nested-too-deep",
        level=Level.ERROR,
        summary="Mappings and lists are nested more than 32 levels deep.",
        why=(
            "No record needs more than a dozen levels. Hundreds of them come from a bracket that is never "
            "closed, or from a file made to exhaust the programs that read it. Reading stops at the 33rd "
            "level."
        ),
    ),
    Rule(
        name="more-findings",
        level=Level.ERROR,
        summary="The file has more findings than are listed.",
        why=(
            "At most 100 findings are listed for one file, and this one, the last, says how many were left "
            "out: a list that is cut without saying so makes every count wrong. So many faults usually have "
            "one cause, such as the file of another kind of record, or a list that was filled by a script."
        ),
    ),
)
