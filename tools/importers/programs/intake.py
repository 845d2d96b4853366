"""From files to a batch: each file recognised, read, its points stated, cited, settled and judged.

A file that is named is answered for: it gives records, duplicates or refusals. What lies in a named folder and is of
no known format is passed over and counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tools.finding import Finding, Level
from tools.importers.batch import Batch
from tools.importers.draft import UNRECOVERABLE, Citation
from tools.importers.identity import digest, record_id
from tools.importers.names import Names
from tools.importers.programs.content import Content, ContentError, read_content
from tools.importers.programs.files import Found, printed_in
from tools.importers.programs.format import NO_RESULT, Format, Reading, reason_of
from tools.importers.programs.point import Point
from tools.importers.programs.privacy import drop_private, drop_private_absences
from tools.importers.programs.questions import questions
from tools.importers.programs.registry import LISTED, formats
from tools.importers.programs.settings import Setting
from tools.importers.programs.spelling import is_public
from tools.importers.tree import ConflictError
from tools.records.garbage import uncollected
from tools.records.parse import Document
from tools.schema.spelling import listed

Judge = Callable[[str, Document], Sequence[Finding]]
"""What the rules say of a record by its id and content."""

_FILE = "{file}"
"""What stands in a locator for the name of the file."""

Choose = Callable[[str, Sequence[tuple[Format, str]]], "Format | None"]
"""Which of several formats a file is, asked of whoever calls; None where nobody answers."""


@dataclass
class Intake:
    """One call: what all its files share, and what became of them."""

    batch: Batch
    names: Names
    citation: Citation
    settings: Sequence[Setting]
    measured_by: str
    judge: Judge
    choose: Choose = lambda _place, _fits: None
    format: Format | None = None
    """The format that was named; None to recognise it."""
    log: Content | None = None
    accept_failures: bool = False
    findings: list[Finding] = field(default_factory=list)
    recognised: list[tuple[str, str, str]] = field(default_factory=list)
    """By file: the format and why."""
    absences: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Conditions that records lack, with what would recover them."""
    questions: Counter[str] = field(default_factory=Counter)
    """What names of files and folders seem to say and no record does."""
    passed_over: int = 0
    logs: Mapping[Path, Content] = field(default_factory=dict)
    """Console outputs that lie in the folders."""
    used_logs: set[Path] = field(default_factory=set)

    def take_all(self, files: Sequence[Found], advance: Callable[[int], None] = lambda _: None) -> None:
        """Reads files into the batch; a log in a folder goes to the run that it is of, where that lies there too."""
        self.logs = printed_in(files) if self.log is None else {}
        later = [found for found in files if found.path in self.logs]
        for found in [*(found for found in files if found.path not in self.logs), *later]:
            if found.path not in self.used_logs:
                self.take(found)
            advance(1)

    def _log_of(self, known: Format, content: Content) -> Content | None:
        if self.log is not None:
            return self.log if known.takes_log else None
        for path, log in self.logs.items():
            if known.is_log_of is not None and known.is_log_of(content, log):
                self.used_logs.add(path)
                return log
        return None

    def take(self, found: Found) -> None:
        """Reads one file into the batch."""
        with uncollected():
            try:
                content = read_content(found.path)
            except ContentError as error:
                self._pass_over(found, str(error))
                return
            known = self._recognise(found, content)
            if known is not None:
                self._read(known, found, content)

    def _recognise(self, found: Found, content: Content) -> Format | None:
        candidates = [self.format] if self.format else formats()
        fits = [(known, why) for known in candidates if (why := _fit(known, content)) is not None]
        if len(fits) > 1:
            chosen = self.choose(found.shown, fits)
            fits = [(known, why) for known, why in fits if known is chosen] or fits
        if len(fits) == 1:
            known, why = fits[0]
            self.recognised.append((found.shown, known.name, why))
            return known
        if fits:
            told = "; ".join(f"{known.name} ({why})" for known, why in fits)
            self.batch.refuse(found.shown, f"more than one format fits: {told}. Name the one it is")
        elif self.format:
            self._pass_over(found, f"it is no {self.format.name}: it has no {self.format.recognised_by}")
        else:
            fault = content.json_fault
            self._pass_over(found, fault or f"no known format fits; they are {', '.join(LISTED)}")
        return None

    def _pass_over(self, found: Found, reason: str) -> None:
        if found.listed:
            self.passed_over += 1
        else:
            self.batch.refuse(found.shown, reason)

    def _read(self, known: Format, found: Found, content: Content) -> None:
        log = self._log_of(known, content)
        reading = Reading(content, found.shown, self.names, log, self.accept_failures)
        try:
            points = known.read(reading)
        except NO_RESULT as error:
            self.batch.refuse(found.shown, reason_of(error))
            return
        fault = content.json_fault
        if fault is not None and content.parts:
            reading.refusals.append((found.shown, f"{fault}; what stands above it was read"))
        for place, reason in reading.refusals:
            self.batch.refuse(place, reason)
        if not points and not reading.refusals:
            self.batch.refuse(found.shown, f"it has the shape of {known.name} and no run in it")
        for point in points:
            self._file(point, known, reading, found)

    def _file(self, point: Point, known: Format, reading: Reading, found: Found) -> None:
        draft = point.draft
        locator = self.citation.locator
        if _FILE in locator and not _can_be_cited(found.path.name):
            draft.refuse(
                "the name of the file cannot stand in a locator as {file}: give the locator in words"
            )
        else:
            locator = locator.replace(_FILE, found.path.name)
        locator = f"{locator}, {point.place}" if point.place else locator
        cited = replace(self.citation, locator=locator, read_from=known.read_from)
        draft.cite(replace(cited, artifact_sha256=reading.content.sha256))
        if reading.log is not None:
            locator = f"{locator}, console log of the run"
            draft.cite(replace(cited, locator=locator, read_from="log", artifact_sha256=reading.log.sha256))
        draft.put("/evidence", "measured")
        draft.put("/measured_by", self.measured_by)
        try:
            for setting in self.settings:
                setting.state(draft)
        except ConflictError as error:
            draft.refuse(str(error))
        drop_private(draft)
        for condition, (reason, would_need, note) in point.lacks.items():
            need = would_need or (known.lacks.get(condition) if reason != "not_applicable" else None)
            draft.absent(condition, reason, need, note)
        for condition, would_need in known.lacks.items():
            draft.absent(condition, UNRECOVERABLE, would_need)
        draft.settle()
        for setting in self.settings:
            draft.cite(setting.citation)
        unread = point.unread()
        if unread:
            draft.remark(f"members that nobody reads: {listed(unread)}")
        drop_private_absences(draft)
        words = [known.name, *filter(is_public, point.slug)]
        if "title" not in draft.fields:
            draft.put("/title", " ".join(words))
        if self._add(point, record_id(f"{' '.join(words)} {_digest(point)}")):
            self.questions.update(questions(found.names, draft))

    def _add(self, point: Point, name: str) -> bool:
        if name in self.batch.texts:
            # The id has a digest of everything that was read: the same run lies there twice.
            self.batch.duplicates.append(name)
            return False
        document = self.batch.add(point.draft, name)
        if document is None:
            return False
        found = self.judge(name, document)
        errors = [finding for finding in found if finding.level is Level.ERROR]
        if errors:
            self.batch.withdraw(name, f"{errors[0].rule}: {errors[0].message}")
            return False
        self.findings += found
        self.absences.update(
            (condition, str(said.get("would_need") or said.get("note") or said["reason"]))
            for condition, said in point.draft.absences.items()
        )
        return True


def _can_be_cited(name: str) -> bool:
    """Whether a locator may have the name of a file: one line, and nothing in it that looks like a key or a host."""
    return name.isprintable() and is_public(name)


def _fit(known: Format, content: Content) -> str | None:
    try:
        return known.recognise(content)
    except ContentError:
        return None


def _digest(point: Point) -> str:
    """What tells one point from another: all its members, with the digits of their numbers."""
    import json

    said = json.dumps(point.values, sort_keys=True, default=str)
    return digest(said)
