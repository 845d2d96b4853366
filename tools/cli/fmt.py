"""`tools fmt`: write records in their canonical form."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tools.cli.options import Paths, Root, ledger_root
from tools.cli.output import say


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
    from tools.checks.select import select
    from tools.errors import EXIT_CLEAN, EXIT_FINDINGS
    from tools.records.edit import replace_file
    from tools.records.read import read_file
    from tools.schema.canonical import canonical

    selection = select(ledger_root(root), paths or [])
    changed = unreadable = 0
    for entry in selection.entries:
        content = read_file(entry.path)
        form = canonical(entry.kind, content) if isinstance(content, bytes) else None
        if form is None or form.problems:
            unreadable += 1
            say(f"{entry.path}: left as it is; `tools validate` says what is wrong with it")
        elif form.text.encode() != content:
            changed += 1
            typer.echo(f"{'would change' if check else 'changed'} {entry.path}")
            if not check:
                replace_file(Path(entry.path), form.text)
    say(
        f"{len(selection.entries)} files: {changed} {'to change' if check else 'changed'}, "
        f"{unreadable} left as they are"
    )
    return EXIT_FINDINGS if unreadable or (check and changed) else EXIT_CLEAN
