"""What the verbs that write a record share: their options, and how they carry out a plan and tell of it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tools.cli.output import say, styler

if TYPE_CHECKING:
    from tools.audit.actions import Plan
    from tools.audit.amendment import Signature, Step
    from tools.audit.entry import Change
    from tools.audit.write import Written
    from tools.checks.run import Report

Reason = Annotated[
    str,
    typer.Option(
        "--reason", metavar="TEXT", help="Why, in a sentence that a stranger understands.", show_default=False
    ),
]

_EVIDENCE = "What it rests on: id of a source or record, and the place in it. May be repeated."

Evidence = Annotated[
    list[str],
    typer.Option(
        "--evidence",
        metavar="SOURCE[:LOCATOR]",
        help=f"{_EVIDENCE} The place may be left out where the record cites the source at one place only.",
        show_default=False,
    ),
]

MoreEvidence = Annotated[
    list[str] | None,
    typer.Option("--evidence", metavar="SOURCE[:LOCATOR]", help=_EVIDENCE, show_default=False),
]

By = Annotated[
    str | None,
    typer.Option("--by", metavar="NAME", help="Who does it; by default git's user name.", show_default=False),
]

Day = Annotated[
    str | None,
    typer.Option("--date", metavar="DATE", help="Day of the step, by default today.", show_default=False),
]

DryRun = Annotated[bool, typer.Option("--dry-run", help="Print the difference and write nothing.")]

Pointer = Annotated[
    str | None,
    typer.Argument(metavar="[POINTER]", help="Place in the record: /results/0/value.", show_default=False),
]

Value = Annotated[
    str | None,
    typer.Argument(
        metavar="[VALUE]",
        help="The value as a record would have it, or as JSON: 24525, '\"0.10\"' (text), '[a, b]', "
        "'{id: vllm}'. Before a negative number write --.",
        show_default=False,
    ),
]

Changes = Annotated[
    list[str] | None,
    typer.Option(
        "--change",
        metavar="POINTER=VALUE",
        help="One more change in the same entry; - in the place of an index appends. May be repeated.",
        show_default=False,
    ),
]

Inserts = Annotated[
    list[str] | None,
    typer.Option(
        "--insert",
        metavar="POINTER=VALUE",
        help="An item put into a list, before the one that is there. May be repeated.",
        show_default=False,
    ),
]

Removals = Annotated[
    list[str] | None,
    typer.Option(
        "--remove", metavar="POINTER", help="Something taken away. May be repeated.", show_default=False
    ),
]


@dataclass(frozen=True)
class Call:
    """One call of a verb that writes: the ledger, the record, and how the entry is to be signed."""

    root: Path
    record_id: str
    reason: str
    by: str | None
    day: str | None
    dry_run: bool
    evidence: list[str] = field(default_factory=list)


def steps_of(
    place: str | None,
    value: str | None,
    changes: list[str] | None = None,
    inserts: list[str] | None = None,
    removals: list[str] | None = None,
) -> tuple[Step, ...]:
    """The steps that a call names. Raises `ToolsError` where there are none, or one is not whole."""
    from tools.audit.amendment import Step, Verb
    from tools.errors import ToolsError
    from tools.records.argument import read_argument

    pairs = [(Verb.PUT, text) for text in changes or ()] + [(Verb.INSERT, text) for text in inserts or ()]
    steps = []
    if place is not None:
        if value is None:
            raise ToolsError(
                f"no value is given for {place}", f"write it after the pointer, or --remove {place}"
            )
        steps.append(Step(Verb.PUT, place, read_argument(value)))
    for verb, text in pairs:
        name, separator, written = text.partition("=")
        if not separator:
            raise ToolsError(f"`{text}` is not POINTER=VALUE", "such as --change /results/0/unit=ms")
        steps.append(Step(verb, name, read_argument(written)))
    steps += [Step(Verb.REMOVE, text) for text in removals or ()]
    if not steps:
        raise ToolsError("nothing to do is named", "name a place and its value: POINTER VALUE")
    return tuple(steps)


def carry_out(call: Call, plan_of: Callable[[Signature], Plan]) -> int:
    """Amend the record of a call, tell what was done, and give the exit code."""
    from datetime import date

    from tools.audit.evidence import read_evidence
    from tools.audit.signing import sign
    from tools.audit.write import write
    from tools.checks.proposal import judging
    from tools.records.catalog import Catalog

    started = time.perf_counter()
    catalog = Catalog(call.root)
    entry = catalog.require(call.record_id)
    today = date.today()
    cited = [read_evidence(text, catalog, catalog.record(entry.id)) for text in call.evidence]
    plan = plan_of(sign(call.root, call.by, call.day, call.reason, cited, today))
    written = write(call.root, entry, plan, judging(catalog, today), dry_run=call.dry_run)
    return tell(written, call.root, call.dry_run, time.perf_counter() - started)


def tell(written: Written, root: Path, dry_run: bool, seconds: float, earlier: str = "") -> int:
    """Tell what became of an amendment, and give the exit code: a refusal is one of findings.

    `earlier` is the path of the file before, where it has another now.
    """
    from tools.checks.run import Report
    from tools.errors import EXIT_CLEAN, EXIT_FINDINGS

    file = os.path.relpath(written.entry.path, root)
    if dry_run:
        typer.echo(written.diff(os.path.relpath(earlier, root) if earlier else file, file), nl=False)
    elif not written.is_refused:
        list_changes(f"written {file}", written.changes)
    if written.findings:
        _report(Report(written.findings, 1, 1, seconds), to_stderr=dry_run or not written.is_refused)
    if written.is_refused:
        say("nothing was written: the record would be as reported")
        return EXIT_FINDINGS
    return EXIT_CLEAN


def list_changes(head: str, changes: Iterable[Change]) -> None:
    """Print some changes, one a line, below a head."""
    from tools.audit.entry import ABSENT
    from tools.audit.values import shown

    typer.echo(head)
    for change in changes:
        before, after = shown(change.from_value, 60), shown(change.to_value, 60)
        if change.from_value is ABSENT:
            told = f"added {after}"
        else:
            told = f"{before} removed" if change.to_value is ABSENT else f"{before} → {after}"
        typer.echo(f"  {change.path}: {told}")


def _report(report: Report, to_stderr: bool) -> None:
    from tools.checks.reports import FORMATS
    from tools.checks.rules import RULES

    style = styler(sys.stderr if to_stderr else sys.stdout)
    typer.echo(FORMATS["text"](report, {rule.name: rule for rule in RULES}, style), nl=False, err=to_stderr)
