"""A record that is being written: what was given for it so far, and the text it makes with its `created` entry.

Only what is given gets in. What is still open is told by `tools.schema.questions`; of a benchmark, each of the
conditions is stated or declared absent. Whether the result is a good record is judged by whoever files it.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field

from tools.audit.amendment import Signature
from tools.audit.entry import AUDIT, CREATED, Evidence
from tools.errors import ToolsError
from tools.records import pointer as pointers
from tools.records.graft import Edit
from tools.records.layout import edit_document, render
from tools.records.parse import Json, parse
from tools.records.pointer import PointerError
from tools.records.revise import value_of
from tools.records.tree import Node, Scalar
from tools.schema.conditions import absences, require_condition, stated_at
from tools.schema.load import key_order
from tools.schema.spelling import nearest, proposal
from tools.schema.vocabulary import Condition, vocabulary

BENCHMARK = "benchmark"
STATUS = "draft"

_OWN = {
    "id": "name the record after its kind: tools new KIND ID",
    "kind": "name the kind first: tools new KIND ID",
    AUDIT: "its first entry is made of --reason, --evidence, --by and --date",
}


@dataclass
class Draft:
    """What is known of a record to be; `value` has no log, `digits` are its numbers as they were written."""

    kind: str
    value: dict[str, Json] = field(default_factory=dict)
    digits: list[Edit] = field(default_factory=list)

    @classmethod
    def start(cls, kind: str, record_id: str) -> Draft:
        """A draft with its identity and nothing else."""
        return cls(kind, {"id": record_id, "kind": kind, "status": STATUS})

    def put(self, pointer: str, node: Node) -> None:
        """Gives a place its value, and makes the mappings and lists on the way; `-` appends to a list.

        Raises `ToolsError` where something stands there already, and for what the call itself gives.
        """
        try:
            tokens = pointers.split(pointer)
        except PointerError as error:
            raise ToolsError(f"`{pointer}` is not a JSON Pointer: {error}", _EXAMPLE) from error
        if not tokens:
            raise ToolsError("an empty pointer means the whole record", _EXAMPLE)
        if tokens[0] in _OWN:
            raise ToolsError(f"/{tokens[0]} is not set by hand", _OWN[tokens[0]])
        if tokens == ("status",):
            self.value.pop("status", None)
        place = _put(self.value, tokens, value_of(node))
        self.digits += _printed(place, node)

    def with_value(self, pointer: str, node: Node) -> Draft:
        """A copy that has one value more; raises as `put` does."""
        copy = deepcopy(self)
        copy.put(pointer, node)
        return copy

    def declare_absent(self, condition: str, reason: str, would_need: str | None) -> None:
        """Says that a condition is not stated: in which source, where the record rests on one alone.

        Raises `ToolsError` for a record that has no conditions, a word the vocabulary does not have, a condition
        that is settled already, and where it is not said what would recover the unrecoverable.
        """
        if self.kind != BENCHMARK:
            raise ToolsError("only a benchmark has conditions", f"this is a record of kind {self.kind}")
        described = require_condition(condition)
        reasons = vocabulary().enumerations["absence_reason"]
        if reason not in reasons:
            raise ToolsError(
                f"`{reason}` is no reason of an absence{proposal(nearest(reason, list(reasons)))}",
                f"a reason is one of {', '.join(reasons)}",
            )
        if any(absence.condition == condition for absence in absences(self.value)):
            raise ToolsError(f"`{condition}` is declared absent twice", "say once why it is absent")
        stated = stated_at(self.value, described)
        if stated is not None:
            raise ToolsError(
                f"`{condition}` is stated at {stated}", "a condition is stated or absent, not both"
            )
        if reason == "unrecoverable" and not would_need:
            raise ToolsError(
                f"nothing says what would recover `{condition}`",
                f"--absent '{condition}=unrecoverable:{described.would_need}' says it, if that is true",
            )
        declared: dict[str, Json] = {"condition": condition, "reason": reason}
        if (source_id := self._only_source()) is not None and reason != "not_applicable":
            declared["source_id"] = source_id
        if would_need:
            declared["would_need"] = would_need
        listed = self.value.setdefault("absent", [])
        if isinstance(listed, list):
            listed.append(declared)

    def _only_source(self) -> str | None:
        sources = self.value.get("sources")
        first = sources[0] if isinstance(sources, list) and len(sources) == 1 else None
        source_id = first.get("source_id") if isinstance(first, dict) else None
        return source_id if isinstance(source_id, str) else None

    def unsettled(self) -> tuple[Condition, ...]:
        """The conditions of a benchmark that are neither stated nor declared absent."""
        if self.kind != BENCHMARK:
            return ()
        absent = {absence.condition for absence in absences(self.value)}
        return tuple(
            condition
            for condition in vocabulary().conditions.values()
            if condition.name not in absent and stated_at(self.value, condition) is None
        )

    def cite(self, evidence: tuple[Evidence, ...]) -> None:
        """Takes the sources among some evidence for those that the record rests on, unless it names its own."""
        if self.kind == "source" or "sources" in self.value:
            return
        cited = [item for item in evidence if item.source_id is not None]
        if cited:
            self.value["sources"] = [_plain(item) for item in cited]

    def text(self, signed: Signature) -> str:
        """The canonical text of the record, with its `created` entry."""
        order = key_order(self.kind)
        entry: dict[str, Json] = {
            "date": signed.day.isoformat(),
            "by": signed.by,
            "action": CREATED,
            "reason": signed.reason,
        }
        if signed.evidence:
            entry["evidence"] = [_plain(item) for item in signed.evidence]
        plain = render({**self.value, AUDIT: [entry]}, order)
        return edit_document(parse(plain.encode()), self.digits, order)


_EXAMPLE = "name a place in the record, such as /results/0/value; / and ~ inside a key are written ~1 and ~0"


def _plain(item: Evidence) -> dict[str, Json]:
    named = {"source_id": item.source_id, "record_id": item.record_id, "locator": item.locator}
    return {key: text for key, text in named.items() if text is not None}


def _printed(pointer: str, node: Node) -> Iterator[Edit]:
    """The numbers in a node, with their digits."""
    if isinstance(node, Scalar):
        if node.spelling:
            yield Edit(pointer, node)
        return
    for index, entry in enumerate(node.entries):
        token = str(index) if entry.key is None else entry.key
        yield from _printed(pointer + pointers.join([token]), entry.node)


def _put(value: dict[str, Json], tokens: tuple[str, ...], new: Json) -> str:
    """Puts a value below a mapping; gives the pointer of its place, with an index in the place of `-`."""
    holder: Json = value
    way: list[str | int] = []
    for token, following in zip(tokens, (*tokens[1:], None), strict=True):
        if isinstance(holder, list):
            index = len(holder) if token == "-" else pointers.list_index(token)
            if index is None or index > len(holder):
                raise ToolsError(
                    f"{pointers.join(way)} has {len(holder)} items so far: {token} is none of them",
                    "the items of a list are given in their order, from 0; - appends one",
                )
            token, is_there = str(index), index < len(holder)
        elif isinstance(holder, dict):
            is_there = token in holder
        else:
            raise ToolsError(f"{pointers.join(way)} is a single value", "nothing can be put below it")
        way.append(token)
        if following is None and is_there:
            raise ToolsError(f"{pointers.join(way)} is given twice", "say once what stands there")
        if not is_there:
            is_list = following == "-" or (
                following is not None and pointers.list_index(following) is not None
            )
            fresh: Json = new if following is None else [] if is_list else {}
            if isinstance(holder, list):
                holder.append(fresh)
            else:
                holder[token] = fresh
            holder = fresh
        else:
            holder = holder[int(token)] if isinstance(holder, list) else holder[token]
    return pointers.join(way)
