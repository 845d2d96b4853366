"""`tools new`: a new record with what is given for it, and nothing else."""

from __future__ import annotations

import os
import sys
import time
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tools.cli.amending import By, Day, MoreEvidence
from tools.cli.options import Root, ledger_root
from tools.cli.output import say, styler

if TYPE_CHECKING:
    from tools.audit.entry import Evidence
    from tools.checks.draft import Draft
    from tools.checks.scaffold import Filed
    from tools.records.catalog import Catalog


class Kind(StrEnum):
    """The kinds of records; the catalog has the folders, and a test compares the two."""

    BENCHMARK = "benchmark"
    ACCELERATOR = "accelerator"
    MODEL = "model"
    ENGINE = "engine"
    SOURCE = "source"


def new(
    kind: Annotated[Kind, typer.Argument(metavar="KIND", help="Kind of the record.", show_default=False)],
    record_id: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="Its id to be.", show_default=False)
    ] = None,
    *,
    given: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="POINTER=VALUE",
            help="A value of the record, as in a record or as JSON. May be repeated.",
            show_default=False,
        ),
    ] = None,
    absent: Annotated[
        list[str] | None,
        typer.Option(
            "--absent",
            metavar="CONDITION=REASON[:WOULD_NEED]",
            help="A condition of a benchmark that is not stated, why, and what would recover it. May be repeated.",
            show_default=False,
        ),
    ] = None,
    evidence: MoreEvidence = None,
    reason: Annotated[
        str | None,
        typer.Option(
            "--reason",
            metavar="TEXT",
            help="Why it is filed; by default it names the evidence.",
            show_default=False,
        ),
    ] = None,
    by: By = None,
    date: Day = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="Where to write it; by default the folder of its kind.",
            show_default=False,
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the record and write nothing.")] = False,
    root: Root = None,
) -> int:
    """Write a new record: what is given by flags is filled in, and what has to be there and is not is asked for.

    At a terminal it asks; elsewhere it lists what is missing. Each condition of a benchmark is given or declared
    absent with a reason. The evidence is also cited as the source of the record.

    Example: tools new source example-note --set "/title=A note" --set /type=blog \
    --set /url=https://example.org/note --by reviewer --dry-run
    """
    from dataclasses import replace
    from datetime import date as day

    from tools.audit.signing import sign
    from tools.checks.scaffold import file, place_for
    from tools.records.catalog import Catalog
    from tools.schema.editor_copy import refresh_editor_copy

    catalog, today = Catalog(ledger_root(root)), day.today()
    is_asking = sys.stdin.isatty()
    signed = sign(catalog.root, by, date, reason or _PROPOSED, [], today)
    name = record_id or (out.stem if out else None) or _asked_id(is_asking, kind.value)
    entry = place_for(catalog, kind.value, name, out)
    draft, cited = _start(catalog, kind.value, name, given, evidence, absent)
    if is_asking:
        cited, told = _ask(catalog, draft, cited, reason)
    else:
        _require(draft)
        told = reason or _proposed(cited)
    started = time.perf_counter()
    text = draft.text(replace(signed, reason=told, evidence=cited))
    filed = file(catalog, entry, text, today, dry_run=dry_run)
    if not (dry_run or filed.is_refused):
        # Its first line names one of these schemas, and the record is one more to offer.
        refresh_editor_copy(Catalog(catalog.root), make=True)
    return _tell(filed, catalog, dry_run, is_asking, time.perf_counter() - started)


_PROPOSED = "Filed so that records can cite it."


def _proposed(cited: tuple[Evidence, ...]) -> str:
    from tools.audit.step import cited as named

    return f"Filed from {named(cited)}." if cited else _PROPOSED


def _asked_id(is_asking: bool, kind: str) -> str:
    from tools.errors import ToolsError

    if not is_asking:
        raise ToolsError("the record has no id", f"name it after its kind: tools new {kind} ID")
    from tools.cli.dialogue import prompt

    return prompt("id (small letters and digits, words joined by -)")


def _start(
    catalog: Catalog,
    kind: str,
    name: str,
    given: list[str] | None,
    evidence: list[str] | None,
    absent: list[str] | None,
) -> tuple[Draft, tuple[Evidence, ...]]:
    """The draft with all that the flags say, and the evidence. Raises `ToolsError` for a flag that says nothing."""
    from tools.audit.evidence import read_evidence
    from tools.checks.draft import Draft
    from tools.errors import ToolsError
    from tools.records.argument import read_argument

    draft = Draft.start(kind, name)
    for text in given or ():
        pointer, separator, written = text.partition("=")
        if not separator:
            raise ToolsError(f"`{text}` is not POINTER=VALUE", "such as --set /conditions/concurrency=32")
        draft.put(pointer, read_argument(written))
    cited = tuple(read_evidence(text, catalog, draft.value) for text in evidence or ())
    draft.cite(cited)
    for text in absent or ():
        condition, separator, why = text.partition("=")
        named, _, would_need = why.partition(":")
        if not separator:
            raise ToolsError(f"`{text}` is not CONDITION=REASON", "such as --absent warmup=not_stated")
        draft.declare_absent(condition.strip(), named.strip(), would_need.strip() or None)
    return draft, cited


def _ask(
    catalog: Catalog, draft: Draft, cited: tuple[Evidence, ...], reason: str | None
) -> tuple[tuple[Evidence, ...], str]:
    """Asks for everything that is missing; gives the evidence and the reason."""
    from tools.cli.dialogue import Dialogue

    dialogue = Dialogue(catalog, draft)
    if not cited and draft.kind != Kind.SOURCE:
        cited = (dialogue.evidence(),)
        draft.cite(cited)
    dialogue.fill()
    dialogue.settle()
    return cited, reason or dialogue.reason(_proposed(cited))


def _require(draft: Draft) -> None:
    """Raises `ToolsError` with all that a record lacks, each with the flag that gives it."""
    from tools.errors import ToolsError
    from tools.schema.questions import open_questions

    flags = []
    for alternatives in open_questions(draft.kind, draft.value):
        places = " or ".join(f"--set {question.pointer}=…" for question in alternatives)
        is_source = alternatives[0].pointer == "/sources/0/source_id"
        flags.append("--evidence SOURCE:LOCATOR" if is_source else places)
    for condition in draft.unsettled():
        flags.append(f"--set {condition.stated_by[0]}=… or --absent {condition.name}=REASON")
    if flags:
        raise ToolsError(
            "\n  ".join([f"`{draft.value['id']}` lacks what a {draft.kind} has to say:", *flags]),
            "give them by flags, or call it at a terminal to be asked",
        )


def _tell(filed: Filed, catalog: Catalog, dry_run: bool, is_asking: bool, seconds: float) -> int:
    from tools.checks.reports import FORMATS
    from tools.checks.rules import RULES
    from tools.checks.run import Report
    from tools.errors import EXIT_CLEAN, EXIT_FINDINGS

    is_printed = dry_run or (filed.is_refused and is_asking)
    if is_printed:
        typer.echo(filed.text, nl=False)
    elif not filed.is_refused:
        typer.echo(f"written {os.path.relpath(filed.entry.path, catalog.root)}")
    if filed.findings:
        report = Report(filed.findings, 1, 1, seconds)
        style = styler(sys.stderr if is_printed else sys.stdout)
        typer.echo(
            FORMATS["text"](report, {rule.name: rule for rule in RULES}, style), nl=False, err=is_printed
        )
    if filed.is_refused:
        say("nothing was written: the record would not fit its schema")
    return EXIT_FINDINGS if filed.has_errors else EXIT_CLEAN
