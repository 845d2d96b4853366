"""`tools history`: the life of a record, or of one of its values, step by step."""

from __future__ import annotations

import shutil
import sys
from enum import StrEnum
from typing import Annotated

import typer

from tools.cli.options import RecordId, Root, ledger_root
from tools.cli.output import styler


class Format(StrEnum):
    """How a life is printed."""

    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"


def history(
    record_id: RecordId,
    pointer: Annotated[
        str | None,
        typer.Argument(
            metavar="[POINTER]", help="The life of one value: /results/0/value.", show_default=False
        ),
    ] = None,
    output_format: Annotated[
        Format, typer.Option("--format", help="How it is printed; markdown is for a pull request.")
    ] = Format.TEXT,
    root: Root = None,
) -> int:
    """Tell the life of a record: what changed, from what to what, by whom, when, why, on what evidence.

    With a pointer, each value that stood there and since when. An item of a list is followed where others were
    inserted or removed before it. Fails when the log does not replay.

    Example: tools history sd-medusa-batch32-degradation /results/0/metric
    """
    from tools.audit.history import render, timeline
    from tools.audit.history_forms import history_json, history_markdown, stays_markdown
    from tools.audit.replay import replay
    from tools.audit.stays import render_stays, stays
    from tools.audit.step import Place
    from tools.audit.subject import find_subject
    from tools.errors import EXIT_CLEAN, EXIT_FINDINGS

    subject = find_subject(ledger_root(root), record_id)
    place = Place(subject.id, subject.kind, subject.file)
    told, story = timeline(subject.id, subject.value), replay(subject.value)
    found = () if pointer is None else stays(story, pointer)
    width, style = shutil.get_terminal_size(fallback=(100, 24)).columns, styler(sys.stdout)
    if output_format is Format.JSON:
        text = history_json(place, told, story, pointer, found)
    elif pointer is None:
        is_page = output_format is Format.MARKDOWN
        text = history_markdown(place, told, story) if is_page else render(told, width, style)
    elif output_format is Format.MARKDOWN:
        text = stays_markdown(told, story, pointer, found)
    else:
        text = render_stays(told, pointer, found, width, style)
    typer.echo(text, nl=False)
    return EXIT_FINDINGS if told.faults else EXIT_CLEAN
