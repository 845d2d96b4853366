"""The files that `tools generate` writes, each as its path in the repository and its text."""

from __future__ import annotations

from collections.abc import Iterator

import typer

from tools.cli.verbs import all_commands

_CLI_HEAD = """# Command reference

Written by `tools generate`; do not edit. Every verb takes `--help`.

Exit codes: 0 clean, 1 findings, 2 usage or environment, 3 a fault of the program, 130 interrupted.
"""


def derived_files() -> Iterator[tuple[str, str]]:
    """(path, text) of every derived file."""
    from tools.checks.cases import cases_of
    from tools.checks.rules import RULES
    from tools.checks.rules_page import rules_page
    from tools.schema.editor import editor_files
    from tools.schema.reference import reference
    from tools.warehouse.dictionary import data_dictionary
    from tools.warehouse.query_file import queries
    from tools.warehouse.query_page import queries_page

    yield "docs/schema.md", reference()
    yield "docs/cli.md", _command_reference()
    yield "docs/queries.md", queries_page(queries())
    yield "docs/rules.md", rules_page(RULES, cases_of)
    yield "docs/data-dictionary.md", data_dictionary()
    yield from editor_files()


def _command_reference() -> str:
    from tools.cli.app import app

    group = typer.main.get_command(app)
    assert isinstance(group, typer.core.TyperGroup)
    return "\n".join([_CLI_HEAD, *_pages(group, "")])


def _pages(group: typer.core.TyperGroup, above: str) -> Iterator[str]:
    """One page for each verb; those of a group below its own."""
    for name, command in all_commands(group).items():
        call = f"{above}{name}"
        context = typer.Context(command, info_name=f"tools {call}", terminal_width=90, max_content_width=90)
        yield f"## {call}\n\n```\n{command.get_help(context).rstrip()}\n```\n"
        if isinstance(command, typer.core.TyperGroup):
            yield from _pages(command, f"{call} ")
