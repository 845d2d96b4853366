"""Bytes and characters that a record may not hold; `tools.records.characters` finds them."""

from __future__ import annotations

from tools.checks.rule import Rule
from tools.finding import Level

RULES = (
    Rule(
        name="not-utf8",
        level=Level.ERROR,
        summary="The file is not UTF-8.",
        why=(
            "A record is UTF-8 and nothing else. Bytes of another encoding have no certain meaning: 0xE9 is "
            "é in one, щ in a second and half a character in a third, and guessing would put a name into the "
            "ledger that nobody wrote. Such a file is not read any further; save it as UTF-8."
        ),
        reference="https://www.rfc-editor.org/rfc/rfc3629",
    ),
    Rule(
        name="byte-order-mark",
        level=Level.ERROR,
        summary="The file starts with a byte-order mark.",
        why=(
            "Some programs drop the mark (U+FEFF), others read it as the first character of the first key, "
            "so that `id` is no longer found. UTF-8 has no byte order to mark. Save the file as UTF-8 "
            "without BOM."
        ),
        reference="https://www.rfc-editor.org/rfc/rfc3629#section-6",
    ),
    Rule(
        name="control-character",
        level=Level.ERROR,
        summary="The text holds a character that cannot be seen or that changes what a reader sees.",
        why=(
            "Control characters, line ends that only some programs count, and marks that turn the reading "
            "direction make a file look different from what it says: a reviewer approves one text and the "
            "program reads another. Where such a character is really meant, write it as an escape inside "
            "double quotes, where everybody can see it."
        ),
        reference="https://www.unicode.org/reports/tr36/",
    ),
    Rule(
        name="tab-character",
        level=Level.ERROR,
        summary="The text holds a tab.",
        why=(
            "Indentation carries meaning in YAML and editors show a tab at different widths, so two people "
            "see two structures; YAML itself forbids tabs in indentation. Records use spaces everywhere. A "
            'tab that belongs to a text is written "\\t" inside double quotes.'
        ),
        reference="https://yaml.org/spec/1.2.2/#61-indentation-spaces",
    ),
)
