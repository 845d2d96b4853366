"""A calibration for readers: a summary as text, and the accuracy table as Markdown and as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, fields
from typing import Any

from tools.errors import ToolsError
from tools.sweep.accuracy import ALL, COST_MODELS, Evaluation, Row
from tools.sweep.calibration.fit import Fit
from tools.sweep.calibration.terms import OVERHEADS
from tools.sweep.emit.tables import csv_text

BEGIN = "<!-- written by `tools sweep calibrate`: begin -->"
END = "<!-- written by `tools sweep calibrate`: end -->"
POOLED_AIMS = {("roofline", "stated"): 0.10, ("calibrated", "stated"): 0.06, ("calibrated", "both"): 0.06}
"""Median absolute errors over all sources that are aimed at."""
WORST_AIM = 0.15
"""Median absolute error of any single source, calibrated without it."""


def accuracy_csv(rows: Sequence[Row]) -> str:
    """The accuracy table."""
    return csv_text([field.name for field in fields(Row)], [astuple(row) for row in rows])


def markdown(rows: Sequence[Row]) -> str:
    """The accuracy table: a line for each source, median error, bias and coverage of each cost model."""
    head = "| source | acceptance length | points |" + "".join(
        f" {name}: error | bias | in interval |" for name in COST_MODELS
    )
    lines = [head, "| --- | --- | --- |" + " --- | --- | --- |" * len(COST_MODELS)]
    found = {(row.source, row.tau, row.cost_model): row for row in rows}
    for source, tau in dict.fromkeys((row.source, row.tau) for row in rows):
        cells = [found[source, tau, name] for name in COST_MODELS]
        figures = "".join(
            f" {row.median_error:.1%} | {row.bias:+.1%} | {row.coverage:.0%} |" for row in cells
        )
        lines.append(f"| {_named(source)} | {tau} | {cells[0].points} |{figures}")
    return "\n".join(lines) + "\n"


def aims(rows: Sequence[Row]) -> Iterator[str]:
    """What was aimed at and what came out, a sentence each."""
    for row in rows:
        aim = POOLED_AIMS.get((row.cost_model, row.tau))
        if row.source == ALL and aim is not None:
            yield (
                f"{row.cost_model}, all sources, acceptance length {row.tau}: median error {row.median_error:.1%}, "
                f"aim {aim:.0%}: {'met' if row.median_error < aim else 'missed'}."
            )
    single = [row for row in rows if row.cost_model == "calibrated" and row.source != ALL]
    above = [row for row in single if row.median_error > WORST_AIM]
    for row in above:
        yield (
            f"{_named(row.source)} is above {WORST_AIM:.0%} when left out of the calibration: "
            f"{row.median_error:.1%} over {row.points} points."
        )
    if single and not above:
        yield f"No single source is above {WORST_AIM:.0%}."


def summary(fit: Fit, layers: Sequence[Mapping[str, Any]], made: Evaluation, rows: Sequence[Row]) -> str:
    """What was fitted, to what, how well, and what was left out."""
    parts = [
        "Calibration of the roofline against measured speculative decoding",
        "",
        "1. From layer measurements",
        "",
        *_layer_lines(layers),
        "",
        f"2. From {fit.points} measured speedups",
        "",
        f"   Positions of a request touch the experts of n^{fit.terms.routing:.3g} independent ones.",
        f"   An exchange between accelerators takes {fit.terms.link_latency_s * 1e6:.3g} us.",
        "   Overheads in us (other: classes of which nothing is measured):",
        "   " + "".join(f"{name:>17}" for name in ("class", *OVERHEADS)),
        *(
            "   " + f"{name:>17}" + "".join(f"{getattr(overheads, term) * 1e6:17.3g}" for term in OVERHEADS)
            for name, overheads in sorted(fit.terms.engines.items())
        ),
        *(f"   Refused: {name}, {why}." for name, why in sorted(fit.refused.items())),
        "",
        "3. How far predictions are off (a source is never in the fit that it is scored with)",
        "",
        f"   {'cost model':<12}{'source':<26}{'tau':<8}{'points':>7}{'error':>8}{'bias':>8}{'90 %':>8}{'covered':>9}",
        *(
            f"   {row.cost_model:<12}{_named(row.source):<26}{row.tau:<8}{row.points:>7}{row.median_error:>8.1%}"
            f"{row.bias:>+8.1%}{row.error_90:>8.1%}{row.coverage:>9.0%}"
            for row in rows
        ),
        "",
        "   error: median of |predicted / measured - 1|; 90 %: nine of ten errors are below it.",
        "   tau: stated by the source, or inferred from the rest of the curve.",
        "",
        *(f"   {line}" for line in aims(rows)),
        "",
        "4. Points that are simulated and not scored",
        "",
        *(f"   {count:>5}  {reason}" for reason, count in made.unscored.items()),
        "",
        "5. Speculative records that cannot be simulated",
        "",
        *(f"   {count:>5}  {reason}" for reason, count in made.left_out.items()),
    ]
    return "\n".join(parts) + "\n"


def with_table(text: str, rows: Sequence[Row]) -> str:
    """A page with its generated part as it should be. Raises `ToolsError` for a page without the marks."""
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise ToolsError("docs/sweep.md has no place for the table", f"add the lines `{BEGIN}` and `{END}`")
    told = "\n".join(f"* {line}" for line in aims(rows))
    return f"{head}{BEGIN}\n\n{markdown(rows)}\n{told}\n\n{END}{tail}"


def _layer_lines(layers: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield f"   {'accelerator':<38}{'operator':<10}{'format':<8}{'rows':>6}{'error':>8}   constants"
    for entry in layers:
        values = ", ".join(f"{name} {value:g}" for name, value in entry["values"].items())
        refused = f" REFUSED: {entry['refused']}" if "refused" in entry else ""
        yield (
            f"   {entry['accelerator']:<38}{entry['operator']:<10}{entry['format']:<8}{entry['rows']:>6}"
            f"{entry['median_error']:>8.1%}   {values}{refused}"
        )


def _named(source: str) -> str:
    return source.removeprefix("src-sd-")
