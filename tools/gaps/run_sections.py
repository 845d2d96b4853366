"""The sections about benchmarks: conditions, look-ups, the accelerator, the second look."""

from __future__ import annotations

from collections.abc import Sequence

from tools.gaps.recovery import look_ups
from tools.gaps.runs import Group, kinds, reasons_of_absence, unplaced, waiting
from tools.gaps.survey import Survey
from tools.gaps.table import NONE, Row, Section, counted, few, ranked, section, share
from tools.schema.vocabulary import vocabulary


def conditions(survey: Survey) -> Section:
    """Every condition: how many benchmarks state it, and why the others do not."""
    reasons = reasons_of_absence()
    total = len(survey.benchmarks)
    rows: list[Row] = [
        (
            {"condition": one.condition, "stated": one.stated, "absent": dict(one.absent)},
            (
                one.condition,
                one.stated,
                share(one.stated, total),
                *(one.absent[reason] for reason in reasons),
            ),
        )
        for one in kinds(survey.benchmarks)
    ]
    return section(
        "conditions",
        "Conditions",
        "`tools backfill` states one, from evidence; `tools declare-absent` answers for what is undeclared",
        ("condition", "stated", "share", *(reason.replace("_", " ") for reason in reasons)),
        rows,
    )


def recoverable(survey: Survey) -> Section:
    """Look-ups, the one that completes most records first."""
    return section(
        "recoverable",
        "What one look-up recovers",
        "`completes` would then lack nothing; not stated: a closer look may find it, "
        "unrecoverable: another document is needed",
        ("source", "condition", "reason", "benchmarks", "completes", "would need"),
        (
            (
                {
                    "source": one.source,
                    "condition": one.condition,
                    "reason": one.reason,
                    "benchmarks": one.benchmarks,
                    "completes": one.completes,
                    "would_need": counted("words", one.would_need),
                    "example": one.example,
                },
                (
                    one.source or NONE,
                    one.condition,
                    one.reason.replace("_", " "),
                    one.benchmarks,
                    one.completes,
                    few(ranked(one.would_need), 1, "; "),
                ),
            )
            for one in look_ups(survey.benchmarks, survey.scope)
        ),
    )


def groups(key: str, kind: str, groups: Sequence[Group]) -> Section:
    """Benchmarks and the conditions they lack, by the kind of record that the groups name."""
    names = tuple(vocabulary().conditions)
    return section(
        key,
        f"Benchmarks that lack a condition, by {kind}",
        "`complete` lack nothing there; a condition without a meaning for the run is not lacking",
        (f"{kind} id", "benchmarks", "complete", *(name.split("_")[0] for name in names)),
        (
            (
                {
                    kind: group.id,
                    "benchmarks": group.benchmarks,
                    "complete": group.complete,
                    "lacking": {name: group.lacking[name] for name in names},
                },
                (
                    group.id or NONE,
                    group.benchmarks,
                    group.complete,
                    *(group.lacking[name] for name in names),
                ),
            )
            for group in groups
        ),
    )


def without_accelerator(survey: Survey) -> Section:
    """Benchmarks that name no accelerator, and what they say of it."""
    return section(
        "without_accelerator",
        "Benchmarks without an accelerator",
        "`explained` have a note on it, such as that of a hosted API; where it names one part after all, "
        "`tools backfill` adds it as accelerator_ids",
        ("source", "reason", "benchmarks", "explained", "note"),
        (
            (
                {
                    "source": one.source,
                    "reason": one.reason,
                    "benchmarks": one.benchmarks,
                    "explained": one.notes.total(),
                    "notes": counted("words", one.notes),
                    "systems": counted("name", one.systems),
                },
                (
                    one.source or NONE,
                    one.reason.replace("_", " "),
                    one.benchmarks,
                    one.notes.total(),
                    few(ranked(one.notes), 1, "; "),
                ),
            )
            for one in unplaced(survey.benchmarks, survey.scope)
        ),
    )


def drafts(survey: Survey) -> Section:
    """Benchmarks that nobody has held against their source a second time."""
    return section(
        "drafts",
        "Drafts",
        "after a second look at the source: `tools correct ID /status verified`",
        ("source", "drafts", "benchmarks", "share"),
        (
            (
                {"source": source, "drafts": count, "benchmarks": total},
                (source or NONE, count, total, share(count, total)),
            )
            for source, count, total in waiting(survey.benchmarks, survey.scope)
        ),
    )
