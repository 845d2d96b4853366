"""A current engine set against an old release of another."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from tools.checks.rule import Fault, Ledger, Record, Rule, Skip
from tools.checks.sides import COMPARED, Side, comparisons
from tools.finding import Level

MOST_DAYS = 90
_FIELD = "engine.released"


def check(record: Record, ledger: Ledger) -> Iterator[Fault | Skip]:
    for comparison in comparisons(record, ledger):
        first, second = comparison.first, comparison.second
        engines = first.text("engine.id"), second.text("engine.id")
        if None in engines or engines[0] == engines[1] or _FIELD in comparison.varied:
            continue
        days = _released(first, ledger), _released(second, ledger)
        if days[0] is None or days[1] is None:
            lacking = first if days[0] is None else second
            assert lacking.point is not None
            yield Skip(
                lacking.pointer,
                f"the release date of the engine: `{_FIELD}` in `{lacking.point.record.id}`, or the version in "
                f"`releases` of `{lacking.text('engine.id')}`",
            )
            continue
        apart = (days[0] - days[1]).days
        if abs(apart) > MOST_DAYS:
            older = second if apart > 0 else first
            yield Fault(
                older.pointer,
                f"{engines[0]} of {days[0]} is compared with {engines[1]} of {days[1]}: {abs(apart)} days apart",
                "measure the older engine again with a current release, or show both dates beside the ratio",
            )


def _released(side: Side, ledger: Ledger) -> date | None:
    """The day of the engine's release: as the run states it, else that of its version in the engine's record."""
    stated = side.text(_FIELD)
    if stated is None:
        version, engine = side.text("engine.version"), side.text("engine.id")
        record = ledger.value(engine) if version and engine else None
        releases = record.get("releases") if record else None
        for release in releases if isinstance(releases, list) else ():
            if isinstance(release, dict) and _plain(release.get("version")) == _plain(version):
                day = release.get("date")
                stated = day if isinstance(day, str) else None
    try:
        return date.fromisoformat(stated) if stated else None
    except ValueError:
        return None


def _plain(version: object) -> str:
    return version.removeprefix("v") if isinstance(version, str) else ""


RULE = Rule(
    name="stale-baseline",
    level=Level.WARNING,
    summary="Engines are compared whose releases are more than 90 days apart.",
    why=(
        "Serving engines gain tens of per cent within a season. Published plots set a current engine against a rival "
        "of four months before that had gained prefix caching meanwhile, and rerunning with its current release "
        "closed the gap. A comparison of two engines therefore uses releases of about the same time; a study of one "
        "engine's own progress is another matter and is not asked. The date is the run's `engine.released`, else that "
        "of its version in the engine's record."
    ),
    reference="sgl-project/sglang#389, sgl-project/sglang#1639, Michaelvll/llm-ie-benchmarks#3",
    formula="different `engine.id`: |released a - released b| <= 90 days",
    tolerance="90 days: the disputed cases are 4 months apart, and engines release every few weeks",
    kinds=("benchmark",),
    needs=(COMPARED,),
    check=check,
)
