"""What a grid of the roofline says, for somebody who has seen neither the code nor the formulas."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tools.sweep.prose import heading, item, paragraph
from tools.sweep.roofline.config import Grid
from tools.sweep.roofline.critical import LARGEST
from tools.sweep.roofline.parameters import engine_parameters
from tools.sweep.roofline.tables import Curve, Mixed, Tables

_WORDS = {
    "speculative decoding": (
        "a cheap draft proposes gamma tokens; the target model checks them in one step and keeps those up to the first "
        "it rejects, plus one token of its own"
    ),
    "q": "chance that a proposed token is accepted, given that those before it were",
    "speedup": "tokens per time over those of plain decoding at the same batch size; 1 is break-even",
    "B*": "critical batch: the batch size above which speculation loses",
    "chance it pays": "chance that the speedup is above 1, given how uncertain q is; not how uncertain the model is",
    "memory-bound, compute-bound": (
        "a step waits for the memory or for the arithmetic; only in the first case are more positions nearly free"
    ),
}


def summary(grid: Grid, tables: Tables) -> str:
    """The text of summary.txt."""
    axes = grid.axes
    lines = [grid.title, "=" * len(grid.title), ""]
    lines += paragraph(
        f"{axes.points:,} operating points, computed and not measured: step times follow from the bandwidth and the "
        "arithmetic peak of the accelerator records and the shape in the model records, by the formulas of "
        "docs/sweep.md. How far such numbers are from measured ones is told there too."
    )
    lines += ["", *heading("Words")]
    for word, meaning in _WORDS.items():
        lines += item(f"{word}: {meaning}.")
    lines += ["", *heading("What went in")]
    places = axes.places
    lines += item(f"accelerators: {', '.join(axes.accelerators)}; models: {', '.join(axes.models)}")
    lines += item(
        f"drafts: {'; '.join(proposal.label for proposal in axes.proposals)}; gamma {_listed(places.gammas)}; q "
        f"{_listed(places.qualities)}, each with a standard deviation of {axes.quality_sd:g}"
    )
    lines += item(f"batch sizes {_listed(places.batch_sizes)}; contexts of {_listed(places.contexts)} tokens")
    for engine in axes.engines:
        constants = engine_parameters(engine)
        lines += item(
            f"constants of {engine}, assumed: {constants.memory_efficiency:.0%} of the bandwidth and "
            f"{constants.compute_efficiency:.0%} of the peak are reached, a step costs {constants.step_s * 1e3:g} ms "
            f"and a draft pass {constants.draft_s * 1e3:g} ms besides"
        )
    lines += ["", *heading("What the numbers say")]
    for curve in tables.curves:
        lines += item(_curve(curve, several=len(axes.proposals) * len(axes.engines) > 1))
    lines += item(_bound(tables))
    lines += list(_memory(tables))
    if tables.mixed:
        lines += ["", *heading("Requests that differ")]
        for found in _extremes(tables):
            lines += item(_mixed(found))
    lines += ["", *heading("What it rests on")]
    for text in (
        "Constants are those tried by hand, the same on every accelerator; a calibration can replace them.",
        "All requests of a batch have the same context and, but for the part on requests that differ, the same q.",
        "Intervals and chances are those of q alone. They do not hold the error of the model.",
    ):
        lines += item(text)
    return "\n".join(lines) + "\n"


def _curve(curve: Curve, several: bool) -> str:
    first, last = curve.best[0], curve.best[-1]
    name = f"{curve.choice.model}, context {curve.context:,}, q {curve.quality:g}"
    if several:
        name += f", {curve.choice.proposal.label} on {curve.choice.engine}"
    gammas = sorted({best.gamma for best in curve.best})
    moves = (
        f"gamma {gammas[0]} is best at every batch size"
        if len(gammas) == 1
        else f"the best gamma goes from {first.gamma} to {last.gamma}"
    )
    return (
        f"{name}: {first.speedup:.2f} times plain decoding at batch {first.batch_size}, {last.speedup:.2f} at batch "
        f"{last.batch_size} (chance it pays {last.chance_pays:.0%}); {moves}. {_critical(curve)}"
    )


def _critical(curve: Curve) -> str:
    gamma = max(curve.critical, key=lambda gamma: curve.critical[gamma])
    if curve.last == 0:
        return "No batch size gains."
    memory = "" if math.isnan(curve.largest) else f"; memory ends at batch {curve.largest:,.0f}"
    if math.isinf(curve.last):
        return f"With gamma {gamma} it pays at any batch size up to {LARGEST:,.0f}: there is no B*{memory}."
    return f"It pays up to B* = {curve.last:,.0f} with gamma {gamma}{memory}."


def _bound(tables: Tables) -> str:
    bound = [point for point in tables.points if point.figures["compute_bound"]]
    losing = [point for point in tables.points if point.figures["speedup"] < 1]
    both = sum(point.figures["compute_bound"] for point in losing)
    text = f"The verifying step is compute-bound at {len(bound):,} of {len(tables.points):,} points. "
    if not losing:
        return text + "No point loses."
    return f"{text}Speculation loses at {len(losing):,}, {both:,} of them compute-bound."


def _memory(tables: Tables) -> Iterator[str]:
    over = sum(point.figures["fits"] is False for point in tables.points)
    if over:
        yield from item(
            f"At {over:,} points the cache of the batch does not fit in memory beside the weights; they are computed "
            "all the same and marked in results.csv."
        )


def _extremes(tables: Tables) -> Iterator[Mixed]:
    """For each population and synchronisation the place where the mean q misleads most."""
    found: dict[tuple[str, str], Mixed] = {}
    for one in tables.mixed:
        if one.place.synchronisation not in ("ragged", "refill"):
            continue
        key = (one.name, one.place.synchronisation)
        if key not in found or _misled(one) > _misled(found[key]):
            found[key] = one
    yield from found.values()


def _misled(one: Mixed) -> float:
    return abs(one.figures.speedup / one.at_mean - 1)


def _mixed(one: Mixed) -> str:
    figures, place = one.figures, one.place
    parts = " and ".join(f"{share:.0%} with q {q:g}" for q, share in one.population.parts)
    return (
        f"{one.name} ({parts}), {place.synchronisation}: at batch {place.batch_size}, gamma {place.gamma}, "
        f"{one.choice.model}, context {one.context:,}, the speedup is {figures.speedup:.2f}, not the {one.at_mean:.2f} "
        f"that the mean q of {one.population.mean:g} would give ({figures.speedup / one.at_mean - 1:+.0%}). No place "
        "of the grid differs more."
    )


def _listed(values: tuple[float, ...]) -> str:
    return " ".join(f"{value:g}" if isinstance(value, float) else f"{value:,}" for value in values)
