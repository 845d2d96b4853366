"""Faults of comparisons and of provenance, and the rules that must find them.

A rule that looks at two runs gets a second one, equal to the simulated one in its conditions but for the fault. It has
one rate and nothing else, so that no other identity can be broken in it.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from hypothesis import strategies as st
from injection import Injected, Injection, Json
from runs import pointer_of, result_of, rounded

RIVAL = "simulated-rival"
RATE = "tps_aggregate"


def _rival(run: Json, factor: float = 0.83, **changed: Any) -> Json:
    """Another run under the same conditions, with the output rate times a factor; sections are changed as a whole."""
    rate = result_of(run, RATE)["value"]
    second = {**deepcopy(run), "id": RIVAL, "run_id": f"run-of-{RIVAL}"}
    second["results"] = [{"metric": RATE, "value": rounded(rate * factor), "unit": "tok/s"}]
    del second["counts"]
    return {**second, **changed}


def _five_digits(value: float) -> float:
    """A value with five digits, the last one no zero."""
    digits, _, power = f"{value:.3e}".partition("e")
    return float(f"{digits}7e{power}")


def _claim(run: Json, metric: str = RATE, **said: Any) -> Json:
    claim = {"claim": "a over b", "metric": metric, "a": {"record_id": run["id"]}, "b": {"record_id": RIVAL}}
    return {**run, "comparisons": [{**claim, **said}]}


def _against(run: Json, rival: Json, **said: Any) -> Injected:
    return Injected([_claim(run, **said), rival], "/comparisons/0/b")


def _wrong_ratio(run: Json, draw: st.DrawFn) -> Injected:
    slower = draw(st.integers(1000, 4000))
    true = draw(st.floats(1.1, 4))
    faster = rounded(slower * true, 6)
    off = draw(st.sampled_from([0.9, 0.95, 1.04, 1.2]))
    said, key = draw(
        st.sampled_from(
            [
                (rounded(true * off, 5), "claimed_ratio"),
                (rounded((true * off - 1) * 100, 6), "claimed_change_percent"),
            ]
        )
    )
    sides = {"a": {"value": faster, "unit": "tok/s"}, "b": {"value": slower, "unit": "tok/s"}}
    return Injected([_claim(run, **sides, **{key: said})], f"/comparisons/0/{key}")


def _unknown_field(run: Json, draw: st.DrawFn) -> Injected:
    name = draw(st.sampled_from(["concurency", "conditions.batch", "version", "speed", "/engine/versions"]))
    sides = {"a": {"value": 1.5}, "b": {"value": 3.0}}
    return Injected([_claim(run, **sides, varied=["technique", name])], "/comparisons/0/varied/1")


def _other_condition(run: Json, draw: st.DrawFn) -> Injected:
    what = draw(st.sampled_from(["load", "length", "version", "dataset", "accelerator"]))
    conditions = deepcopy(run["conditions"])
    if what == "load":
        conditions["concurrency"] *= draw(st.sampled_from([2, 3]))
        return _against(run, _rival(run, 1.21, conditions=conditions))
    if what == "length":
        conditions["input_length"] = {"nominal": 4096, "mean": 4096, "kind": "exact"}
    if what == "dataset":
        conditions["dataset"] = "another generator"
    rival = _rival(run, conditions=conditions)
    if what == "version":
        rival["engine"] = {"id": "example-engine", "version": "0.9.2"}
    if what == "accelerator":
        kinds = {"example-sxm-80gb", "example-sxm-141gb"} - {*run["accelerator_ids"]}
        rival["accelerator_ids"] = sorted(kinds)
    return _against(run, rival)


def _other_scenario(run: Json, draw: st.DrawFn) -> Injected:
    scenario = draw(st.sampled_from(["continuous_refill", "agentic", "multi_stream"]))
    return _against(run, _rival(run, conditions={**run["conditions"], "scenario": scenario}))


def _other_precision(run: Json, draw: st.DrawFn) -> Injected:
    formats = {
        **run["precision"],
        **draw(st.sampled_from([{"weights": "fp8"}, {"kv_cache": "fp8"}, {"weights": "int8"}])),
    }
    if draw(st.booleans()):
        formats = {"activations": "bf16"}
    return _against(run, _rival(run, precision=formats))


def _old_release(run: Json, draw: st.DrawFn) -> Injected:
    months = draw(st.integers(1, 12))
    own = {**run, "engine": {"id": "example-engine", "version": "0.10.0", "released": "2026-05-20"}}
    old = {"id": "older-engine", "version": "0.3", "released": f"2025-{months:02}-11"}
    # The second engine has no record in the small ledger.
    return Injected(
        [_claim(own, varied=["engine"]), _rival(own, engine=old)],
        "/comparisons/0/b",
        also=frozenset({"unresolved-reference"}),
    )


def _other_client(run: Json, draw: st.DrawFn) -> Injected:
    variant = draw(st.sampled_from(["per_request_mean", "per_token_spread", "includes_ttft"]))
    tail = {
        "metric": "itl_ms",
        "statistic": "p50",
        "value": 21.5,
        "unit": "ms",
        "definition_variant": variant,
    }
    return _against(run, _rival(run, results=[tail]), metric="itl_ms")


def _server_above_offline(run: Json, draw: st.DrawFn) -> Injected:
    plain = {key: value for key, value in run["conditions"].items() if key != "concurrency"}
    offline = _rival(
        run, 1 / draw(st.floats(1.05, 2)), conditions={**plain, "scenario": "offline", "request_rate": "inf"}
    )
    limited = _rival(run, 1.0, id=run["id"], conditions={**plain, "scenario": "server", "request_rate": 12})
    return Injected([limited, offline], "/results/0/value", index=1)


def _tokens_as_requests(run: Json, draw: st.DrawFn) -> Injected:
    rate = result_of(run, RATE)["value"] * draw(st.floats(0.4, 1.3))
    metric, unit = draw(st.sampled_from([("requests_per_s", "req/s"), ("samples_per_s", "samples/s")]))
    server = _rival(
        run,
        conditions={**run["conditions"], "scenario": "interactive"},
        results=[{"metric": metric, "value": rounded(rate), "unit": unit}],
    )
    return Injected([run, server], "/results/0/value", index=1)


def _doubled(run: Json, draw: st.DrawFn) -> Injected:
    times = draw(st.sampled_from([2, 4]))
    count = run["hardware"]["accelerator_count"] * times
    rival = _rival(
        run,
        times,
        hardware={"accelerator_count": count, "nodes": 1, "accelerators_per_node": count},
        parallelism={"tensor": count},
    )
    return Injected([run, rival], "/results/0/value", index=1)


def _copied(run: Json, draw: st.DrawFn) -> Injected:
    result = deepcopy(
        result_of(run, *draw(st.sampled_from([(RATE, ""), ("ttft_ms", "p90"), ("requests_per_s", "")])))
    )
    result["value"] = _five_digits(result["value"] * draw(st.floats(0.5, 0.95)))
    own = _rival(run, id=run["id"], run_id=run["run_id"], results=[result])
    other = _rival(run, model_id="example-7b", results=[deepcopy(result)])
    return Injected([own, other], "/results/0/value")


def _falling(run: Json, draw: st.DrawFn) -> Injected:
    conditions = {
        **run["conditions"],
        "concurrency": run["conditions"]["concurrency"] * draw(st.integers(2, 4)),
    }
    return Injected(
        [run, _rival(run, draw(st.floats(0.2, 0.78)), conditions=conditions)], "/results/0/value", index=1
    )


def _off_a_chart(run: Json, draw: st.DrawFn) -> Injected:
    citation = {
        "source_id": "example-log",
        "locator": "Figure 1",
        "read_from": "chart",
        "accessed": "2026-03-01",
    }
    run["sources"] = [citation]
    value = _five_digits(result_of(run, RATE)["value"] * draw(st.floats(0.5, 0.95)))
    run["results"] = [{"metric": RATE, "value": value, "unit": "tok/s"}]
    if draw(st.booleans()):
        citation["tolerance"] = rounded(value * draw(st.floats(0.01, 0.2)), 2)
    del run["counts"]
    return Injected([run], "/results/0/value")


def _unstable(run: Json, draw: st.DrawFn) -> Injected:
    slow = draw(st.floats(1, 20))
    fast = slow * draw(st.floats(2.1, 40))
    others = draw(st.lists(st.floats(slow, fast), min_size=1, max_size=4))
    result = result_of(run, "ttft_ms", "mean")
    # The first is neither the slowest nor the fastest, as a cold one would be.
    result["repeats"] = [rounded(value) for value in (others[0], slow, fast, *others[1:])]
    return Injected([run], pointer_of(run, "ttft_ms", "mean").replace("/value", "/repeats"))


def _only_a_family(run: Json, draw: st.DrawFn) -> Injected:
    run["accelerator_ids"] = [draw(st.sampled_from(["sxm", "example-sxm", "example-sxm-gpu"]))]
    return Injected([run], "/accelerator_ids/0")


FAULTS: tuple[Injection, ...] = (
    Injection("ratio-does-not-recompute", _wrong_ratio),
    Injection("varied-field-unknown", _unknown_field),
    Injection("comparison-not-like-for-like", _other_condition),
    Injection("scenario-mismatch-comparison", _other_scenario),
    Injection("precision-mismatch-comparison", _other_precision),
    Injection("stale-baseline", _old_release),
    Injection("cross-tool-itl", _other_client),
    Injection("server-exceeds-offline", _server_above_offline),
    Injection("unit-outlier-across-scenarios", _tokens_as_requests),
    Injection("extrapolated-as-measured", _doubled),
    Injection("copied-value", _copied),
    Injection("load-monotonicity", _falling),
    Injection("chart-read-precision", _off_a_chart),
    Injection("unstable-runs", _unstable),
    Injection("accelerator-variant-ambiguous", _only_a_family),
)
