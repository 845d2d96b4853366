"""Asking at a terminal for what a new record does not say yet; every answer is judged before the next question.

Ids are looked up in the catalog, words in the schema, and what comes near to a wrong answer is proposed. An
empty answer to what may be left out leaves it out; nothing is filled in for anybody.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import redirect_stdout

import typer

from tools.audit.entry import Evidence
from tools.checks.draft import Draft
from tools.cli.output import say, styler
from tools.errors import ToolsError
from tools.records.argument import read_argument
from tools.records.catalog import Catalog
from tools.records.revise import node_of
from tools.records.tree import Node
from tools.schema.questions import Alternatives, Question, open_questions, ways_to_state
from tools.schema.spelling import listed, nearest, proposal
from tools.schema.validate import faults
from tools.schema.vocabulary import Condition, vocabulary

_SHORT = 8
"""Ids of a kind up to which all of them are shown."""
_NEAR = 4


def prompt(label: str, default: str | None = None) -> str:
    """An answer from the terminal; with a default, an empty one means that. Asks on stderr."""
    # With `err=True` the space behind the question would still go to stdout.
    with redirect_stdout(sys.stderr):
        text: str = typer.prompt(label, default=default, show_default=bool(default))
    return text.strip()


class Dialogue:
    """Questions about one draft, on stderr, so that stdout holds nothing but data."""

    def __init__(self, catalog: Catalog, draft: Draft) -> None:
        self.catalog = catalog
        self.draft = draft

    def fill(self) -> None:
        """Asks for everything that the schema requires."""
        passed: set[str] = set()
        while waiting := [asked for asked in self._open() if asked[0].pointer not in passed]:
            alternatives = waiting[0]
            if len(alternatives) == 1:
                self._answer(alternatives[0], must=True)
            elif not self._any(alternatives):
                passed.add(alternatives[0].pointer)

    def settle(self) -> None:
        """Asks of each condition that is neither stated nor absent what it was, or why it is absent."""
        for condition in self.draft.unsettled():
            say(f"\n{self._strong(condition.title)}: {condition.description}")
            if self._any(ways_to_state(self.draft.kind, self.draft.value, condition.stated_by)):
                self.fill()
            else:
                self._absence(condition)

    def evidence(self) -> Evidence:
        """The source that the record rests on, and the place in it."""
        say(f"\n{self._strong('Evidence')}: the source that the record rests on, and the place in it.")
        question = Question("source", "", "", (), "source", True, False)
        while (source_id := self._known(self._prompt("source", must=True), question)) is None:
            continue
        return Evidence(source_id, None, self._prompt("place in it", must=True), None)

    def reason(self, proposed: str) -> str:
        """Why the record is filed."""
        say(f"\n{self._strong('Reason')}: why the record is filed, for its audit log.")
        return self._prompt("reason", must=True, default=proposed)

    def _open(self) -> Iterator[Alternatives]:
        return open_questions(self.draft.kind, self.draft.value)

    def _any(self, alternatives: Alternatives) -> bool:
        """Asks one after the other, and stops at the first answer."""
        if len(alternatives) > 1:
            say(
                f"one of {', '.join(question.title.lower() for question in alternatives)}; empty if not stated"
            )
        return any(self._answer(question, must=False) for question in alternatives)

    def _answer(self, question: Question, *, must: bool) -> bool:
        """Asks until there is an answer that fits, or an empty one where that is allowed."""
        say(f"\n{self._strong(question.title)}: {question.description}")
        if question.words:
            say(f"one of {', '.join(question.words)}")
        elif question.refers_to:
            self._show_ids(question.refers_to)
        while text := self._prompt(
            question.pointer if must else f"{question.pointer} (may be empty)", must=must
        ):
            try:
                node = self._node(text, question)
                if node is None or self._misfits(self.draft.with_value(question.pointer, node), question):
                    continue
            except ToolsError as error:
                say(f"{error.message}: {error.hint}")
                continue
            self.draft.put(question.pointer, node)
            return True
        return False

    def _node(self, text: str, question: Question) -> Node | None:
        """The value that an answer means; None, with a word about it, where it is none."""
        if question.words:
            if text in question.words:
                return node_of(text)
            say(f"`{text}` is none of them{proposal(nearest(text, question.words))}")
            return None
        if question.refers_to:
            named = [part.strip() for part in text.split(",")] if question.is_list else [text]
            known = [found for part in named if (found := self._known(part, question)) is not None]
            if len(known) < len(named):
                return None
            return node_of([*known]) if question.is_list else node_of(known[0])
        return node_of(text) if question.is_text else read_argument(text)

    def _known(self, name: str, question: Question) -> str | None:
        kind = question.refers_to
        entry = self.catalog.find(name)
        if entry is not None and kind in (entry.kind, "any"):
            return entry.id
        near = self.catalog.nearest(name, kind, _NEAR)
        say(
            f"there is no {kind} `{name}`: "
            + (f"did you mean {listed(near)}?" if near else f"file it first, with `tools new {kind}`")
        )
        return None

    def _misfits(self, trial: Draft, question: Question) -> bool:
        """Whether the schema refuses the answer; it says why."""
        place = question.pointer
        found = [
            fault
            for fault in faults(trial.kind, trial.value)
            if fault.pointer == place or fault.pointer.startswith(f"{place}/")
        ]
        for fault in found:
            say(f"{fault.message}; {fault.hint}" if fault.hint else fault.message)
        return bool(found)

    def _show_ids(self, kind: str) -> None:
        ids = [entry.id for entry in self.catalog.files() if entry.kind == kind]
        if len(ids) <= _SHORT:
            say(f"known: {', '.join(ids) or 'none yet'}")
        else:
            say(f"the id of one of {len(ids):,} records, or a name: the nearest are shown")

    def _absence(self, condition: Condition) -> None:
        reasons = vocabulary().enumerations["absence_reason"]
        for term in reasons.values():
            say(f"  {term.name}: {term.description}")
        while True:
            reason = self._prompt(f"why {condition.name} is absent", must=True)
            if reason in reasons:
                break
            say(f"`{reason}` is none of them{proposal(nearest(reason, list(reasons)))}")
        would_need = (
            self._prompt("what would recover it", must=True, default=condition.would_need)
            if reason == "unrecoverable"
            else None
        )
        self.draft.declare_absent(condition.name, reason, would_need)

    def _prompt(self, label: str, *, must: bool, default: str | None = None) -> str:
        return prompt(label, default if default is not None or must else "")

    def _strong(self, text: str) -> str:
        return styler(sys.stderr)(text, "strong")
