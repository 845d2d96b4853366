"""The files that `tools generate` writes, each as its path in the repository and its text."""

from __future__ import annotations

import json
from collections.abc import Iterator

import typer

_CLI_HEAD = """# Command reference

Written by `tools generate`; do not edit. Every verb takes `--help`.

Exit codes: 0 clean, 1 findings, 2 usage or environment, 3 a fault of the program, 130 interrupted.
"""


def derived_files() -> Iterator[tuple[str, str]]:
    """(path, text) of every derived file."""
    from tools.records.catalog import FOLDERS
    from tools.schema.load import bundle
    from tools.schema.reference import reference

    yield "docs/schema.md", reference()
    yield "docs/cli.md", _command_reference()
    for kind in FOLDERS:
        text = json.dumps(bundle(kind), indent=2, ensure_ascii=False)
        yield f"generated/schemas/{kind}.schema.json", text + "\n"


def _command_reference() -> str:
    from tools.cli.app import app

    group = typer.main.get_command(app)
    assert isinstance(group, typer.core.TyperGroup)
    pages = [_CLI_HEAD]
    for name, command in group.commands.items():
        context = typer.Context(command, info_name=f"tools {name}", terminal_width=90, max_content_width=90)
        pages.append(f"## {name}\n\n```\n{command.get_help(context).rstrip()}\n```\n")
    return "\n".join(pages)
