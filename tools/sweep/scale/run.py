"""A data set from its plan: begun or resumed, computed by an executor, and finished."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.errors import ToolsError
from tools.records.catalog import Catalog
from tools.sweep.roofline.axes import Axes
from tools.sweep.roofline.chance import Belief
from tools.sweep.roofline.choice import setting
from tools.sweep.scale.chunk import Job, Written
from tools.sweep.scale.executors import Executor
from tools.sweep.scale.journal import abandon, appending, begin, finish, note, refused
from tools.sweep.scale.plan import CHUNK, Plan, refuse_too_large


@dataclass(frozen=True, slots=True)
class Share:
    """A part of the chunks, for machines that know nothing of each other: number `own` of `all`, from 1."""

    own: int
    all: int

    @property
    def name(self) -> str:
        """As in the name of its manifest."""
        return f"{self.own}-of-{self.all}"

    def holds(self, chunk: int) -> bool:
        """Whether a chunk belongs to it: each share has chunks of all settings."""
        return chunk % self.all == self.own - 1


def parse_share(text: str) -> Share:
    """A share written I/N. Raises `ToolsError` for anything else."""
    own, slash, count = text.partition("/")
    if slash and own.isdecimal() and count.isdecimal() and 1 <= int(own) <= int(count):
        return Share(int(own), int(count))
    raise ToolsError(f"`{text}` is no share", "write I/N, such as 3/16 for the third of sixteen machines")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run did: points computed now and found done before, chunks of this run and bytes of all."""

    computed: int
    found: int
    chunks: int
    size: int


def planned(axes: Axes, catalog: Catalog, chunk_points: int = CHUNK) -> Plan:
    """The plan of a grid. Raises `ToolsError` for an unknown name, a missing fact, or an impossible uncertainty."""
    import numpy as np

    Belief(np.array(axes.places.qualities), axes.quality_sd)
    choices = tuple(axes.choices())
    return Plan(axes, choices, tuple(setting(catalog, choice) for choice in choices), chunk_points)


def write_data_set(
    plan: Plan,
    folder: Path,
    executor: Executor,
    workers: int,
    *,
    resume: bool,
    agreed: bool,
    share: Share | None,
    advance: Callable[[int], None],
) -> Outcome:
    """Writes the data set of a plan, or of a share of it. `advance` is told of points as they are in their place.

    Interrupted, it keeps the chunks that are whole, and a journal from which `resume` continues. Raises `ToolsError`
    where the folder is taken or cannot be written, and for a grid that is too large for the machine.
    """
    folder = folder.absolute()
    if share is None:
        refuse_too_large(plan.axes, folder, workers, agreed)
    done = begin(folder, plan, resume)
    known = {
        chunk.number: done[chunk.number]
        for chunk in plan.chunks()
        if chunk.number in done and _is_there(folder / plan.path(chunk), done[chunk.number])
    }
    found = sum(written.points for written in known.values())
    if found:
        advance(found)
    computed = chunks = 0
    try:
        with appending(folder) as file:
            for written in executor.run(_jobs(plan, folder, known, share)):
                # Known before it is noted: an interruption in between must not take a noted chunk for none.
                known[written.number] = written
                note(file, written)
                computed, chunks = computed + written.points, chunks + 1
                advance(written.points)
        finish(folder, plan, known, None if share is None else share.name)
    except OSError as error:
        raise refused(folder, error) from error
    finally:
        if not known:
            abandon(folder)
    return Outcome(computed, found, chunks, sum(written.size for written in known.values()))


def _jobs(plan: Plan, folder: Path, known: dict[int, Written], share: Share | None) -> Iterator[Job]:
    skipped = frozenset(known)
    for chunk in plan.chunks():
        if chunk.number in skipped or (share is not None and not share.holds(chunk.number)):
            continue
        yield Job(
            chunk,
            plan.choices[chunk.setting],
            plan.settings[chunk.setting],
            plan.axes.places,
            plan.axes.quality_sd,
            str(folder / plan.path(chunk)),
        )


def _is_there(path: Path, written: Written) -> bool:
    try:
        return path.stat().st_size == written.size
    except OSError:
        return False
