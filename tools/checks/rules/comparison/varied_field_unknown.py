"""A comparison that allows a field to differ which no record has."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.sides import COMPARED
from tools.checks.varied import fields, namesakes, resolve
from tools.finding import Level


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    holders = [*record.mappings("/comparisons")]
    for pointer, result in record.mappings("/results"):
        baseline = result.get("baseline")
        if isinstance(baseline, dict):
            holders.append((f"{pointer}/baseline", baseline))
    for pointer, holder in holders:
        listed = holder.get("varied")
        for index, name in enumerate(listed if isinstance(listed, list) else ()):
            if isinstance(name, str) and name and not resolve(name):
                yield Fault(f"{pointer}/varied/{index}", *_told(name))


def _told(name: str) -> tuple[str, str]:
    several = namesakes(name)
    if several:
        return f"`{name}` could be {' or '.join(f'`{field}`' for field in several)}", "write the whole name"
    near = get_close_matches(name, sorted(fields()), n=2) or [
        field for field in sorted(fields()) if get_close_matches(name, [field.rpartition(".")[2]])
    ]
    hint = f"did you mean {' or '.join(f'`{field}`' for field in near[:2])}?" if near else ""
    return f"`{name}` is no condition of a benchmark", hint or "name a field as `conditions.concurrency`"


RULE = Rule(
    name="varied-field-unknown",
    level=Level.ERROR,
    summary="A comparison allows a field to differ that no benchmark has.",
    why=(
        "`varied` says which conditions of two runs are meant to differ; all others have to be equal. A name that "
        "is no field, or could be one of several, allows nothing: the difference it was written for is then "
        "reported as undeclared, or an undeclared one passes for declared by a reader. Fields are named by their "
        "dotted path (`conditions.concurrency`), by a section (`technique`) or one of the eight conditions "
        "(`load`); the last part alone is enough where only one field ends so (`scenario`)."
    ),
    formula="every name in `varied` is a field, section or condition of the benchmark schema",
    kinds=("benchmark",),
    needs=(COMPARED,),
    check=check,
)
