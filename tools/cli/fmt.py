"""`tools fmt`: write records in their canonical form."""

from __future__ import annotations

from contextlib import nullcontext
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
    root: Root = None,
) -> int:
    """Write records in their canonical form: key order, quoting, line breaks. Comments stay.

    Example: tools fmt --check
    """
    from tools.checks.reports.words import counted
    from tools.checks.select import select
    from tools.errors import EXIT_CLEAN, EXIT_FINDINGS, EXIT_USAGE, ToolsError
    from tools.records.catalog import FOLDERS
    from tools.records.edit import replace_file
    from tools.records.lock import only_writer
    from tools.records.read import read_file
    from tools.schema.canonical import canonical

    selection = select(ledger_root(root), paths or [])
    changed = left = unwritten = 0
    for entry in selection.entries:
        name = named(entry.path, selection.catalog.root)
        # One file at a time, so that a correction that is written meanwhile is not written over.
        with nullcontext() if check else only_writer(selection.catalog.data):
            content = read_file(entry.path)
            is_known = entry.kind in FOLDERS
            form = canonical(entry.kind, content) if is_known and isinstance(content, bytes) else None
            if form is None or form.problems:
                left += 1
                say(f"{name}: left as it is; `tools validate` says what is wrong with it")
                continue
            if form.text.encode() == content:
                continue
            if not check:
                try:
                    replace_file(Path(entry.path), form.text)
                except ToolsError as error:
                    unwritten += 1
                    say_error(error.message, error.hint)
                    continue
            changed += 1
            typer.echo(f"{'would change' if check else 'changed'} {name}")
    told = [f"{changed:,} {'to change' if check else 'changed'}"]
    told += [f"{left:,} left as {'it is' if left == 1 else 'they are'}"] if left else []
    told += [f"{unwritten:,} could not be written"] if unwritten else []
    say(f"{counted(len(selection.entries), 'file')}: {', '.join(told)}")
    if unwritten:
        return EXIT_USAGE
    return EXIT_FINDINGS if left or (check and changed) else EXIT_CLEAN
