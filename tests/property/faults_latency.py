"""Faults of latencies, of the workload and of speculative decoding, and the rules that must find them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from injection import Injected, Injection
from runs import pointer_of, result_of, rounded

Json = dict[str, Any]


def value_of(record: Json, metric: str, statistic: str = "") -> float:
    return float(result_of(record, metric, statistic)["value"])


def put(record: Json, metric: str, statistic: str, value: float, unit: str = "ms", **extra: object) -> str:
    """Files one more figure; gives the pointer of its value."""
    stated = {"statistic": statistic} if statistic else {}
    record["results"].append({"metric": metric, **stated, "value": rounded(value), "unit": unit, **extra})
    return f"/results/{len(record['results']) - 1}/value"


def bare(record: Json) -> Json:
    """The run with its median TTFT alone, so that nothing has to agree with the lengths and counts."""
    record["results"] = [result_of(record, "ttft_ms", "p50")]
    record["counts"] = {"completed": record["counts"]["completed"]}
    return record


def wrong_sum(record: Json, draw: st.DrawFn) -> Injected:
    whole, first = value_of(record, "e2e_latency_ms", "mean"), result_of(record, "ttft_ms", "mean")
    first["value"] = rounded(first["value"] + whole * draw(st.floats(0.15, 0.6)))
    metric = "tpot_ms" if first["value"] <= whole else "e2e_latency_ms"
    return Injected([record], pointer_of(record, metric, "mean"), also=frozenset({"ttft-equals-e2e"}))


def gap_of_events(record: Json, draw: st.DrawFn) -> Injected:
    gap = result_of(record, "itl_ms", "mean")
    gap["value"] = rounded(gap["value"] * draw(st.floats(1.4, 8)))
    return Injected([record], pointer_of(record, "itl_ms", "mean"))


def spread_turned_over(record: Json, draw: st.DrawFn) -> Injected:
    spread = value_of(record, "tpot_ms", "mean") * draw(st.floats(0.01, 0.1))
    put(record, "tpot_ms", "std", spread)
    return Injected([record], put(record, "tok_s_per_user", "std", 1000 / spread, "tok/s"))


def no_time(record: Json, draw: st.DrawFn) -> Injected:
    statistic = draw(st.sampled_from(["mean", "p50", "p90", "max"]))
    return Injected([record], put(record, "ttst_ms", statistic, 0.0))


def not_streamed(record: Json, draw: st.DrawFn) -> Injected:
    whole = value_of(record, "e2e_latency_ms", "mean")
    record["results"] = [
        item
        for item in record["results"]
        if item["metric"] not in ("ttft_ms", "tpot_ms", "itl_ms") or item["statistic"] == "p50"
    ]
    put(record, "e2e_latency_ms", "p50", whole)
    result_of(record, "ttft_ms", "p50")["value"] = rounded(whole * draw(st.floats(0.955, 0.999)))
    return Injected([record], pointer_of(record, "ttft_ms", "p50"))


def peak_of_events(record: Json, draw: st.DrawFn) -> Injected:
    mean = value_of(record, "tps_aggregate")
    result_of(record, "peak_output_tok_s")["value"] = rounded(mean * draw(st.floats(0.1, 0.97)))
    return Injected([record], pointer_of(record, "peak_output_tok_s"))


def falling_percentile(record: Json, draw: st.DrawFn) -> Injected:
    median = value_of(record, "ttft_ms", "p50")
    result_of(record, "ttft_ms", "p90")["value"] = rounded(median * draw(st.floats(0.2, 0.95)))
    return Injected([record], pointer_of(record, "ttft_ms", "p90"))


def mean_above_maximum(record: Json, draw: st.DrawFn) -> Injected:
    mean = value_of(record, "ttft_ms", "mean") * draw(st.floats(0.1, 0.8))
    put(record, "queue_time_ms", "max", mean * draw(st.floats(0.3, 0.97)))
    return Injected([record], put(record, "queue_time_ms", "mean", mean))


def too_wide(record: Json, draw: st.DrawFn) -> Injected:
    mean = value_of(record, "e2e_latency_ms", "mean")
    put(record, "e2e_latency_ms", "min", mean * 0.9)
    put(record, "e2e_latency_ms", "max", mean * 1.1)
    return Injected([record], put(record, "e2e_latency_ms", "std", mean * draw(st.floats(0.2, 5))))


def few_samples(record: Json, draw: st.DrawFn) -> Injected:
    highest = value_of(record, "ttft_ms", "p90") * draw(st.floats(1, 3))
    return Injected([record], put(record, "ttft_ms", "p99", highest, samples=draw(st.integers(2, 99))))


def label_of_another_length(record: Json, draw: st.DrawFn) -> Injected:
    length = record["conditions"]["input_length"]
    length["nominal"] = int(length["mean"] * draw(st.floats(1.1, 2))) + 2
    return Injected([record], "/conditions/input_length")


def one_token(record: Json, draw: st.DrawFn) -> Injected:
    completed = bare(record)["counts"]["completed"]
    record["conditions"]["output_length"] = {"nominal": draw(st.integers(2, 4096))}
    record["counts"]["output_tokens"] = completed
    return Injected([record], "/counts/output_tokens")


def stopped_early(record: Json, draw: st.DrawFn) -> Injected:
    conditions = bare(record)["conditions"]
    nominal = conditions["output_length"]["nominal"]
    conditions["output_length"] = {"nominal": nominal, "mean": rounded(nominal * draw(st.floats(0.2, 0.94)))}
    conditions["ignore_eos"] = False
    return Injected([record], "/conditions/ignore_eos")


def swapped(record: Json, draw: st.DrawFn) -> Injected:
    conditions = bare(record)["conditions"]
    short = draw(st.integers(16, 1000))
    long = short * draw(st.integers(2, 9))
    conditions["input_length"] = {"nominal": short, "mean": long}
    conditions["output_length"] = {"nominal": long, "mean": short}
    result_of(record, "ttft_ms", "p50")["value"] = 60_000
    return Injected([record], "/conditions/input_length/nominal")


def counted_again(record: Json, draw: st.DrawFn) -> Injected:
    counts = record["counts"]
    counts["output_tokens_retokenized"] = int(counts["output_tokens"] * draw(st.floats(0.2, 0.97)))
    return Injected([record], "/counts/output_tokens_retokenized")


def other_tokenizer(record: Json, draw: st.DrawFn) -> Injected:
    name = draw(st.sampled_from(["example-151k", "hub-owner/llama-tokenizer", "Example-64K"]))
    record["client"] = {"name": "example-client", "tokenizer": name, "count_side": "client"}
    return Injected([record], "/client/tokenizer")


def counted_twice(record: Json, draw: st.DrawFn) -> Injected:
    counts = bare(record)["counts"]
    record["conditions"]["output_length"] = {"nominal": 10**6, "kind": "cap"}
    counts["completion_tokens"] = counts["completed"] * draw(st.integers(100, 9000))
    counts["reasoning_tokens"] = int(counts["completion_tokens"] * draw(st.floats(0.05, 1)))
    counts["output_tokens"] = counts["completion_tokens"] + counts["reasoning_tokens"]
    return Injected([record], "/counts/output_tokens")


def cached(record: Json, draw: st.DrawFn) -> Injected:
    record["conditions"] |= {"prefix_cache": "enabled", "cache_hit_rate": draw(st.floats(0.02, 1))}
    return Injected([record], "/conditions/cache_hit_rate")


def too_many_ends(record: Json, draw: st.DrawFn) -> Injected:
    record["counts"]["failed"] = draw(st.integers(1, 10))
    return Injected([record], "/counts/requests")


def speculative(record: Json, draw: st.DrawFn) -> int:
    """Gives the bare run a chain of some depth."""
    gamma = draw(st.integers(2, 7))
    bare(record)["technique"] = {"kind": "mtp", "gamma": gamma, "topology": "chain"}
    return gamma


def longer_than_its_draft(record: Json, draw: st.DrawFn) -> Injected:
    gamma = speculative(record, draw)
    value = draw(st.one_of(st.floats(0.1, 0.9), st.floats(gamma + 1.5, gamma + 9)))
    return Injected([record], put(record, "acceptance_length", "", value, "tok/step"))


def rate_of_another_length(record: Json, draw: st.DrawFn) -> Injected:
    gamma = speculative(record, draw)
    rate = draw(st.floats(0.3, 0.95))
    put(record, "acceptance_length", "", 1 + rate * gamma, "tok/step")
    return Injected(
        [record], put(record, "acceptance_rate", "", rate * draw(st.floats(0.1, 0.8)), "fraction")
    )


def other_counters(record: Json, draw: st.DrawFn) -> Injected:
    gamma = speculative(record, draw)
    drafts = draw(st.integers(1000, 10**6))
    accepted = int(drafts * gamma * draw(st.floats(0.2, 0.8)))
    record["counts"] |= {"drafts": drafts, "draft_tokens": drafts * gamma, "accepted_tokens": accepted}
    length = rounded(1 + accepted / drafts * draw(st.floats(0.3, 0.8)))
    # A whole number could stand for anything within a half of it.
    length += 0.013 if length.is_integer() else 0
    return Injected([record], put(record, "acceptance_length", "", length, "tok/step"))


def shares(record: Json, draw: st.DrawFn) -> list[float]:
    """Files falling shares of all positions of a draft, and gives them."""
    # Never a round number: 0.5 could stand for anything between 0.45 and 0.55.
    rate = (10 * draw(st.integers(40_000, 88_000)) + 1) / 1e6
    found = [rounded(rate**position) for position in range(1, speculative(record, draw) + 1)]
    for position, share in enumerate(found, 1):
        put(record, "acceptance_rate_unconditional", "", share, "fraction", position=position)
    return found


def rising_share(record: Json, draw: st.DrawFn) -> Injected:
    found = shares(record, draw)
    second = record["results"][2]
    second["value"] = rounded(found[0] + (1 - found[0]) * draw(st.floats(0.1, 0.9)))
    return Injected([record], "/results/2/value")


def other_product(record: Json, draw: st.DrawFn) -> Injected:
    found = shares(record, draw)
    put(record, "acceptance_rate_conditional", "", found[0], "fraction", position=1)
    rate = found[1] / found[0]
    put(record, "acceptance_rate_conditional", "", rate * draw(st.floats(0.3, 0.95)), "fraction", position=2)
    return Injected([record], "/results/2/value")


def other_sum(record: Json, draw: st.DrawFn) -> Injected:
    total = 1 + sum(shares(record, draw))
    length = 1 + (total - 1) * draw(st.floats(0.1, 0.7))
    return Injected([record], put(record, "acceptance_length", "", length, "tok/step"))


FAULTS: tuple[Injection, ...] = (
    Injection("e2e-identity", wrong_sum),
    Injection("itl-tpot-gap", gap_of_events),
    Injection("interactivity-not-reciprocal", spread_turned_over),
    Injection("zero-latency", no_time),
    Injection("ttft-equals-e2e", not_streamed),
    Injection("peak-below-mean", peak_of_events),
    Injection("percentile-order", falling_percentile),
    Injection("mean-outside-range", mean_above_maximum),
    Injection("spread-impossible", too_wide),
    Injection("tail-percentile-sample-size", few_samples),
    Injection("nominal-vs-actual-length", label_of_another_length),
    Injection("one-token-outputs", one_token),
    Injection("eos-not-ignored", stopped_early),
    Injection("isl-osl-swapped", swapped),
    Injection("retokenized-count-mismatch", counted_again),
    Injection("foreign-tokenizer", other_tokenizer),
    Injection("reasoning-double-count", counted_twice),
    Injection("prefix-cache-on-synthetic", cached),
    Injection("request-counts-disagree", too_many_ends),
    Injection("acceptance-length-out-of-range", longer_than_its_draft),
    Injection("acceptance-rate-length-mismatch", rate_of_another_length),
    Injection("acceptance-does-not-recompute", other_counters),
    Injection("unconditional-acceptance-rises", rising_share),
    Injection("acceptance-product-mismatch", other_product),
    Injection("acceptance-sum-mismatch", other_sum),
)
