"""The canonical form of a record's text: the schema's key order in the layout of the records room."""

from __future__ import annotations

from dataclasses import dataclass

from tools.records.layout import format_document
from tools.records.parse import Problem, parse
from tools.schema.load import key_order


@dataclass(frozen=True)
class Canonical:
    """The canonical text, or the problems that keep a file from having one."""

    text: str
    problems: tuple[Problem, ...] = ()


def canonical(kind: str, content: bytes) -> Canonical:
    """The canonical text of a record of a kind; a file with problems has none and is left as it is."""
    document = parse(content)
    if document.problems:
        return Canonical("", tuple(document.problems))
    return Canonical(format_document(document, key_order(kind)))
