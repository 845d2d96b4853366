"""`tools import FORMAT FILE...`: the output of benchmark programs as draft records."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tools.cli.amending import By, Day
from tools.cli.options import Root, ledger_root
from tools.cli.output import progress, say

if TYPE_CHECKING:
    from tools.finding import Finding
    from tools.importers.programs.content import Content
    from tools.importers.programs.files import Found
    from tools.importers.programs.format import Format
    from tools.importers.programs.intake import Intake, Judge
    from tools.records.catalog import Catalog
    from tools.records.parse import Document

AUTO = "auto"
_SHOWN = 12
"""Lines of one list in the summary; it says how many more there are."""


def programs(
    context: typer.Context,
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Files, or folders with files.", show_default=False),
    ],
    *,
    log: Annotated[
        Path | None,
        typer.Option(
            "--log", metavar="FILE", help="What the program printed in the same run.", show_default=False
        ),
    ] = None,
    given: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="CONDITION=VALUE",
            help="A condition that the file does not state, or /POINTER=VALUE. May be repeated.",
            show_default=False,
        ),
    ] = None,
    source: Annotated[
        list[str] | None,
        typer.Option(
            "--source",
            metavar="ID:LOCATOR",
            help="Source record and place: first that of the file ({file} stands for its name), then one for each "
            "--set in their order; one alone is for all.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="DIR", help="Where to write; by default data/benchmarks.", show_default=False
        ),
    ] = None,
    stdout: Annotated[bool, typer.Option("--stdout", help="Print the records and write nothing.")] = False,
    accept_failures: Annotated[
        bool,
        typer.Option("--accept-failures", help="Take runs in which more than 1 % of the requests failed."),
    ] = False,
    measured_by: Annotated[
        str | None,
        typer.Option(
            "--measured-by",
            metavar="WHO",
            help="vendor, third_party or self; by default self for a source of type private_run, else third_party.",
            show_default=False,
        ),
    ] = None,
    reason: Annotated[
        str | None,
        typer.Option("--reason", metavar="TEXT", help="Why they are filed.", show_default=False),
    ] = None,
    by: By = None,
    date: Day = None,
    root: Root = None,
) -> int:
    """Read the output of a benchmark program: one draft record for each operating point, and nothing made up.

    The format is recognised by content, or named in the place of `auto`; `tools import --help` lists them. What the
    file does not state is declared absent or given by --set with its source; what is no result is refused with the
    reason. Every record is judged by the rules before it is written.

    Example: tools import auto data/imports/example-run.json --source sd-medusa-paper:example --by reviewer --stdout
    """
    from datetime import date as day

    from tools.audit.signing import sign
    from tools.errors import EXIT_CLEAN, EXIT_FINDINGS
    from tools.importers.batch import Batch
    from tools.importers.names import Names
    from tools.importers.programs.files import files_of
    from tools.importers.programs.intake import Intake
    from tools.importers.programs.registry import format_named
    from tools.importers.programs.sources import measured_by_of, read_sources
    from tools.records.catalog import FOLDERS, Catalog

    started = time.perf_counter()
    catalog = Catalog(ledger_root(root))
    names = Names(catalog)
    name = context.info_name or AUTO
    citation, settings = read_sources(source or [], given or [], names)
    who = measured_by or measured_by_of(citation, catalog)
    found = list(files_of(files))
    _require(files, found, log)
    signed = sign(
        catalog.root, by, date, reason or "Imported from the output of the program.", [], day.today()
    )
    folder = catalog.data / FOLDERS["benchmark"] if out is None else out.absolute()
    intake = Intake(
        Batch(catalog, folder, signed),
        names,
        citation,
        settings,
        who,
        _judge(catalog, folder),
        _choose,
        None if name == AUTO else format_named(name),
        _log(log),
        accept_failures,
    )
    with progress(len(found), "reading") as advance:
        intake.take_all(found, advance)
    if stdout:
        typer.echo("---\n".join(intake.batch.texts.values()), nl=False)
    else:
        with progress(len(intake.batch.texts), "writing") as advance:
            intake.batch.write(advance)
    _tell(intake, len(found), None if stdout else folder, time.perf_counter() - started)
    return EXIT_FINDINGS if intake.batch.refusals else EXIT_CLEAN


def _require(files: list[Path], found: list[Found], log: Path | None) -> None:
    from tools.errors import ToolsError
    from tools.importers.programs.registry import LISTED

    for path in [*files, *([log] if log else [])]:
        if not path.exists():
            raise ToolsError(
                f"there is no file {path}", f"the formats are {AUTO}, table, {', '.join(LISTED)}"
            )
    if log is not None and len(found) != 1:
        raise ToolsError(
            f"--log belongs to one run, and {len(found)} files are named", "import that run alone"
        )


def _log(path: Path | None) -> Content | None:
    from tools.errors import ToolsError
    from tools.importers.programs.content import ContentError, read_content

    try:
        return read_content(path) if path else None
    except ContentError as error:
        raise ToolsError(f"the log {path} cannot be used: {error}") from error


def _judge(catalog: Catalog, folder: Path) -> Judge:
    """What asks all rules about a record as it would be written."""
    from datetime import date as day

    from tools.checks.proposal import judging
    from tools.records.catalog import SUFFIX, Entry

    ask = judging(catalog, day.today())

    def judge(record_id: str, document: Document) -> Sequence[Finding]:
        entry = Entry(record_id, "benchmark", str(folder / f"{record_id}{SUFFIX}"))
        return ask(entry, document.text.encode("utf-8"), document)

    return judge


def _choose(place: str, fits: Sequence[tuple[Format, str]]) -> Format | None:
    """Asks at a terminal which format a file is; nobody answers elsewhere."""
    if not sys.stdin.isatty():
        return None
    say(f"{place} fits more than one format:")
    for number, (known, why) in enumerate(fits, 1):
        say(f"  {number}  {known.name}: {why}")
    answer = typer.prompt("which one (0 for none)", type=int, err=True, default=0)
    return fits[answer - 1][0] if 1 <= answer <= len(fits) else None


def _tell(intake: Intake, files: int, folder: Path | None, seconds: float) -> None:
    """The summary: what came in and as what, what was refused and why, what the rules say, what is not known."""
    from tools.checks.reports.words import counted

    batch = intake.batch
    by_format = Counter((name, why) for _, name, why in intake.recognised)
    where = f", written to {folder}" if folder is not None and batch.texts else ""
    say(f"{counted(files, 'file')}: {counted(len(batch.texts), 'record')} imported{where} ({seconds:.1f} s)")
    _list("recognised:", [f"{count} x {name}: {why}" for (name, why), count in by_format.most_common()])
    if intake.passed_over:
        say(f"{counted(intake.passed_over, 'file')} of no known format passed over")
    if batch.duplicates:
        say(f"{counted(len(batch.duplicates), 'duplicate')} of records that stand already, left alone")
    first = {refusal.reason: refusal.place for refusal in reversed(batch.refusals)}
    reasons = Counter(refusal.reason for refusal in batch.refusals)
    head = f"{counted(len(batch.refusals), 'refusal')}:"
    _list(head, [f"{count} x {reason} (first: {first[reason]})" for reason, count in reasons.most_common()])
    _list("said by the way:", [f"{count} x {text}" for text, count in batch.remarks.most_common()])
    _list("the rules say of what was imported:", _findings(intake.findings))
    _list("names without a record, left out and not guessed:", list(intake.names.report()))
    asked = [f"{count} x {question}" for question, count in intake.questions.most_common()]
    _list("questions (names of files and folders are never data):", asked)
    lacking = [
        f"{count} x {condition}: needs {need}" for (condition, need), count in intake.absences.most_common()
    ]
    _list("conditions that are absent:", lacking)


def _findings(findings: Sequence[Finding]) -> list[str]:
    rules = Counter((finding.level, finding.rule) for finding in findings)
    first = {finding.rule: finding for finding in reversed(findings)}
    return [
        f"{count} x {level} {rule} (first: {first[rule].record} {first[rule].message})"
        for (level, rule), count in rules.most_common()
    ]


def _list(head: str, lines: list[str]) -> None:
    from tools.checks.reports.words import plain

    if not lines:
        return
    say(head)
    for line in lines[:_SHOWN]:
        say(f"  {plain(line)}")
    if len(lines) > _SHOWN:
        say(f"  and {len(lines) - _SHOWN} more")
