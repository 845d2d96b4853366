"""Latencies of requests that were all sent at once."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.point import operating_point
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.finding import Level

_CAPS = ("concurrency", "concurrency_cap")
_WAITING = (
    "ttft_ms",
    "e2e_latency_ms",
    "queue_time_ms",
    "normalized_latency_ms_per_token",
    "tok_s_per_user_e2e",
    "tpot_ms",
    "itl_ms",
    "ttst_ms",
    "inter_chunk_ms",
)
"""Latencies of a request, those first that hold its waiting time."""


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    conditions = record.value.get("conditions")
    if not isinstance(conditions, dict):
        return
    rate, scenario = conditions.get("request_rate"), conditions.get("scenario")
    if rate != "inf" and not (scenario == "burst" and rate is None):
        return
    if any(name in conditions for name in _CAPS):
        return
    point = operating_point(record)
    filed = [figure for metric in _WAITING for figure in point.of(metric)]
    if not filed:
        return
    sent = point.count("requests") or point.count("completed")
    what = f"all {sent.text} requests" if sent else "all requests"
    names = ", ".join(dict.fromkeys(figure.metric for figure in filed))
    yield Fault(
        filed[0].quantity.pointer,
        f"{what} were sent at once and nothing limited how many were in flight: {names} tell how long that queue "
        f"took to drain ({filed[0].metric} {filed[0].quantity.text})",
        "state the cap on requests in flight if there was one; else the scenario is `burst`: keep the throughput, and "
        "leave the latencies out or acknowledge that they are of a burst",
    )


RULE = Rule(
    name="infinite-rate-latency",
    level=Level.WARNING,
    summary="Latencies are filed of requests that were all sent at once.",
    why=(
        "With an infinite rate and no cap every prompt arrives in the same instant. Some requests wait for all the "
        "others, so the mean TTFT grows with the number of prompts that somebody chose, and says nothing about a "
        "server under any load. The throughput of such a run is sound. With a cap the same command is an ordinary "
        "closed loop, and its latencies are those of that many requests in flight."
    ),
    reference="vllm-project/vllm#4252, vllm-project/vllm-ascend#776",
    formula=(
        "conditions.request_rate is `inf`, or the scenario is burst; neither concurrency nor concurrency_cap is "
        "stated; a latency is filed"
    ),
    tolerance="none",
    kinds=("benchmark",),
    needs=(_WAITING, ("/conditions/request_rate", "/conditions/scenario")),
    check=check,
)
