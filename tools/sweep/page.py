"""The generated part of docs/sweep.md: published figures, ours, and the error of each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tools.errors import ToolsError
from tools.sweep.grid import Results
from tools.sweep.published import Compared, Comparison

PAGE = Path("docs") / "sweep.md"
BEGIN = "<!-- written by `tools sweep run study`: begin -->"
END = "<!-- written by `tools sweep run study`: end -->"


def with_table(text: str, results: Results, comparison: Comparison) -> str:
    """A page with its generated part as it should be. Raises `ToolsError` for a page without the marks."""
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise ToolsError(f"{PAGE} has no place for the table", f"add the two lines `{BEGIN}` and `{END}`")
    return f"{head}{BEGIN}\n\n{table(results, comparison)}\n{END}{tail}"


def table(results: Results, comparison: Comparison) -> str:
    """The table in Markdown, with its verdict."""
    rows = "\n".join(_rows(comparison))
    fall = comparison.break_even
    stated = ""
    if fall is not None:
        places = {"the published figures": fall.printed, "ours": fall.ours}
        straight = " and ".join(
            f"{gamma:.1f} between {of}" for of, gamma in places.items() if gamma is not None
        )
        exact = "" if fall.closed_form is None else f"; the closed form gives {fall.closed_form:.1f}"
        stated = (
            f"\nThe study says that `{fall.quality}` falls to break-even near gamma {fall.stated:g}, which is a "
            f"reading and not a figure. On straight lines between points it is at {straight}{exact}.\n"
        )
    return (
        "| figure | quality | gamma | batch | published | ours | error |\n"
        "| --- | --- | --- | --- | --- | --- | --- |\n"
        f"{rows}\n\n"
        f"{comparison.reproduced} of {len(comparison.figures)} figures are within {comparison.tolerance:.0%}. Largest "
        f"error {comparison.largest_error:.2%}, root mean square {comparison.rms_error:.2%}; seed {results.study.seed}"
        f", {results.study.requests:,} requests.\n"
        f"{stated}"
    )


def _rows(comparison: Comparison) -> Iterator[str]:
    for figure in comparison.figures:
        yield (
            f"| {figure.locator} | `{figure.quality}` | {_gamma(figure)} | {_batch(figure)} "
            f"| {figure.published:.2f} | {figure.ours:.3f} | {figure.error:+.1%} |"
        )


def _gamma(figure: Compared) -> str:
    if figure.gamma is not None:
        return str(figure.gamma)
    return f"{' or '.join(map(str, figure.peak_gammas))}; ours {figure.our_peak}"


def _batch(figure: Compared) -> str:
    if figure.batch_size is not None:
        return str(figure.batch_size)
    return "largest of all" if figure.gamma is None else "not stated; ours the mean"
