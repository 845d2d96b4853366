"""One operating point being read: the members of its object, what was read of them, and the draft they fill.

Reading a member marks it as read, so that what a newer version of a program adds is told by name. A number is one
only if it is finite, in place and no placeholder: `NaN`, `null`, `-1`, an empty cell and a latency of 0 are
statements that there is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tools.importers.draft import Draft, Original
from tools.importers.names import Names
from tools.importers.printed import Printed, read_number
from tools.importers.programs.content import Digits
from tools.importers.programs.rounding import half_unit
from tools.importers.programs.spelling import is_mock, is_name
from tools.importers.tree import Tree
from tools.schema.spelling import quoted

FAILED_SHARE = Fraction(1, 100)
"""Above this share of requests without an answer a run is refused: the missing ones may be all of what a p99 is
about, and a rate over the others is of another load."""

_ZERO_IS_NONE = frozenset({"ms", "s", "us", "ns", "s/tok", "ms/tok"})
_DAY = re.compile(r"(20[0-9]{2})-?([01][0-9])-?([0-3][0-9])(?:[-T ].*)?")


class RefusedError(Exception):
    """What was read is no measured operating point; the text says why."""


@dataclass
class Point:
    """One operating point. `place` is where it stands in its file, empty for the whole of it."""

    place: str
    values: Mapping[str, Any]
    names: Names
    draft: Draft
    slug: list[str] = field(default_factory=list)
    """Words for the id: what tells this point from others to a reader."""
    lacks: dict[str, tuple[str, str | None, str | None]] = field(default_factory=dict)
    """By condition: the reason of its absence, what would recover it, a note."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """The words of the file for members that were given the name of another file's."""
    _read: set[str] = field(default_factory=set)

    def take(self, key: str) -> Any:
        """The member as it stands; None where there is none."""
        self._read.add(key)
        return self.values.get(key)

    def skip(self, *keys: str) -> None:
        """Says that members are known and not wanted."""
        self._read.update(keys)

    def text(self, key: str) -> str | None:
        """A member that is text; None for anything else and for empty text."""
        value = self.take(key)
        return " ".join(value.split()) or None if type(value) is str else None

    def flag(self, key: str) -> bool | None:
        """A member that is true or false, as a word or as 1 or 0."""
        value = self.take(key)
        if isinstance(value, bool):
            return value
        return {"true": True, "false": False, "1": True, "0": False}.get(str(value).lower())

    def number(self, key: str) -> Printed | None:
        """A member that is a finite number, as such or as text."""
        value = self.take(key)
        return read_number(value) if type(value) in (str, Digits) else None

    def count(self, key: str) -> int | None:
        """A member that is a whole number from 0. Raises `RefusedError` for a number that is none."""
        number = self.number(key)
        if number is None or number.value == -1:
            return None
        if number.value != int(number.value) or number.value < 0:
            raise RefusedError(f"{quoted(key)} is {number.value}, which counts nothing")
        return int(number.value)

    def result(
        self,
        metric: str,
        key: str,
        unit: str,
        *,
        statistic: str | None = None,
        said: str | None = None,
        **more: Tree,
    ) -> Printed | None:
        """Adds the number of a member, if it has one; `said` is its unit in the words of the file.

        Raises `RefusedError` for a negative number other than the placeholder -1.
        """
        number = self.number(key)
        if number is None or number.value == -1:
            return None
        if number.value < 0:
            raise RefusedError(f"{quoted(key)} is {number.value}: nothing is measured below 0")
        if number.value == 0 and unit in _ZERO_IS_NONE:
            if statistic != "std":
                self.draft.remark(f"{quoted(key)} is 0, which no measurement gives: left out")
            return None
        self.add(metric, number, unit, key=key, statistic=statistic, said=said, **more)
        return number

    def add(
        self,
        metric: str,
        number: Printed,
        unit: str,
        *,
        key: str,
        statistic: str | None = None,
        said: str | None = None,
        **more: Tree,
    ) -> None:
        """Adds a number that the file has under a key."""
        told = {name: value for name, value in more.items() if value is not None}
        original = Original(self.labels.get(key, key), number, said or unit)
        self.draft.add_result(metric, number, unit, statistic=statistic, original=original, more=told)

    def lack(
        self,
        condition: str,
        note: str | None = None,
        would_need: str | None = None,
        reason: str = "not_stated",
    ) -> None:
        """Says why a condition is absent, should nobody state it; the first reason given stands."""
        self.lacks.setdefault(condition, (reason, would_need, note))

    def model(self, spelling: str | None) -> None:
        """States the model by a name that the file gives; a path is dropped, an unknown name kept as the label."""
        if spelling is None:
            return
        if is_mock(spelling):
            raise RefusedError("the name of the model says that a mock or simulated server answered")
        if not is_name(spelling):
            self.lack("model", "the file gives a local path, which is dropped and names no model")
            return
        found = self.names.resolve("model", spelling)
        self.draft.put("/model_label", spelling)
        if found.id is None:
            self.lack("model", f'the file says "{spelling}", which names no single record')
            return
        self.draft.put("/model_id", found.id)

    def accelerators(self, spellings: Iterable[str]) -> None:
        """States the accelerators by the names that the file gives, all or none of them."""
        ids: list[str] = []
        for spelling in spellings:
            found = self.names.resolve("accelerator", spelling)
            if found.id is None:
                said = f'"{spelling}"' if is_name(spelling) else "something"
                self.lack("hardware", f"the file says {said}, which names no single record")
                return
            if found.id not in ids:
                ids.append(found.id)
        for index, record_id in enumerate(ids):
            self.draft.put(f"/accelerator_ids/{index}", record_id)

    def engine(self, spelling: str) -> bool:
        """States the engine by a name, if a record has it; says whether it does."""
        found = self.names.resolve("engine", spelling)
        if found.id is not None:
            self.draft.put("/engine/id", found.id)
        return found.id is not None

    def day(self, text: str | None) -> None:
        """States the day of the run; the hour has no zone and is dropped."""
        found = _DAY.fullmatch(text or "")
        if found:
            self.draft.put("/measured_on", "-".join(found.groups()))

    def require_completed(self, completed: int | None, requests: int | None, accept_failures: bool) -> None:
        """Raises `RefusedError` for a run without an answer, or with more failures than are told about."""
        if completed == 0:
            raise RefusedError("no request was completed, so that its zeros measure nothing")
        if completed is None or requests is None:
            return
        if completed > requests:
            raise RefusedError(f"{completed} requests were completed of {requests} sent")
        failed = Fraction(requests - completed, requests)
        if failed > FAILED_SHARE and not accept_failures:
            raise RefusedError(
                f"{requests - completed} of {requests} requests failed, more than {float(FAILED_SHARE):.0%}: "
                "--accept-failures takes it nevertheless"
            )
        if failed:
            self.draft.remark("some requests failed: latencies and tokens are those of the others")

    def unread(self, *known: str) -> list[str]:
        """The members that nobody read, by name."""
        return sorted(set(self.values) - self._read - set(known))


def mean_of(total: int, parts: int) -> Printed:
    """A mean of counts, rounded once."""
    return Printed(float(Fraction(total, parts)) if total % parts else total // parts)


def agrees(said: Printed, computed: Fraction | float, slack: float = 1e-6) -> bool:
    """Whether a number is the computed one, up to half a unit of its last digit and a share of `slack`."""
    return abs(said.exact - Fraction(computed)) <= half_unit(said) + abs(Fraction(computed)) * Fraction(slack)
