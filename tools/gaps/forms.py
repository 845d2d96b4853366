"""The report as text for a terminal, as Markdown and as JSON.

Ids and needs come from records that anybody may have written, so whatever could steer the reader's terminal or page is
replaced or escaped. A table that is cut says how many rows more there are.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Final

from tools.audit.tables import Style, escaped, flat
from tools.gaps.survey import Survey
from tools.gaps.table import Cell, Section
from tools.records.json_text import json_text
from tools.schema.conditions import require_condition
from tools.schema.vocabulary import vocabulary

WIDTH: Final = 120
"""Columns of a terminal that the tables are made for; the matrix of eight conditions needs them."""
_NARROWEST: Final = 24
_LONGEST: Final = 44


def summary(survey: Survey) -> list[str]:
    """How many benchmarks there are, how many lack nothing, and how many conditions one lacks on average."""
    total, kinds = len(survey.benchmarks), ", ".join(f"{kind} `{name}`" for kind, name in survey.scope.wanted)
    complete, lacking = _complete(survey)
    lines = [f"{total:,} benchmark{'' if total == 1 else 's'}{f' of {kinds}' if kinds else ''}"]
    if total:
        lines[0] += (
            f": {complete:,} ({complete / total:.0%}) lack no condition; on average {lacking / total:.1f} of "
            f"{len(vocabulary().conditions)} are "
            f"lacking"
        )
    if survey.set_aside["benchmark"]:
        lines.append(f"superseded or retracted, and not counted: {survey.set_aside['benchmark']:,}")
    if survey.unreadable:
        lines.append(f"files that cannot be read: {survey.unreadable:,}; see `tools validate`")
    return lines


def gaps_text(survey: Survey, parts: Sequence[Section], top: int, style: Style = lambda text, _: text) -> str:
    """The report for a terminal; `top` rows of each table."""
    lines = [*(flat(line) for line in summary(survey)), ""]
    for section in parts:
        lines.append(style(section.title if section.cells else f"{section.title}: none", "strong"))
        if section.cells:
            lines += [style(line, "dim") for line in textwrap.wrap(section.remark, WIDTH - 2)]
            lines += _table(section, top, style)
        lines.append("")
    lines += _first_step(parts)
    return "\n".join(lines).rstrip("\n") + "\n"


def gaps_markdown(survey: Survey, parts: Sequence[Section], top: int) -> str:
    """The report as Markdown; `top` rows of each table."""
    lines = ["## What the ledger lacks", "", *(f"{escaped(line)}  " for line in summary(survey)), ""]
    for section in parts:
        if not section.cells:
            continue
        lines += [f"### {section.title}", "", section.remark, ""]
        lines.append(f"| {' | '.join(section.columns)} |")
        sides = ("---:" if _is_number(section, index) else "---" for index in range(len(section.columns)))
        lines.append(f"| {' | '.join(sides)} |")
        for cells in section.cells[: _most(section, top)]:
            lines.append(f"| {' | '.join(escaped(_shown(cell)) for cell in cells)} |")
        lines += ["", *([f"{left}", ""] if (left := _left(section, top)) else [])]
    return "\n".join(lines).rstrip("\n") + "\n"


def gaps_json(survey: Survey, parts: Sequence[Section]) -> str:
    """The report for a program, every row of it; `schemas/output/gaps.schema.json` describes it."""
    scope = survey.scope
    complete, lacking = _complete(survey)
    told = {
        "asked": {"accelerator": scope.accelerator, "model": scope.model, "source": scope.source},
        "benchmarks": {
            "counted": len(survey.benchmarks),
            "complete": complete,
            "conditions_lacking": lacking,
            "set_aside": survey.set_aside["benchmark"],
        },
        "unreadable_files": survey.unreadable,
        **{section.key: list(section.rows) for section in parts},
    }
    return json_text(told) + "\n"


def _complete(survey: Survey) -> tuple[int, int]:
    """Benchmarks that lack nothing, and conditions lacking in all of them."""
    counts = [len(benchmark.lacks) for benchmark in survey.benchmarks]
    return counts.count(0), sum(counts)


def _table(section: Section, top: int, style: Style) -> list[str]:
    rows = [tuple(flat(_shown(cell)) for cell in cells) for cells in section.cells[: _most(section, top)]]
    numbers = [_is_number(section, index) for index in range(len(section.columns))]
    widths = [
        min(max(len(column), *(len(row[index]) for row in rows)), _LONGEST)
        for index, column in enumerate(section.columns)
    ]
    if not numbers[-1]:
        widths[-1] = max(WIDTH - sum(widths[:-1]) - 2 * len(widths), _NARROWEST)
    lines = [style(_laid_out(section.columns, widths, numbers)[0], "info")]
    for row in rows:
        lines += _laid_out(row, widths, numbers)
    left = _left(section, top)
    return [*lines, *([style(f"  {left}", "dim")] if left else [])]


def _laid_out(row: Sequence[str], widths: list[int], numbers: list[bool]) -> list[str]:
    """The lines of a row: a cell that is wider than its column goes on below itself."""
    wrapped = [
        textwrap.wrap(cell, width, break_on_hyphens=False) or [""]
        for cell, width in zip(row, widths, strict=True)
    ]
    lines = []
    for index in range(max(map(len, wrapped))):
        cells = [cell[index] if index < len(cell) else "" for cell in wrapped]
        sides = zip(cells, widths, numbers, strict=True)
        lines.append(
            "  "
            + "  ".join(cell.rjust(width) if right else cell.ljust(width) for cell, width, right in sides)
        )
    return [line.rstrip() for line in lines]


def _is_number(section: Section, index: int) -> bool:
    return section.columns[index] == "share" or any(isinstance(cells[index], int) for cells in section.cells)


def _shown(cell: Cell) -> str:
    return f"{cell:,}" if isinstance(cell, int) else cell


def _most(section: Section, top: int) -> int:
    """Rows that are shown: the eight conditions are never cut."""
    return max(top, len(section.cells)) if section.key == "conditions" else top


def _left(section: Section, top: int) -> str:
    left = len(section.cells) - _most(section, top)
    return (
        f"… and {left:,} more: --top {len(section.cells)} has all, and so has --format json"
        if left > 0
        else ""
    )


def _first_step(parts: Sequence[Section]) -> list[str]:
    """The command that would file what the first look-up finds."""
    first = next(
        (section.rows[0] for section in parts if section.key == "recoverable" and section.rows), None
    )
    if first is None:
        return []
    source, example = first["source"] or "SOURCE", first["example"]
    place = require_condition(str(first["condition"])).stated_by[0]
    return [
        "To file what a look-up finds:",
        "  "
        + flat(
            f'tools backfill {example} {place} VALUE --reason "WHY" --evidence "{source}:LOCATOR" --by YOU'
        ),
    ]
