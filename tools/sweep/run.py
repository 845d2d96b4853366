"""One run of a study, from its configuration to its folder."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from tools.errors import ToolsError
from tools.records.edit import replace_file
from tools.sweep.config import Study
from tools.sweep.emit.check import out_of_date
from tools.sweep.emit.folder import whole_folder
from tools.sweep.emit.write import study_output, write_output
from tools.sweep.grid import Results, count_blocks, simulate
from tools.sweep.page import PAGE, with_table
from tools.sweep.published import Comparison, compare

Bar = Callable[[int, str], AbstractContextManager[Callable[[int], None]]]
"""A progress bar: its total and what it counts; gives the function that moves it."""


@dataclass(frozen=True, slots=True)
class Done:
    """What a run found out of date (a check), or nothing; and how its figures compare with published ones."""

    stale: tuple[str, ...]
    comparison: Comparison | None


def default_folder(root: Path, study: Study) -> Path:
    """Where the output of a study lies in a ledger."""
    return root / "generated" / "sweeps" / study.id


def run(study: Study, root: Path, out: Path | None, bar: Bar) -> Done:
    """Computes a study and writes its folder; in the ledger's own place also the table of the docs page."""
    target = out or default_folder(root, study)
    with whole_folder(target) as folder:
        results = _simulated(study, bar)
        comparison = compare(results)
        write_output(study_output(results, comparison), folder)
    page = _page(root, out, results, comparison)
    if page is not None:
        replace_file(root / PAGE, page)
    return Done((), comparison)


def check(study: Study, root: Path, out: Path | None, bar: Bar) -> Done:
    """Computes a study and compares with its folder, and with the table of the docs page."""
    target = out or default_folder(root, study)
    if not target.is_dir():
        raise ToolsError(f"there is no folder {target}", "run it without --check to write it")
    results = _simulated(study, bar)
    comparison = compare(results)
    stale = list(out_of_date(study_output(results, comparison), target))
    if _page(root, out, results, comparison) is not None:
        stale.append(f"out of date {PAGE}")
    return Done(tuple(stale), comparison)


def _simulated(study: Study, bar: Bar) -> Results:
    with bar(count_blocks(study), "simulating") as advance:
        return simulate(study, advance)


def _page(root: Path, out: Path | None, results: Results, comparison: Comparison | None) -> str | None:
    """What the docs page should be, where it is not; None also where no page belongs to this run."""
    path = root / PAGE
    if out is not None or comparison is None or not path.is_file():
        return None
    text = path.read_text(encoding="utf-8")
    wanted = with_table(text, results, comparison)
    return None if wanted == text else wanted
