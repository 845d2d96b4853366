"""How fast the sweep is, beside a per-token simulation of the same definition in the same run.

    python -m benchmarks.sweep [--requests N]

(a) The 392 points of the study. The per-token simulation (`benchmarks.per_token`) runs every point with N requests,
ours with the study's own number, which is far more; both are compared by tokens of the 392 points a second. That
points share their draws is part of what makes ours fast; that it also runs the synchronisations which the study does
not use counts against it. The answers must agree within their sampling errors.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import time

from benchmarks.per_token import drawer, simulate
from tools.sweep.config import find_config, load_study
from tools.sweep.grid import simulate as simulate_study

RUNS = 3
MOST_Z = 5.0
"""Standard errors that a point may be away; of 392 comparisons one in a million would be further by luck."""


def main() -> None:
    """Run part (a) and print the ratio."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--requests", type=int, default=128)
    requests = parser.parse_args().requests
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
