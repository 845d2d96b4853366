"""`tools fmt`: write records in their canonical form."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tools.cli.options import Paths, Root, ledger_root
from tools.cli.output import named, say, say_error


def fmt(
    paths: Paths = None,
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; fail if something would change.")
    ] = False,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=0, metavar="N", help="Processes; 0 means one per core.")
    ] = 0,
    root: Root = None,
) -> int:
    """Write records in their canonical form: key order, quoting, line breaks. Comments stay.

    Example: tools fmt --check
    """
    from tools.checks.form import form_of, forms_of
    from tools.checks.reports.words import counted
    from tools.checks.select import select
    from tools.errors import EXIT_CLEAN, EXIT_FINDINGS, EXIT_USAGE, ToolsError
    from tools.records.edit import replace_file
    from tools.records.lock import only_writer
    from tools.records.read import read_file

    selection = select(ledger_root(root), paths or [])
    changed = left = unwritten = 0
    for found in forms_of(selection.entries, jobs):
        form = found
        name = named(form.entry.path, selection.catalog.root)
        if form.text is not None and not check:
            # One file at a time, and what it holds now, so that a correction that was written meanwhile is not
            # written over.
            with only_writer(selection.catalog.data):
                if read_file(form.entry.path) != form.before:
                    form = form_of(form.entry)
                try:
                    if form.text is not None:
                        replace_file(Path(form.entry.path), form.text)
                except ToolsError as error:
                    unwritten += 1
                    say_error(error.message, error.hint)
                    continue
        if form.has_none:
            left += 1
            say(f"{name}: left as it is; `tools validate` says what is wrong with it")
        elif form.text is not None:
            changed += 1
            typer.echo(f"{'would change' if check else 'changed'} {name}")
    told = [f"{changed:,} {'to change' if check else 'changed'}"]
    told += [f"{left:,} left as {'it is' if left == 1 else 'they are'}"] if left else []
    told += [f"{unwritten:,} could not be written"] if unwritten else []
    say(f"{counted(len(selection.entries), 'file')}: {', '.join(told)}")
    if unwritten:
        return EXIT_USAGE
    return EXIT_FINDINGS if left or (check and changed) else EXIT_CLEAN
