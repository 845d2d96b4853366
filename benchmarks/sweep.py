"""How fast the sweep is, beside a per-token simulation of the same definition in the same run.

    python -m benchmarks.sweep [--part a|b] [--requests N]

(a) The 392 points of the study. The per-token simulation (`benchmarks.per_token`) runs every point with N requests,
ours with the study's own number, which is far more; both are compared by tokens of the 392 points a second. That
points share their draws is part of what makes ours fast; that it also runs the synchronisations which the study does
not use counts against it. The answers must agree within their sampling errors.

(b) Points of the roofline a second at 10^5, 10^6 and 10^7, on two processes: computed (all columns, thrown away), and
written as a Parquet data set, with the start of the processes in the time. The peak of memory is that of one worker,
and each line is measured in processes of its own. CPU seconds are those of the workers: where the machine is shared,
points for each CPU second times two is what two idle cores would reach.
"""

from __future__ import annotations

import argparse
import math
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from benchmarks.per_token import drawer, simulate
from tools.records.catalog import Catalog
from tools.sweep.config import find_config, load_study
from tools.sweep.grid import simulate as simulate_study
from tools.sweep.roofline.axes import Axes, Places
from tools.sweep.roofline.choice import Proposal
from tools.sweep.roofline.points import columns
from tools.sweep.scale.chunk import Job
from tools.sweep.scale.executors import Processes
from tools.sweep.scale.plan import Chunk, Plan
from tools.sweep.scale.run import planned, write_data_set

RUNS = 3
MOST_Z = 5.0
"""Standard errors that a point may be away; of 392 comparisons one in a million would be further by luck."""


SIZES = (100_000, 1_000_000, 10_000_000)
WORKERS = 2
ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Run the parts that are asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--part", choices=("a", "b"))
    parser.add_argument("--requests", type=int, default=128)
    parser.add_argument("--measure", nargs=2, metavar=("WHAT", "POINTS"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        measure(given.measure[0], int(given.measure[1]))
        return
    if given.part in (None, "a"):
        study_against_per_token(given.requests)
    if given.part in (None, "b"):
        roofline_rates()


def grid(points: int) -> Plan:
    """A grid of so many points: 125 batch sizes, 16 gammas and 50 q at each of points / 10^5 contexts."""
    places = Places(
        tuple(range(1000, 1000 + 50 * (points // 100_000), 50)),
        tuple(range(1, 126)),
        tuple(range(1, 17)),
        tuple(round(0.4 + 0.01 * number, 2) for number in range(50)),
    )
    axes = Axes(
        ("nvidia-h100-sxm-80gb",),
        ("llama-3.1-8b",),
        (Proposal("eagle3"),),
        ("vllm",),
        (1,),
        "bf16",
        "bf16",
        None,
        places,
        0.08,
    )
    return planned(axes, Catalog(ROOT))


def compute(job: Job) -> float:
    """A chunk computed and thrown away; one figure of it, so that nothing can be left out."""
    table = columns(job.setting, job.places, job.chunk.block, job.quality_sd)
    return float(table["speedup"][-1])


def job(plan: Plan, chunk: Chunk) -> Job:
    """The job of a chunk that is not written."""
    return Job(chunk, plan.choices[0], plan.settings[0], plan.axes.places, plan.axes.quality_sd, "")


def measure(what: str, points: int) -> None:
    """One line of part (b), in a process of its own: seconds, CPU seconds and peak megabytes of the workers."""
    plan = grid(points)
    if what == "computed":
        with ProcessPoolExecutor(WORKERS, get_context("spawn")) as pool:
            first = next(plan.chunks())
            list(pool.map(compute, [job(plan, first)] * WORKERS))
            started = time.perf_counter()
            list(pool.map(compute, [job(plan, chunk) for chunk in plan.chunks()]))
            seconds = time.perf_counter() - started
        size = 0
    else:
        with tempfile.TemporaryDirectory() as folder:
            started = time.perf_counter()
            done = write_data_set(
                plan,
                Path(folder) / "set",
                Processes(WORKERS),
                WORKERS,
                resume=False,
                agreed=True,
                share=None,
                advance=lambda _: None,
            )
            seconds, size = time.perf_counter() - started, done.size
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, size / points)


def roofline_rates() -> None:
    """Part (b)."""
    print(f"points of the roofline, {WORKERS} processes")
    print(
        f"  {'':9} {'points':>11} {'s':>8} {'points/s':>12} {'CPU s':>8} {'MB a worker':>12} {'bytes/point':>12}"
    )
    for what in ("computed", "written"):
        found = []
        for points in SIZES:
            call = [sys.executable, "-m", "benchmarks.sweep", "--measure", what, str(points)]
            lines = subprocess.run(call, check=True, capture_output=True, text=True, cwd=ROOT).stdout
            seconds, cpu, peak, size = map(float, lines.split())
            found.append((points, seconds, cpu))
            rate = points / seconds
            print(
                f"  {what:9} {points:11,} {seconds:8.2f} {rate:12,.0f} {cpu:8.2f} {peak:12,.0f} {size:12.1f}"
            )
        (few, before, cpu_before), (many, after, cpu_after) = found[-2:]
        more = many - few
        print(
            f"  {what}: {more / (after - before):,.0f} points/s between the last two, and "
            f"{WORKERS * more / (cpu_after - cpu_before):,.0f} if both cores were ours"
        )


def study_against_per_token(requests: int) -> None:
    """Part (a)."""
    study = load_study(find_config("study"))

    seconds = []
    for _ in range(RUNS):
        started = time.perf_counter()
        results = simulate_study(study, lambda _: None)
        seconds.append(time.perf_counter() - started)
    ours_s = statistics.median(seconds)
    ours_tokens = study.points * study.requests * study.output_length

    rng = random.Random(study.seed)
    plain_tokens, worst, where, squares = 0, 0.0, "", 0.0
    started = time.perf_counter()
    for serving, place, figures in results.served():
        run = simulate(
            place.synchronisation,
            drawer(study.qualities[place.quality], rng),
            place.batch_size,
            place.gamma,
            requests,
            study.output_length,
            results.cost.speculative_step(place.batch_size, place.gamma),
            rng,
        )
        plain_tokens += run.tokens
        # The error of a mean goes with the square root of the number of requests behind it.
        behind = max(requests, place.batch_size)
        own = figures.half_width / 1.96
        error = math.hypot(own, own * math.sqrt(study.requests / behind))
        z = (run.speedup - figures.speedup) / error
        squares += z * z
        if abs(z) > worst:
            worst, where = abs(z), f"{place.quality} {serving} batch {place.batch_size} gamma {place.gamma}"
    plain_s = time.perf_counter() - started

    ours_rate, plain_rate = ours_tokens / ours_s, plain_tokens / plain_s
    print(f"{study.points} points of the study; median of {RUNS} runs of ours, one of the other")
    print(f"  ours        {ours_s:8.2f} s {ours_tokens:15,} tokens {ours_rate:15,.0f} tokens/s")
    print(f"  per token   {plain_s:8.2f} s {plain_tokens:15,} tokens {plain_rate:15,.0f} tokens/s")
    print(f"  ours is {ours_rate / plain_rate:,.0f} times faster")
    print(
        f"  agreement: root mean square {math.sqrt(squares / study.points):.2f} standard errors, "
        f"worst {worst:.1f} ({where})"
    )
    if worst > MOST_Z:
        raise SystemExit(f"the two disagree by more than {MOST_Z} standard errors")


if __name__ == "__main__":
    main()
