"""The rules of a map, compiled: what each row states, cites and declares, put into a draft."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tools.importers.cells import (
    CellError,
    Row,
    Test,
    converted,
    formula,
    reader,
    template,
    test,
)
from tools.importers.draft import Citation, Draft, Later, Original
from tools.importers.names import Names
from tools.importers.printed import Printed
from tools.importers.tree import place
from tools.records import pointer as pointers
from tools.schema.fields import fields_at
from tools.schema.load import bundle, in_place
from tools.schema.spelling import quoted
from tools.schema.vocabulary import vocabulary

Put = Callable[[str, Any], None]


@dataclass
class FieldRule:
    """A rule of the map that states one field, below a record or below one of its results."""

    rule: Mapping[str, Any]
    names: Names
    own: Mapping[str, str | None]
    base: tuple[str | int, ...] = ()

    def __post_init__(self) -> None:
        self.applies: Test = test(self.rule.get("when"))
        self.pointer: str = self.rule["field"]
        wanted = "text" if "names" in self.rule else _type_at(self.base, self.pointer)
        self.read = reader(self.rule, wanted)
        self.kind: str | None = self.rule.get("names")
        self.conditions = [] if self.base else list(_conditions_without(self.pointer))

    def state(self, row: Row, put: Put, draft: Draft, notes: dict[str, str]) -> None:
        """Puts what the row says; a name without a record is noted for the condition that lacks it."""
        if not self.applies(row):
            return
        value = self.read(row)
        if value is None:
            return
        if self.kind is not None:
            found = self.names.resolve(self.kind, str(value), self.own)
            if found.id is None:
                draft.remark(f"no {self.kind} record for {quoted(str(value))}: {found.reason}")
                for condition in self.conditions:
                    notes.setdefault(condition, f'the source says "{value}", which names no single record')
                return
            value = found.id
        elif "unit" in self.rule:
            value = converted(value, self.rule["unit"], self.rule["as"])
        put(self.pointer, value)


@dataclass
class ResultRule:
    """A rule of the map that gives one number."""

    rule: Mapping[str, Any]
    names: Names
    own: Mapping[str, Mapping[str, str | None]]

    def __post_init__(self) -> None:
        self.applies: Test = test(self.rule.get("when"))
        self.read = reader(self.rule, "number")
        unit = self.rule["unit"]
        self.unit_of = (lambda _: unit) if isinstance(unit, str) else reader(unit, "text")
        said = self.rule.get("said")
        self.unit_column = None if isinstance(unit, str) else unit["column"]
        self.said_of = template(said) if said else None
        self.formula = formula(self.rule)
        self.key = self.rule.get("key") or self.rule.get("column") or self.formula
        self.fields = [
            FieldRule(rule, self.names, self.own.get(rule.get("names", ""), {}), ("results", 0))
            for rule in self.rule.get("fields", ())
        ]

    def state(self, row: Row, draft: Draft, citation: Citation | None) -> None:
        """Adds the number that the row has, if it has one."""
        if not self.applies(row):
            return
        value = self.read(row)
        if value is None:
            return
        unit = self.unit_of(row)
        if unit is None:
            raise CellError(f"{quoted(str(self.unit_column))} gives no unit for {quoted(str(self.key))}")
        number = value if isinstance(value, Printed) else Printed(value)
        more: dict[str, Any] = {}
        for rule in self.fields:
            rule.state(row, lambda pointer, inner: place(more, pointer, inner), draft, {})
        if self.formula is not None:
            place(more, "/derived_from/formula", self.formula)
            original = None
        else:
            said = self.said_of(row) if self.said_of else row[self.unit_column] if self.unit_column else unit
            # A number of the map, constant or from a table of values, has no digits of its own in the file.
            is_read = not {"value", "values"} & self.rule.keys()
            original = Original(str(self.key), number, said) if is_read else None
        draft.add_result(
            self.rule["metric"],
            number,
            unit,
            statistic=self.rule.get("statistic"),
            original=original,
            more=more,
            citation=citation,
        )


@dataclass
class CitationRule:
    """A rule of the map that cites a source."""

    rule: Mapping[str, Any]

    def __post_init__(self) -> None:
        source = self.rule["source"]
        self.applies: Test = test(self.rule.get("when"))
        self.source_of = (lambda _: source) if isinstance(source, str) else reader(source, "text")
        self.locator_of = template(self.rule["locator"])
        self.note_of = template(self.rule.get("note", ""))

    def read(self, row: Row) -> Citation | None:
        """The citation of a row, or None where the rule is not for it or a cell is empty."""
        if not self.applies(row):
            return None
        source, locator = self.source_of(row), self.locator_of(row)
        if source is None or locator is None:
            return None
        locator = " ".join(locator.split())
        return Citation(
            source,
            locator,
            self.rule.get("read_from", "file"),
            self.note_of(row) or None,
            self.rule.get("tolerance"),
        )


@dataclass
class AbsenceRule:
    """A rule of the map that declares a condition absent."""

    rule: Mapping[str, Any]

    def __post_init__(self) -> None:
        self.applies: Test = test(self.rule.get("when"))
        self.note_of = template(self.rule.get("note", ""))

    def state(self, row: Row, draft: Draft) -> None:
        """Declares it, unless the draft states the condition."""
        if self.applies(row):
            draft.absent(
                self.rule["condition"],
                self.rule["reason"],
                self.rule.get("would_need"),
                self.note_of(row) or None,
            )


@dataclass
class AuditRule:
    """A rule of the map for what the record says otherwise than the file does."""

    rule: Mapping[str, Any]
    names: Names

    def __post_init__(self) -> None:
        self.applies: Test = test(self.rule.get("when"))
        self.reason_of = template(self.rule["reason"])
        self.cites = [CitationRule(rule) for rule in self.rule.get("cite", ())]
        base: tuple[str | int, ...] = ("results", 0) if "metric" in self.rule else ()
        self.before = [FieldRule(rule, self.names, {}, base) for rule in self.rule["before"]]

    def state(self, row: Row, draft: Draft) -> None:
        """Adds the entry of a row; nothing where the draft lacks the result that it is about."""
        if not self.applies(row):
            return
        above = ""
        if "metric" in self.rule:
            index = _result_index(draft, self.rule["metric"], self.rule.get("statistic"))
            if index is None:
                return
            above = pointers.join(["results", index])
        changes: list[tuple[str, Any]] = []
        for rule in self.before:
            rule.state(row, lambda pointer, value: changes.append((above + pointer, value)), draft, {})
        cited = tuple(found for rule in self.cites if (found := rule.read(row)) is not None)
        reason = self.reason_of(row)
        if changes and reason is not None:
            draft.amend(Later(self.rule["action"], reason, cited or tuple(draft.citations), tuple(changes)))


def _result_index(draft: Draft, metric: str, statistic: str | None) -> int | None:
    for index, result in enumerate(draft.results):
        if result["metric"] == metric and result.get("statistic") == statistic:
            return index
    return None


def _conditions_without(pointer: str) -> Iterator[str]:
    """The conditions that are open where the field at a pointer stays empty.

    A condition inside an object goes with the id of that object: without an engine there is no place for its version.
    """
    tokens = pointers.split(pointer)
    owner = f"{pointers.join(tokens[:-1])}/" if tokens[1:] and tokens[-1] == "id" else None
    for condition in vocabulary().conditions.values():
        if any(
            f"{pointer}/".startswith(f"{by}/") or (owner is not None and by.startswith(owner))
            for by in condition.stated_by
        ):
            yield condition.name


def _type_at(base: tuple[str | int, ...], pointer: str) -> str:
    """How a cell is read for a field: by what the schema of benchmarks wants there."""
    document = bundle("benchmark")
    at = [*base, *(int(token) if token.isdigit() else token for token in pointers.split(pointer))]
    if isinstance(at[-1], int):
        return "text"
    schema = fields_at(document, at[:-1]).get(str(at[-1]), {})
    types: set[str] = set()
    for node in in_place(document, schema):
        found = node.get("type", ())
        types.update([found] if isinstance(found, str) else found)
    for wanted in ("number", "integer", "boolean"):
        if wanted in types:
            return wanted
    return "text"
