"""`tools validate`: check records against schema and rules."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from tools.cli.options import Paths, Root, ledger_root
from tools.cli.output import progress, say, say_error, styler

if TYPE_CHECKING:
    from tools.finding import Finding


class Format(StrEnum):
    """How findings are printed."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    GITHUB = "github"
    JUNIT = "junit"


def validate(
    paths: Paths = None,
    output_format: Annotated[
        Format, typer.Option("--format", help="How findings are printed.")
    ] = Format.TEXT,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings fail too.")] = False,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=0, metavar="N", help="Processes; 0 means one per core.")
    ] = 0,
    base: Annotated[
        str | None,
        typer.Option(
            "--base",
            metavar="REF",
            help="Compare with this git revision, as a pull request would: every change needs its entry.",
            show_default=False,
        ),
    ] = None,
    max_changed: Annotated[
        int | None,
        typer.Option(
            "--max-changed",
            min=0,
            metavar="N",
            help="Records of the base that may change at once; 50 unless told.",
            show_default=False,
        ),
    ] = None,
    allow_mass_change: Annotated[
        bool, typer.Option("--allow-mass-change", help="Many changes at once are meant.")
    ] = False,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Check everything anew.")] = False,
    explain_skips: Annotated[
        bool,
        typer.Option(
            "--explain-skips",
            help="Tell where a rule could not judge for want of a fact (text, json); checks everything anew.",
        ),
    ] = False,
    root: Root = None,
) -> int:
    """Check records against the schema and the rules.

    A path outside data/ is checked against the ledger as if it were already in its place.

    A warning that a record's audit log acknowledges is told as such and counts no more, not even with --strict.

    With --base, what differs from there must be what the audit entries say that were added since.

    Example: tools validate data/benchmarks/sd-medusa-batch32-degradation.yaml
    """
    from tools.checks.reports import FORMATS
    from tools.checks.rules import RULES
    from tools.checks.run import Run
    from tools.checks.select import select
    from tools.errors import EXIT_CLEAN, EXIT_FINDINGS, EXIT_INTERNAL, ToolsError
    from tools.finding import Level

    if explain_skips and output_format not in (Format.TEXT, Format.JSON):
        raise ToolsError(
            f"--format {output_format} has no place for what could not be judged",
            "--explain-skips goes with text and json",
        )
    selection = select(ledger_root(root), paths or [])
    besides: Callable[[], Iterable[Finding]] = list
    if base is not None or max_changed is not None or allow_mass_change:
        from tools.checks.base import against_base

        besides = against_base(selection, base, max_changed, any_number=allow_mass_change)
    with progress(len(selection.entries), "validating") as advance:
        run = Run(
            selection.catalog,
            RULES,
            date.today(),
            whole=selection.whole,
            cached=not no_cache,
            jobs=jobs,
            progress=advance,
            besides=besides,
            explain_skips=explain_skips,
        )
        report = run.check(selection.entries)
    typer.echo(
        FORMATS[output_format](report, {rule.name: rule for rule in RULES}, styler(sys.stdout)), nl=False
    )
    if selection.whole:
        from tools.schema.editor_copy import refresh_editor_copy

        refresh_editor_copy(selection.catalog)
    if report.crashes:
        say(report.crashes[0])
        others = len(report.crashes) - 1
        say_error(
            f"a rule failed{f', {others:,} more times too' if others else ''}: this is a fault of the program, not "
            "of your data",
            "please report the lines above",
        )
        return EXIT_INTERNAL
    fails = report.count(Level.ERROR) or (strict and report.count(Level.WARNING))
    return EXIT_FINDINGS if fails else EXIT_CLEAN
