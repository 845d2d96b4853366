"""`tools generate`: write what is derived from schema, rules and command: reference pages and bundled schemas."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from tools.cli.options import Root, ledger_root
from tools.cli.output import say


def generate(
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; fail if something is out of date.")
    ] = False,
    editor: Annotated[
        bool,
        typer.Option(
            "--editor", help="Write only the schemas in .cache/editor/, which offer the ids of this ledger."
        ),
    ] = False,
    root: Root = None,
) -> int:
    """Write what is derived from others: docs/{schema,rules,queries,cli}.md, generated/schemas/, .vscode/settings.json.

    The schemas for editors are not committed, since they change with every record; `tools new` and `tools validate`
    keep them up to date.

    Example: tools generate --check
    """
    from tools.errors import EXIT_CLEAN, EXIT_FINDINGS
    from tools.records.edit import replace_file

    base = ledger_root(root)
    stale = 0
    for name, text in _for_editors(base) if editor else _derived():
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


def _derived() -> Iterator[tuple[str, str]]:
    from tools.cli.derived import derived_files

    return derived_files()


def _for_editors(root: Path) -> Iterator[tuple[str, str]]:
    from tools.records.catalog import Catalog
    from tools.schema.editor_copy import editor_copy, ids_by_kind

    return editor_copy(ids_by_kind(Catalog(root)))
