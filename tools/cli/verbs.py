"""The verbs of the command, by name, and a group that loads the module of a verb when it is called.

A call pays for the start of one verb, and `tools --help` for none: what it prints of each verb stands here. The
verb's own help says more.
"""

from __future__ import annotations

from importlib import import_module
from keyword import iskeyword
from typing import Any

import typer
from typer.core import TyperGroup

VERBS = {
    "validate": "Check records against the schema and the rules.",
    "fmt": "Write records in their canonical form: key order, quoting, line breaks.",
    "history": "Tell the life of a record, or of one value in it.",
    "show": "Print a record, as it stands or as it stood at the end of a day.",
    "rules": "List every rule with its level.",
    "explain": "Teach one rule: what it asks, why, and an example of either side.",
    "generate": "Write the pages and schemas that are derived from others.",
    "diff": "Tell what a change does to the records.",
    "log": "List the steps of all records, newest first.",
    "new": "Scaffold a record: what was given is filled, the rest declared absent.",
    "import": "Turn outputs of others into draft records.",
    "init": "Start an empty ledger that validates.",
    "correct": "Replace a wrong value, and write down why.",
    "reclassify": "Change the kind of a number, not its value.",
    "backfill": "Add what is missing, from evidence.",
    "confirm": "Write down that a value was checked and is right.",
    "declare-absent": "Declare that a source does not state a condition.",
    "acknowledge": "Accept a warning, and write down why.",
    "retract": "Withdraw a record; it stays, with its status.",
    "supersede": "Let another record take a record's place.",
    "move": "Give a record another id.",
    "audit": "Work on the audit log itself.",
    "gaps": "Tell what the ledger lacks, and which look-up would complete most records.",
    "build": "Build the warehouse: one DuckDB file with everything in the ledger.",
    "query": "Ask a saved question of the warehouse.",
    "sql": "Ask the warehouse in SQL, which can do nothing but read it.",
    "compare": "Tell whether two benchmarks may be compared, and after which conversion.",
    "plot": "Draw the answer of a saved question.",
    "export": "Write the tables for other programs: Parquet, CSV and their metadata.",
    "sweep": "Compute what speculative decoding should gain, and write it as records.",
}


class LazyGroup(TyperGroup):
    """A group whose commands are `VERBS`, each in the module of its name."""

    def list_commands(self, _: Any) -> list[str]:
        """The names of the verbs, in the order of a first look at the command."""
        return list(VERBS)

    def get_command(self, _: Any, name: str) -> Any:
        """The command of a verb, or None for a word that is no verb."""
        if name in VERBS and name not in self.commands:
            self.commands[name] = _load(name)
        return self.commands.get(name)

    def format_commands(self, _: Any, formatter: Any) -> None:
        """The list of verbs in the help text, without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(VERBS.items()))


def all_commands(group: Any) -> dict[str, Any]:
    """Every command of a group by name, loaded."""
    context = typer.Context(group)
    return {name: group.get_command(context, name) for name in group.list_commands(context)}


def _load(name: str) -> Any:
    # The name of a module is no word of the language.
    word = name.replace("-", "_") + ("_" if iskeyword(name) else "")
    module = import_module(f"tools.cli.{word}")
    own = getattr(module, "app", None)
    if own is None:
        own = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
        own.command(name)(getattr(module, word))
    command = typer.main.get_command(own)
    command.name = name
    return command
