"""The places of what surveys found: a fault that names a file and a JSON Pointer becomes a finding at a line.

A survey looks at facts when the documents are gone. To remember the line of every value that might turn out to be at
fault costs a second reading of every record; so a fact keeps the pointer, and the few files that something was found in
are read once more here.
"""

from __future__ import annotations

from pathlib import Path

from tools.checks.inspect import excerpt
from tools.checks.rule import PlacedFault, Rule
from tools.finding import START, Finding, Location
from tools.records.characters import decode
from tools.records.parse import Document, parse
from tools.records.read import read_file


class Places:
    """Makes findings of what surveys yield about the files of a ledger; remembers the file it read last."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._content: tuple[str, bytes | None] = ("", None)
        self._parsed: tuple[str, Document | None] = ("", None)

    def finding(self, rule: Rule, placed: PlacedFault) -> Finding:
        """The finding of a fault: at the line it names, else where its pointer leads."""
        fault = placed.fault
        if placed.line:
            location, document = Location(placed.line, placed.column), self._text(placed.file)
        else:
            document = self._document(placed.file)
            location = document.locate(fault.pointer, key=fault.at_key) if document else START
        return Finding(
            rule.name,
            fault.level or rule.level,
            placed.file,
            location,
            fault.message,
            fault.hint,
            fault.pointer,
            Path(placed.file).stem,
            excerpt(document, location),
        )

    def _bytes(self, file: str) -> bytes | None:
        if self._content[0] != file:
            content = read_file(self.root / file)
            self._content = (file, content if isinstance(content, bytes) else None)
        return self._content[1]

    def _text(self, file: str) -> Document | None:
        """The lines of a file alone, which cost less than what they mean."""
        content = self._bytes(file)
        return None if content is None else Document(None, decode(content)[0], [], broken=True)

    def _document(self, file: str) -> Document | None:
        if self._parsed[0] != file:
            content = self._bytes(file)
            self._parsed = (file, None if content is None else parse(content))
        return self._parsed[1]
