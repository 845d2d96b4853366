"""A summary of a change as a page: Markdown for the pull request, text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from tools.audit.step import Step
from tools.audit.summary import Filed, Summary
from tools.audit.tables import STEP_COLUMNS, Style, Table, escaped, flat, markdown, step_cells, text

_SECTIONS: Final = (
    ("Corrected", ("correction",)),
    ("Reclassified", ("reclassification",)),
    ("Back-filled", ("backfill",)),
    ("Retracted", ("retraction",)),
    ("Superseded", ("supersession",)),
    ("Moved", ("moved",)),
    ("Conditions audited", ("condition_audit",)),
    ("Confirmed", ("confirmation",)),
    ("Acknowledged", ("acknowledgement",)),
)


def summary_text(summary: Summary, style: Style = lambda text, _: text) -> str:
    """The summary for a terminal."""
    parts = [f"{style(flat(_between(summary)), 'strong')}\n{headline(summary)}\n"]
    return "\n".join([*parts, *(text(table, style) for table in tables(summary))])


def summary_markdown(summary: Summary) -> str:
    """The summary for a pull request; tables are cut where GitHub would cut the page."""
    head = f"## What this does to the data\n\n{escaped(_between(summary))}\n\n**{headline(summary)}**\n"
    return "\n".join([head, *(markdown(table) for table in tables(summary))])


def _between(summary: Summary) -> str:
    head = "the folder as it lies here" if summary.head is None else summary.head
    return f"from {summary.base} ({summary.commit[:12]}) to {head}"


def headline(summary: Summary) -> str:
    """How many records of what, in one line."""
    counts = [
        (len({found.record for found in summary.unexplained}), "not accounted for"),
        (len(summary.gone), "gone"),
        (len(summary.added), "added"),
        *((_records(summary.steps_of(*actions)), title.lower()) for title, actions in _SECTIONS),
        (len(summary.rewritten), "with new words or formatting only"),
        (len(summary.unread), "not readable"),
    ]
    told = [f"{number:,} {what}" for number, what in counts if number]
    return f"records: {', '.join(told)}" if told else "no record differs"


def _records(steps: Iterable[Step]) -> int:
    return len({step.place.record for step in steps})


def tables(summary: Summary) -> list[Table]:
    """The tables of a summary, the most urgent first; what did not happen has none."""
    told = {action for _, actions in _SECTIONS for action in actions}
    other = [step for step in summary.steps if step.entry.action not in told]
    return [
        table
        for table in (
            Table(
                "Not accounted for by the audit log",
                ("record", "place", "fault"),
                tuple(((f.record,), (f.pointer or "/",), (f.message,)) for f in summary.unexplained),
            ),
            Table(
                "Gone",
                ("record", "file", "carried on in"),
                tuple(((gone.record,), (gone.file,), (gone.now,)) for gone in summary.gone),
            ),
            Table("Not readable, and not compared", ("file",), tuple(((file,),) for file in summary.unread)),
            *(_steps(title, summary.steps_of(*actions)) for title, actions in _SECTIONS),
            _steps("Other steps", other),
            *_facts(summary),
        )
        if table.rows
    ]


def _facts(summary: Summary) -> Iterator[Table]:
    yield Table(
        "Newly declared absent",
        ("record", "condition", "reason", "would need"),
        tuple(((a.record,), (a.condition,), (a.reason,), (a.would_need,)) for a in summary.absences),
    )
    yield Table(
        f"Conditions stated, of {summary.conditions}",
        ("record", "before", "after"),
        tuple(((c.record,), (str(c.before),), (str(c.after),)) for c in summary.completeness),
    )
    yield Table(
        "New warnings",
        ("record", "rule", "warning"),
        tuple(((w.record,), (w.rule,), (w.message,)) for w in summary.warnings),
    )
    yield Table(
        "Added",
        ("record", "kind", "title", "results", "conditions"),
        tuple(_filed(filed, summary.conditions) for filed in summary.added),
    )


def _filed(filed: Filed, conditions: int) -> tuple[tuple[str, ...], ...]:
    stated = "" if filed.stated is None else f"{filed.stated} of {conditions}"
    return (filed.record,), (filed.kind,), (filed.title,), filed.results, (stated,)


def _steps(title: str, steps: Iterable[Step]) -> Table:
    return Table(title, STEP_COLUMNS, tuple(step_cells(step) for step in steps))
