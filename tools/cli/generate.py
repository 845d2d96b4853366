"""`tools generate`: write what is derived from schema, rules and command: reference pages and bundled schemas."""

from __future__ import annotations

from typing import Annotated

import typer

from tools.cli.options import Root, ledger_root
from tools.cli.output import say


def generate(
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; fail if something is out of date.")
    ] = False,
    root: Root = None,
) -> int:
    """Write what is derived from others: docs/schema.md, docs/cli.md, generated/schemas/, .vscode/settings.json.

    Example: tools generate --check
    """
    from tools.cli.derived import derived_files
    from tools.errors import EXIT_CLEAN, EXIT_FINDINGS
    from tools.records.edit import replace_file

    base = ledger_root(root)
    stale = 0
    for name, text in derived_files():
        path = base / name
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        stale += 1
        typer.echo(f"{'out of date' if check else 'written'} {name}")
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, text)
    say("everything is current" if not stale else f"{stale} files {'to write' if check else 'written'}")
    return EXIT_FINDINGS if check and stale else EXIT_CLEAN
