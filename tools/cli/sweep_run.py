"""`tools sweep run`: compute a study or a grid of the roofline, and write its records, tables and plots."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

import typer

from tools.cli.options import Root, ledger_root
from tools.cli.output import progress, say
from tools.cli.sweep_roofline import GridOptions, Scale, print_curves, run_data_set, run_folder
from tools.errors import EXIT_CLEAN, EXIT_FINDINGS, ToolsError


def _option(name: str, metavar: str, says: str, **more: Any) -> Any:
    return typer.Option(name, metavar=metavar, help=says, show_default=False, **more)


Values = list[str] | None


def run(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="CONFIG",
            help="A configuration of ours (`study`, `roofline`), or a file of one; without it the axes are options.",
            show_default=False,
        ),
    ] = None,
    *,
    out: Annotated[
        Path | None,
        _option("--out", "DIR", "Where to write; a configuration goes to generated/sweeps/ID of the ledger."),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; fail if something is out of date.")
    ] = False,
    seed: Annotated[
        int | None, _option("--seed", "N", "Another seed than the study's.", min=0, max=2**64 - 1)
    ] = None,
    cost: Annotated[str | None, _option("--cost", "MODEL", "Cost model: constant or roofline.")] = None,
    accelerator: Annotated[Values, _option("--accelerator", "ID", "Accelerator; may be repeated.")] = None,
    model: Annotated[Values, _option("--model", "ID", "Target model; may be repeated.")] = None,
    draft: Annotated[
        Values,
        _option(
            "--draft",
            "WAY",
            "eagle, eagle2, eagle3, mtp, p_eagle, medusa, ngram, a draft model's id, parallel:ID, or its cost ratio.",
        ),
    ] = None,
    nodes: Annotated[int | None, _option("--nodes", "N", "Nodes of a tree of proposals.", min=1)] = None,
    fill: Annotated[
        float | None, _option("--fill", "SHARE", "Share of requests that propose in a step (ngram).")
    ] = None,
    engine: Annotated[Values, _option("--engine", "CLASS", "vllm (default), sglang, ideal.")] = None,
    tensor_parallel: Annotated[
        Values, _option("--tensor-parallel", "N", "Accelerators that share each layer; by default 1.")
    ] = None,
    precision: Annotated[
        str | None, _option("--precision", "FORMAT", "Format of weights and arithmetic; by default bf16.")
    ] = None,
    cache_precision: Annotated[
        str | None, _option("--cache-precision", "FORMAT", "Format of the cache; by default bf16.")
    ] = None,
    context: Annotated[
        Values, _option("--context", "S", "Tokens of context: N, N,N or FROM:TO:STEP; may be repeated.")
    ] = None,
    batch: Annotated[Values, _option("--batch", "B", "Batch sizes, written alike.")] = None,
    gamma: Annotated[Values, _option("--gamma", "N", "Draft lengths, written alike.")] = None,
    quality: Annotated[
        Values, _option("--quality", "Q", "Chances that a proposed token is accepted, written alike.")
    ] = None,
    quality_sd: Annotated[
        float | None, _option("--quality-sd", "SD", "Standard deviation of q; by default 0.08.")
    ] = None,
    format_: Annotated[
        str | None, _option("--format", "FORMAT", "parquet: a partitioned data set of any size.")
    ] = None,
    executor: Annotated[
        str | None, _option("--executor", "NAME", "local (default), processes or dask.")
    ] = None,
    scheduler: Annotated[
        str | None, _option("--scheduler", "ADDRESS", "Dask scheduler, as tcp://HOST:8786.")
    ] = None,
    workers: Annotated[
        int | None, _option("--workers", "N", "Processes; by default one for each core.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue an interrupted data set.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Start a data set that takes long.")] = False,
    share: Annotated[
        str | None, _option("--share", "I/N", "Of a data set the I-th of N parts, for machines of their own.")
    ] = None,
    root: Root = None,
) -> int:
    """Compute a study, or a grid of the roofline; the same call gives the same bytes.

    docs/sweep.md says what is computed, and how far it can be trusted; docs/scale.md how to compute very much of it.

    Example: tools sweep run study --check

    Or: tools sweep run --cost roofline --accelerator nvidia-h100-sxm-80gb --model llama-3.1-8b --draft eagle3
    --context 1024 --batch 1,8,64 --gamma 1:5 --quality 0.7
    """
    from tools.sweep.config import cost_model_of, find_config
    from tools.sweep.libraries import require_libraries

    options = GridOptions(
        accelerator or [],
        model or [],
        draft or [],
        engine or [],
        tensor_parallel or [],
        context or [],
        batch or [],
        gamma or [],
        quality or [],
        quality_sd,
        precision,
        cache_precision,
        nodes,
        fill,
    )
    scale = Scale(executor or "local", scheduler, workers, resume, yes, share)
    spread = executor is not None or scale != Scale("local", None, None, False, False, None)
    if format_ not in (None, "parquet"):
        raise ToolsError(f"there is no format `{format_}`", "a data set is written with --format parquet")
    if spread and format_ is None:
        raise ToolsError(
            "how a data set is spread was said, but not that one is wanted", "say --format parquet --out DIR"
        )
    if format_ is not None and (check or seed is not None):
        raise ToolsError("a data set has no --check and no --seed", "leave them out")
    require_libraries()
    if name is None:
        if cost != "roofline":
            raise ToolsError(
                "there is nothing to compute" if cost is None else f"the axes of `{cost}` are not options",
                "name a configuration such as `study`, or say --cost roofline with the axes of a grid",
            )
        if check or seed is not None:
            raise ToolsError("--check and --seed need a configuration", "name one, such as `roofline`")
        place = ledger_root(root)
        if format_ is None and out is not None:
            raise ToolsError(
                "a grid of options has no records to write", "say --format parquet with --out DIR"
            )
        return (
            run_data_set(options.axes(), place, out, scale)
            if format_
            else print_curves(options.axes(), place)
        )
    path = find_config(name)
    kind = cost_model_of(path)
    if options.any:
        raise ToolsError(f"the axes stand in {path}, and in options too", "give them in one place")
    if cost not in (None, kind):
        raise ToolsError(
            f"{path} has the cost model `{kind}`", f"leave out --cost {cost}, or name another file"
        )
    if kind == "roofline":
        if seed is not None:
            raise ToolsError("the seed of a roofline grid stands in its file", "change `populations` there")
        if format_:
            from tools.sweep.roofline.config import load_grid

            return run_data_set(load_grid(path).axes, ledger_root(root), out, scale)
        return run_folder(path, ledger_root(root), out, check)
    if format_:
        raise ToolsError("a data set is of the roofline", "leave out --format, or name a roofline grid")
    return _run_study(path, seed, root, out, check)


def _run_study(path: Path, seed: int | None, root: Path | None, out: Path | None, check: bool) -> int:
    from tools.sweep import run as studies
    from tools.sweep.config import load_study

    started = time.perf_counter()
    study = load_study(path).seeded(seed)
    # A ledger is only needed where the output belongs into one.
    place = ledger_root(root) if out is None else Path.cwd()
    done = (studies.check if check else studies.run)(study, place, out, progress)
    for line in done.stale:
        typer.echo(line)
    took = f"{study.points} points ({time.perf_counter() - started:.1f} s)"
    if done.comparison is not None:
        took += (
            f"; {done.comparison.reproduced} of {len(done.comparison.figures)} published figures reproduced"
        )
    say(f"{took}; {'everything is current' if check and not done.stale else _what(check, len(done.stale))}")
    return EXIT_FINDINGS if done.stale else EXIT_CLEAN


def _what(check: bool, stale: int) -> str:
    return f"{stale} not current: run it without --check, and review the change" if check else "written"
