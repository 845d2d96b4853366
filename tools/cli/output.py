"""What the command prints and how: data to stdout, talk to stderr, colour and progress only on a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import typer

_STYLES: dict[str, dict[str, object]] = {
    "error": {"fg": "red", "bold": True},
    "warning": {"fg": "yellow", "bold": True},
    "info": {"fg": "cyan"},
    "file": {"bold": True},
    "dim": {"dim": True},
    "good": {"fg": "green", "bold": True},
    "strong": {"bold": True},
}
PROGRESS_FROM = 500
"""Files from which a progress bar is worth its line."""


def in_colour(stream: TextIO) -> bool:
    """Whether to style what goes to a stream: a terminal, and NO_COLOR not set."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def styler(stream: TextIO) -> Callable[[str, str], str]:
    """A function (text, style name) that styles for a stream, or leaves the text alone."""
    if not in_colour(stream):
        return lambda text, _: text
    return lambda text, name: typer.style(text, **_STYLES[name])  # type: ignore[arg-type]


def say(text: str) -> None:
    """Talk to the person at the terminal."""
    typer.echo(text, err=True)


def say_error(message: str, hint: str = "") -> None:
    """Say what kept the call from being carried out, and what to do; each on one line, whatever it quotes."""
    from tools.checks.reports.words import flat

    style = styler(sys.stderr)
    say(f"{style('error:', 'error')} {flat(message)}")
    if hint:
        say(f"{style('help:', 'info')} {flat(hint)}")


def named(path: str, root: Path) -> str:
    """A file as it is named to the reader: from the ledger where it lies inside, and safe to show."""
    from tools.checks.reports.words import plain

    return plain(path.removeprefix(f"{root}{os.sep}"))


@contextmanager
def progress(total: int, what: str) -> Iterator[Callable[[int], None]]:
    """A progress bar on stderr when it is a terminal and there is enough to do; gives the function that moves it."""
    if total < PROGRESS_FROM or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda steps: bar.advance(task, steps)
