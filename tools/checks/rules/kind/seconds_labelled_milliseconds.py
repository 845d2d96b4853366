"""Latencies that are off by a factor of a thousand: seconds under a header that says milliseconds, or the inverse."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.point import operating_point
from tools.checks.quantity import shown
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.thousandfold import LATENCIES, Slip, latency_slip
from tools.finding import Level


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    slip = latency_slip(operating_point(record))
    if slip is not None:
        yield _fault(slip)


def _fault(slip: Slip) -> Fault:
    latency, events = slip.latency, slip.events
    printed, _, unit = latency.text.partition(" ")
    implied = events.value / latency.value
    if slip.factor > 1:
        proposal = f"looks like seconds: {printed} s = {shown(latency.value * 1e6)} ms"
    else:
        proposal = f"looks like microseconds: {printed} us = {shown(latency.value)} ms"
    return Fault(
        latency.pointer,
        f"{latency.name} of {latency.text} is off by about a thousand: {events.text} / {printed} {unit} = "
        f"{shown(implied)} per second, but the run has {slip.yardstick.text}",
        f"{proposal}; see the unit in the source, and that of the other latencies of the run",
    )


RULE = Rule(
    name="seconds-labelled-milliseconds",
    level=Level.ERROR,
    summary="A latency is off by a factor of a thousand against the rate of the same run.",
    why=(
        "Pipelines move from milliseconds to seconds and a header stays behind. TTFT, TPOT and end-to-end latency "
        "are then wrong by the same factor and still agree with each other; only a rate shows it. What is in flight, "
        "divided by the time each takes, is about the rate at which tokens or requests come out: never a thousand "
        "times as much. A small model that really emits a token in 0.9 ms has the rate to go with it."
    ),
    reference=(
        "SemiAnalysisAI/InferenceX#2405, vllm-project/guidellm#113, vllm-project/guidellm#256, "
        "llm-d/llm-d-benchmark#376"
    ),
    formula=(
        "k = (in flight / tpot_ms) / tps_aggregate, or (in flight / e2e_latency_ms) / requests_per_s, or "
        "(1 / tpot_ms) / tok_s_per_user; fires if k is between 300 and 20,000 or 1/k between 300 and 3000"
    ),
    tolerance=(
        "k was 0.99 to 10.1 in 201 runs of SemiAnalysisAI/InferenceX and 0.72 to 16.0 in 838 runs of the ML.ENERGY "
        "leaderboard (median ITL in place of the mean), so a slip makes it 720 to 16,000 and 300 has no innocent "
        "cause. The 172 InferenceX rows with a TPOT or end-to-end latency in seconds all fire when relabelled"
    ),
    kinds=("benchmark",),
    needs=(LATENCIES,),
    check=check,
)
