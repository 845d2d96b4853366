"""The roofline side of `tools sweep run`: a grid from options or a file, to the terminal, a folder or a data set."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from tools.cli.output import say
from tools.cli.sweep_progress import points_done
from tools.errors import EXIT_CLEAN, EXIT_FINDINGS, ToolsError

if TYPE_CHECKING:
    from tools.sweep.roofline.axes import Axes


@dataclass(frozen=True, slots=True)
class GridOptions:
    """The axes as they were given; None or empty is what was not."""

    accelerators: list[str]
    models: list[str]
    drafts: list[str]
    engines: list[str]
    tensor_parallel: list[str]
    contexts: list[str]
    batch_sizes: list[str]
    gammas: list[str]
    qualities: list[str]
    quality_sd: float | None
    precision: str | None
    cache_precision: str | None
    nodes: int | None
    fill: float | None

    @property
    def any(self) -> bool:
        """Whether one was given."""
        return any(getattr(self, name) not in (None, []) for name in self.__slots__)

    def axes(self) -> Axes:
        """The grid. Raises `ToolsError` where an axis has no value, or one that cannot be."""
        from tools.sweep.roofline.axes import Axes, Places
        from tools.sweep.roofline.chance import TYPICAL_SD
        from tools.sweep.roofline.choice import Proposal
        from tools.sweep.roofline.config import numbers, whole_numbers

        needed = {
            "--accelerator": self.accelerators,
            "--model": self.models,
            "--draft": self.drafts,
            "--context": self.contexts,
            "--batch": self.batch_sizes,
            "--gamma": self.gammas,
            "--quality": self.qualities,
        }
        lacking = [option for option, values in needed.items() if not values]
        if lacking:
            raise ToolsError(
                f"the grid has no {', no '.join(lacking)}",
                "name values for each axis, or a configuration such as `roofline`",
            )
        fill = 1.0 if self.fill is None else self.fill
        return Axes(
            tuple(self.accelerators),
            tuple(self.models),
            tuple(Proposal(way, self.nodes, fill) for way in self.drafts),
            tuple(self.engines or ["vllm"]),
            whole_numbers("tensor_parallel", self.tensor_parallel or ["1"]),
            self.precision or "bf16",
            self.cache_precision or "bf16",
            None,
            Places(
                whole_numbers("context", self.contexts),
                whole_numbers("batch_size", self.batch_sizes),
                whole_numbers("gamma", self.gammas),
                numbers("quality", self.qualities),
            ),
            TYPICAL_SD if self.quality_sd is None else self.quality_sd,
        )


@dataclass(frozen=True, slots=True)
class Scale:
    """How a data set is computed, as given."""

    executor: str
    scheduler: str | None
    workers: int | None
    resume: bool
    yes: bool
    share: str | None


def run_folder(path: Path, root: Path, out: Path | None, check: bool) -> int:
    """A configured grid as a folder of records, tables and a plot, or the check of one."""
    from tools.sweep.roofline import run as grids
    from tools.sweep.roofline.config import load_grid

    grid = load_grid(path)
    if check:
        stale = grids.check(grid, root, out)
        for line in stale:
            typer.echo(line)
        verdict = f"{len(stale)} not current: run it without --check, and review the change"
        say(f"{grid.axes.points:,} points; {verdict if stale else 'everything is current'}")
        return EXIT_FINDINGS if stale else EXIT_CLEAN
    grids.run(grid, root, out)
    say(f"{grid.axes.points:,} points; written")
    return EXIT_CLEAN


def run_data_set(axes: Axes, root: Path, out: Path | None, scale: Scale) -> int:
    """A grid of any size as a partitioned Parquet data set."""
    import os

    from tools.records.catalog import Catalog
    from tools.sweep.scale.executors import executor
    from tools.sweep.scale.plan import human_bytes, refuse_too_large
    from tools.sweep.scale.run import parse_share, planned, write_data_set

    if out is None:
        raise ToolsError("a data set needs a place", "name a new or an empty folder with --out DIR")
    workers = 1 if scale.executor == "local" else scale.workers or os.cpu_count() or 1
    how = executor(scale.executor, workers, scale.scheduler)
    share = None if scale.share is None else parse_share(scale.share)
    if share is None:
        refuse_too_large(axes, out.absolute(), workers, scale.yes)
    plan = planned(axes, Catalog(root))
    try:
        with points_done(axes.points // (1 if share is None else share.all)) as advance:
            done = write_data_set(
                plan, out, how, workers, resume=scale.resume, agreed=scale.yes, share=share, advance=advance
            )
    except KeyboardInterrupt:
        if out.is_dir():
            say(f"what is whole stays in {out}; the same call with --resume continues")
        raise
    before = f", {done.found:,} of them found done" if done.found else ""
    say(
        f"{done.computed + done.found:,} points{before}; {done.chunks:,} files written, {human_bytes(done.size)} in all"
    )
    return EXIT_CLEAN


def print_curves(axes: Axes, root: Path) -> int:
    """A small grid as a table on the terminal: for each batch size the best gamma."""
    from tools.records.catalog import Catalog
    from tools.sweep.roofline.run import MOST_RECORDS
    from tools.sweep.roofline.tables import compute

    if axes.points > MOST_RECORDS:
        raise ToolsError(
            f"the grid has {axes.points:,} points, too many to read", "write them: --format parquet --out DIR"
        )
    tables = compute(axes, None, Catalog(root))
    at = {
        (point.choice, *(point.figures[name] for name in ("context", "quality", "batch_size", "gamma"))): (
            point.figures
        )
        for point in tables.points
    }
    row = "{:>8} {:>6} {:>8} {:>14} {:>6} {:>7} {:>7} {:>8}"
    for curve in tables.curves:
        choice = curve.choice
        typer.echo(
            f"{choice.model} on {choice.tensor_parallel} x {choice.accelerator}, {choice.proposal.label}, "
            f"{choice.engine}, context {curve.context:,}, q {curve.quality:g}: {_critical(curve.last)}"
            + ("" if math.isnan(curve.largest) else f", memory ends at batch {curve.largest:,.0f}")
        )
        typer.echo(row.format("batch", "gamma", "speedup", "95 % of q", "pays", "tau", "A_be", "bound"))
        for best in curve.best:
            found = at[choice, curve.context, curve.quality, best.batch_size, best.gamma]
            typer.echo(
                row.format(
                    best.batch_size,
                    best.gamma,
                    f"{best.speedup:.2f}",
                    f"{found['speedup_low']:.2f} to {found['speedup_high']:.2f}",
                    f"{best.chance_pays:.0%}",
                    f"{found['acceptance_length']:.2f}",
                    f"{found['break_even_acceptance']:.2f}",
                    "compute" if found["compute_bound"] else "memory",
                )
            )
    return EXIT_CLEAN


def _critical(batch: float) -> str:
    if batch == 0:
        return "no batch size gains"
    return "no B*" if math.isinf(batch) else f"B* {batch:,.0f}"
