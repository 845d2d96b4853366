"""The strict YAML subset of records: from libyaml's events to a value, with every departure from it noted.

libyaml splits the text into events; nothing of PyYAML's constructors is used, so that a word means the same
here as everywhere else (`tools.records.scalars`), an alias is never expanded and no key is silently
overwritten. Bytes and characters have been judged before (`tools.records.characters`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

import yaml
from yaml._yaml import CParser
from yaml.events import (
    AliasEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
)

from tools.finding import START, Location
from tools.records.scalars import FIRST_CHARACTERS, ScalarError, plain_value
from tools.records.syntax import explain, is_nesting_limit
from tools.records.tree import Entry, Node, Scalar, mark_of, read_page, unnamed_key

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

MAX_DEPTH = 32
MAX_KEY = 100
"""Characters of a key: libyaml reads no more than 1,024, and an escape takes up to ten."""

MAX_PROBLEMS = 100
"""Problems listed for one file; the last of them says how many were left out."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One departure from the subset, as yet without a file: `rule` names the rule that forbids it."""

    rule: str
    location: Location
    message: str
    hint: str = ""


class BrokenError(Exception):
    """The structure cannot be followed any further; the problem that says so has been noted."""


class SubsetReader:
    """Follows the events of one text, building the value and noting every departure from the subset.

    Recursion mirrors the nesting of the text and ends at `MAX_DEPTH`, before Python's own limit.
    """

    def __init__(self, text: str, problems: list[Problem]) -> None:
        self.text = text
        self.problems = problems
        self.unlisted = 0
        self.character_faults = bool(problems)
        self.depth = 0
        self.key_given_twice = False
        self.parser = CParser(text)
        self.next_event = self.parser.get_event
        if "&" in text or "!" in text:
            self.next_event = self._next_undecorated

    def read(self) -> Json:
        """The value of the first document; raises `BrokenError` where the structure ends early."""
        try:
            self._open()
            value = self._value(self.next_event())
            self._close()
            if self.key_given_twice:
                self._note_duplicates(read_page(self.text).root.node)
        except yaml.YAMLError as error:
            place, message, hint = explain(error, self.text)
            if is_nesting_limit(error):
                self._refuse_depth(place)
            # A character that was refused already is the likely cause, and the better explanation.
            if not self.character_faults:
                self.note("yaml-syntax", place, message, hint)
            raise BrokenError from error
        except UnicodeDecodeError as error:
            # The one text that libyaml passes on unchecked is a percent-encoded tag.
            self.note("explicit-tag", START, "a tag that is not UTF-8", "leave tags out")
            raise BrokenError from error
        return value

    def listed_problems(self) -> list[Problem]:
        listed = sorted(self.problems, key=lambda problem: problem.location)
        if self.unlisted:
            last = listed[-1]
            message = f"{last.message} (and {self.unlisted:,} more problems in this file that are not listed)"
            listed[-1] = replace(last, message=message)
        return listed

    def note(self, rule: str, location: Location, message: str, hint: str) -> None:
        if not self._only_counted():
            self.problems.append(Problem(rule, location, message, hint))

    def _only_counted(self) -> bool:
        """Whether enough problems are listed; another one is then counted, and needs no words."""
        if len(self.problems) < MAX_PROBLEMS:
            return False
        self.unlisted += 1
        return True

    def _open(self) -> None:
        """Reads up to the first node; raises `BrokenError` where there is none."""
        self.parser.get_event()
        opening = self.parser.get_event()
        if isinstance(opening, DocumentStartEvent):
            if opening.version or opening.tags:
                self.note("yaml-syntax", _start(opening), "a directive", "leave out lines that start with %")
            first = self.parser.peek_event()
            if not isinstance(first, ScalarEvent) or first.value or first.style or first.tag or first.anchor:
                return
        self.note("empty-file", START, "the file holds no record", "write the record, or delete the file")
        raise BrokenError

    def _close(self) -> None:
        self.parser.get_event()
        following = self.parser.get_event()
        if isinstance(following, DocumentStartEvent):
            self.note(
                "several-documents",
                _start(following),
                "a second document starts here",
                "keep one record a file: move the rest to files of their own",
            )

    def _value(self, event: Event | None) -> Json:
        if isinstance(event, ScalarEvent):
            return event.value if event.style else self._plain(event)
        if isinstance(event, AliasEvent):
            return self._alias(event)
        if not isinstance(event, CollectionStartEvent):
            raise TypeError(f"no value starts with {event!r}")
        if self.depth == MAX_DEPTH:
            self._refuse_depth(_start(event))
        self.depth += 1
        value = self._mapping() if isinstance(event, MappingStartEvent) else self._list()
        self.depth -= 1
        return value

    def _mapping(self) -> Json:
        next_event = self.next_event
        mapping: dict[str, Json] = {}
        while True:
            event = next_event()
            if isinstance(event, ScalarEvent):
                key = event.value
                if key == "<<" or len(key) > MAX_KEY:
                    self._refuse_key(event)
            elif isinstance(event, MappingEndEvent):
                return mapping
            else:
                key = self._awkward_key(event)
            if key in mapping:
                self.key_given_twice = True
            event = next_event()
            if isinstance(event, ScalarEvent):
                text = event.value
                plain = not event.style and text[:1] in FIRST_CHARACTERS
                mapping[key] = self._plain(event) if plain else text
            else:
                mapping[key] = self._value(event)

    def _list(self) -> Json:
        items: list[Json] = []
        while not isinstance(event := self.next_event(), SequenceEndEvent):
            items.append(self._value(event))
        return items

    def _plain(self, event: ScalarEvent) -> Json:
        try:
            return plain_value(event.value)
        except ScalarError as fault:
            if not self._only_counted():
                self.note(fault.rule, _start(event), fault.message, fault.hint)
            return event.value

    def _alias(self, event: AliasEvent) -> str:
        text = f"*{event.anchor}"
        hint = "write the value out; quote text that starts with *"
        self.note("anchor-or-alias", _start(event), f"the alias {text}", hint)
        return text

    def _next_undecorated(self) -> Event | None:
        """The next event, after noting its anchor and its tag."""
        event = self.parser.get_event()
        if isinstance(event, (ScalarEvent, CollectionStartEvent)):
            if event.anchor is not None:
                hint = "write the value wherever it is needed; quote text that starts with &"
                self.note("anchor-or-alias", _start(event), f"the anchor &{event.anchor}", hint)
            if event.tag is not None:
                hint = "the schema says what a value is: leave the tag out; quote text that starts with !"
                self.note("explicit-tag", _start(event), f"the tag {event.tag}", hint)
        return event

    def _refuse_depth(self, place: Location) -> None:
        self.note(
            "nested-too-deep",
            place,
            f"nested more than {MAX_DEPTH} levels deep",
            "no record needs this; look for brackets that are never closed",
        )
        raise BrokenError

    def _refuse_key(self, event: ScalarEvent) -> None:
        if len(event.value) > MAX_KEY:
            message = f"a key of {len(event.value):,} characters; at most {MAX_KEY} are read"
            self.note("complex-key", _start(event), message, "make the text a value, under a short key")
        elif not event.style:
            self.note("merge-key", _start(event), "the merge key <<", "write the merged keys out")

    def _awkward_key(self, event: Event | None) -> str:
        """The text that stands for a key that is an alias, a list or a mapping."""
        if isinstance(event, AliasEvent):
            return self._alias(event)
        if event is None:
            raise TypeError("the events ended inside a mapping")
        hint = "keys are text; quote a key that starts with a bracket"
        self.note("complex-key", _start(event), "a list or a mapping as a key", hint)
        self._value(event)
        return unnamed_key(mark_of(event.start_mark))

    def _note_duplicates(self, node: Node) -> None:
        """Finds the keys that were given twice, with their first lines, in the tree of the text."""
        if isinstance(node, Scalar):
            return
        first: dict[str, Entry] = {}
        for entry in node.entries:
            if entry.key is not None:
                earlier = first.setdefault(entry.key, entry)
                if earlier is not entry and not self._only_counted():
                    self.note(
                        "duplicate-key",
                        entry.start.location,
                        f"the key {entry.key} was already given in line {earlier.start.location.line}",
                        "keep one of the two; values of one kind belong in a list",
                    )
            self._note_duplicates(entry.node)


def _start(event: Event) -> Location:
    return mark_of(event.start_mark).location
