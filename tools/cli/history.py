"""`tools history`: the life of a record, step by step."""

from __future__ import annotations

import shutil
import sys

import typer

from tools.cli.options import RecordId, Root, ledger_root
from tools.cli.output import styler


def history(record_id: RecordId, root: Root = None) -> int:
    """Tell the life of a record: what changed, from what to what, by whom, when, why, on what evidence.

    Fails when the log does not replay.

    Example: tools history sd-medusa-batch32-degradation
    """
    from tools.audit.history import render, timeline
    from tools.audit.subject import find_subject
    from tools.errors import EXIT_CLEAN, EXIT_FINDINGS

    subject = find_subject(ledger_root(root), record_id)
    told = timeline(subject.id, subject.value)
    width = shutil.get_terminal_size(fallback=(100, 24)).columns
    typer.echo(render(told, width, styler(sys.stdout)), nl=False)
    return EXIT_FINDINGS if told.faults else EXIT_CLEAN
