"""Faults of scope and of load, and the rules that must find them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from injection import Injected, Injection
from runs import consistent_runs, pointer_of, result_of, rounded

Json = dict[str, Any]

COUNT = "/hardware/accelerator_count"
LOAD = "/conditions/concurrency"


def such(record: Json, draw: st.DrawFn, fits: Callable[[Json], bool]) -> Json:
    """The run, or another one where a fault needs more of it: several accelerators, many in flight."""
    if fits(record):
        return record
    found: Json = draw(consistent_runs().filter(fits))
    return found


def count_of(record: Json) -> int:
    found: int = record["hardware"]["accelerator_count"]
    return found


def several(least: int) -> Callable[[Json], bool]:
    return lambda record: count_of(record) >= least


def value_of(record: Json, metric: str, statistic: str = "") -> float:
    found: float = result_of(record, metric, statistic)["value"]
    return found


def scaled(record: Json, factor: float, metric: str, statistic: str = "") -> str:
    """Multiplies a figure and gives its pointer."""
    result = result_of(record, metric, statistic)
    result["value"] = rounded(result["value"] * factor)
    return pointer_of(record, metric, statistic)


def one_of_many(record: Json, draw: st.DrawFn) -> Injected:
    record = such(record, draw, several(2))
    metric = draw(st.sampled_from(["tps_aggregate", "input_tok_s"]))
    return Injected([record], scaled(record, 1 / count_of(record), metric))


def own_pool(record: Json, draw: st.DrawFn) -> Injected:
    record = such(record, draw, several(4))
    count = count_of(record)
    # A larger prefill pool would put the rate above what reading the weights allows, which is another rule's bound.
    prefill = count // 4
    record["disaggregation"] = {"prefill_accelerators": prefill, "decode_accelerators": count - prefill}
    return Injected([record], scaled(record, count / (count - prefill), "output_tok_s_per_accelerator"))


def wrong_share(record: Json, draw: st.DrawFn) -> Injected:
    return Injected([record], scaled(record, draw(st.floats(0.3, 0.9)), "output_tok_s_per_accelerator"))


def wrong_sum(record: Json, draw: st.DrawFn) -> Injected:
    del record["counts"]
    record["results"] = [
        result_of(record, metric) for metric in ("tps_aggregate", "input_tok_s", "total_tok_s")
    ]
    return Injected([record], scaled(record, draw(st.floats(1.05, 1.4)), "total_tok_s"))


def forgotten_stages(record: Json, draw: st.DrawFn) -> Injected:
    record["parallelism"][draw(st.sampled_from(["context", "pipeline"]))] = draw(st.integers(2, 8))
    return Injected([record], COUNT)


def other_nodes(record: Json, draw: st.DrawFn) -> Injected:
    record["hardware"]["nodes"] = draw(st.integers(2, 72))
    return Injected([record], COUNT)


def name_of_the_rack(record: Json, draw: st.DrawFn) -> Injected:
    record["hardware"]["system_name"] = f"rack ({draw(st.integers(9, 144))}x)"
    return Injected([record], "/hardware/system_name")


def sum_of_users(record: Json, draw: st.DrawFn) -> Injected:
    def waits(run: Json) -> bool:
        by_users = run["conditions"]["concurrency"] * 1000 / value_of(run, "tpot_ms", "mean")
        outputs, totals = value_of(run, "tps_aggregate"), value_of(run, "total_tok_s")
        return bool(by_users > 1.06 * outputs and abs(by_users / totals - 1) > 0.05)

    record = such(record, draw, waits)
    users = record["conditions"]["concurrency"] * 1000 / value_of(record, "tpot_ms", "mean")
    pointer = scaled(record, users / value_of(record, "tps_aggregate"), "tps_aggregate")
    result_of(record, "peak_output_tok_s")["value"] = rounded(users * 1.1)
    return Injected([record], pointer)


def above_all_users(record: Json, draw: st.DrawFn) -> Injected:
    del record["counts"]
    record["results"] = [result_of(record, "tps_aggregate"), result_of(record, "tpot_ms", "mean")]
    users = record["conditions"]["concurrency"] * 1000 / value_of(record, "tpot_ms", "mean")
    # A step is no shorter than 1.6 times reading the weights, which is another rule's bound.
    factor = users * draw(st.floats(1.45, 1.58)) / value_of(record, "tps_aggregate")
    return Injected([record], scaled(record, factor, "tps_aggregate"))


def average_for_all(record: Json, draw: st.DrawFn) -> Injected:
    record = such(record, draw, several(4))
    return Injected([record], scaled(record, 1 / count_of(record), "power_w"))


def all_for_one(record: Json, draw: st.DrawFn) -> Injected:
    record = such(record, draw, several(4))
    whole = result_of(record, "power_w")
    record["results"].append({**whole, "metric": "power_w_per_accelerator"})
    return Injected([record], pointer_of(record, "power_w_per_accelerator"))


def no_basis(record: Json, draw: st.DrawFn) -> Injected:
    del result_of(record, "joules_per_token")[draw(st.sampled_from(["power_basis", "token_kind"]))]
    return Injected([record], pointer_of(record, "joules_per_token").removesuffix("value") + "metric")


def other_energy(record: Json, draw: st.DrawFn) -> Injected:
    factor = draw(st.one_of(st.floats(0.2, 0.9), st.floats(1.1, 5)))
    return Injected([record], scaled(record, factor, "joules_per_token"))


def not_reciprocal(record: Json, draw: st.DrawFn) -> Injected:
    energy = result_of(record, "joules_per_token")
    per_joule = rounded(draw(st.floats(1.1, 5)) / energy["value"])
    record["results"].append({**energy, "metric": "tokens_per_joule", "value": per_joule, "unit": "tok/s/W"})
    return Injected([record], pointer_of(record, "tokens_per_joule"))


def many_in_flight(record: Json) -> bool:
    return bool(record["conditions"]["concurrency"] >= 16)


def overrun(record: Json, draw: st.DrawFn) -> Injected:
    record = such(record, draw, many_in_flight)
    conditions = record["conditions"]
    del conditions["concurrency"]
    offered = draw(st.floats(2, 4)) * value_of(record, "requests_per_s")
    record["conditions"] = {**conditions, "scenario": "open_loop", "request_rate": rounded(offered)}
    return Injected([record], "/conditions/request_rate")


def all_at_once(record: Json, draw: st.DrawFn) -> Injected:
    del record["conditions"]["concurrency"]
    record["conditions"]["request_rate"] = "inf"
    record["conditions"]["scenario"] = draw(st.sampled_from(["open_loop", "burst"]))
    return Injected([record], pointer_of(record, "ttft_ms", "mean"))


def users_who_pause(record: Json, draw: st.DrawFn) -> Injected:
    users = record["conditions"]["concurrency"]
    record["conditions"]["concurrency"] = draw(st.integers(-(-users * 3 // 2), 2 * users))
    return Injected([record], LOAD)


def few_waves(record: Json, draw: st.DrawFn) -> Injected:
    record = such(record, draw, many_in_flight)
    users, counts = record["conditions"]["concurrency"], record["counts"]
    waves = counts["completed"] // users
    left = draw(st.integers(1, 4))
    for name in ("requests", "completed", "input_tokens", "output_tokens"):
        counts[name] = counts[name] // waves * left
    counts["duration_s"] = rounded(counts["duration_s"] / waves * left)
    record["results"].remove(result_of(record, "ttft_ms", "p90"))
    return Injected([record], LOAD)


def cold_start(record: Json, draw: st.DrawFn) -> Injected:
    metric, statistic = draw(st.sampled_from([("ttft_ms", "mean"), ("tps_aggregate", "")]))
    result, cold = result_of(record, metric, statistic), draw(st.floats(1.6, 1.9))
    first = result["value"] * cold if metric == "ttft_ms" else result["value"] / cold
    result["repeats"] = [rounded(first), result["value"], rounded(result["value"] * 1.01)]
    return Injected([record], pointer_of(record, metric, statistic).removesuffix("value") + "repeats/0")


FAULTS: tuple[Injection, ...] = (
    Injection("per-accelerator-filed-as-system", one_of_many),
    Injection("pool-and-cluster-normalisation-mixed", own_pool),
    Injection("rate-does-not-recompute", wrong_share),
    Injection("rate-does-not-recompute", wrong_sum),
    Injection("parallelism-vs-count", forgotten_stages),
    Injection("count-fields-disagree", other_nodes),
    Injection("count-fields-disagree", name_of_the_rack),
    Injection("per-user-rate-times-load", sum_of_users),
    Injection("aggregate-above-user-bound", above_all_users),
    Injection("power-scope", average_for_all),
    Injection("power-scope", all_for_one),
    Injection("power-basis-missing", no_basis),
    Injection("energy-power-throughput-identity", other_energy),
    Injection("energy-power-throughput-identity", not_reciprocal),
    Injection("offered-load-not-sustained", overrun),
    Injection("infinite-rate-latency", all_at_once),
    Injection("littles-law", users_who_pause),
    Injection("too-few-requests-for-load", few_waves),
    Injection("cold-first-run", cold_start),
)
