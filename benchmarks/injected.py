"""Faults to put into real records: each changes one thing that a source or a converter gets wrong in earnest.

A fault takes a record that no rule speaks of, changes it in place and says whether it could: it needs the number that
it falsifies, and nothing else. Whether the record holds a second number that shows the fault is left open, so that the
share that is found tells how much the records give the rules to work with.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

Json = dict[str, Any]

TIMES = (
    "ttft_ms",
    "tpot_ms",
    "itl_ms",
    "e2e_latency_ms",
    "batch_latency_ms",
    "normalized_latency_ms_per_token",
)
CENTRAL = ("", "mean", "p50", "unstated")


@dataclass(frozen=True)
class Fault:
    """A fault in words, the rules that name it (any of them will do), and what it does to a record."""

    name: str
    rules: tuple[str, ...]
    inject: Callable[[Json, Random], bool]


def number(record: Json, *path: str) -> float | None:
    """A plain number of a record."""
    found: Any = record
    for key in path:
        found = found.get(key) if isinstance(found, dict) else None
    return found if isinstance(found, (int, float)) and not isinstance(found, bool) else None


def result_of(record: Json, metric: str, *statistics: str) -> Json | None:
    """The first result of a metric that is a plain number, of the statistics."""
    for result in record.get("results", ()):
        if result["metric"] != metric or "bound" in result or not isinstance(result["value"], (int, float)):
            continue
        if not statistics or result.get("statistic", "") in statistics:
            found: Json = result
            return found
    return None


def scaled(record: Json, factor: float, metric: str, *statistics: str) -> bool:
    """Multiplies a result, where there is one."""
    result = result_of(record, metric, *statistics)
    if result is None or not result["value"]:
        return False
    result["value"] = float(f"{result['value'] * factor:.7g}")
    return True


def lengths(record: Json) -> tuple[float, float] | None:
    """Input and output length: the mean, else the nominal one."""
    found = [
        number(record, "conditions", f"{side}_length", "mean")
        or number(record, "conditions", f"{side}_length", "nominal")
        for side in ("input", "output")
    ]
    return (found[0], found[1]) if found[0] and found[1] else None


def _times(factor: float) -> Callable[[Json, Random], bool]:
    def inject(record: Json, _: Random) -> bool:
        found = [
            result for result in record["results"] if result["metric"] in TIMES and result["unit"] == "ms"
        ]
        for result in found:
            if isinstance(result["value"], (int, float)):
                result["value"] = float(f"{result['value'] * factor:.7g}")
        return any(result["metric"] != "ttft_ms" for result in found)

    return inject


def _share_as_whole(record: Json, _: Random) -> bool:
    count = number(record, "hardware", "accelerator_count") or number(record, "parallelism", "tensor") or 1
    return count > 1 and scaled(record, 1 / count, "tps_aggregate")


def _whole_as_share(record: Json, _: Random) -> bool:
    count = number(record, "hardware", "accelerator_count") or number(record, "parallelism", "tensor") or 1
    return count > 1 and scaled(record, count, "output_tok_s_per_accelerator")


def _total_as_output(record: Json, _: Random) -> bool:
    both = lengths(record)
    return both is not None and scaled(record, sum(both) / both[1], "tps_aggregate")


def _count_as_rate(record: Json, _: Random) -> bool:
    duration = number(record, "counts", "duration_s")
    return duration is not None and duration > 1.5 and scaled(record, duration, "tps_aggregate")


def _users_times_rate(record: Json, _: Random) -> bool:
    users, tpot = number(record, "conditions", "concurrency"), result_of(record, "tpot_ms", *CENTRAL)
    rate = result_of(record, "tps_aggregate")
    if not users or tpot is None or rate is None or not tpot["value"]:
        return False
    by_users = users * 1000 / tpot["value"]
    apart = by_users > 1.1 * rate["value"]
    rate["value"] = float(f"{by_users:.6g}")
    return bool(apart)


def _three_times_the_users(record: Json, _: Random) -> bool:
    users = number(record, "conditions", "concurrency") or number(record, "conditions", "batch_size")
    tpot = result_of(record, "tpot_ms", *CENTRAL) or result_of(record, "itl_ms", *CENTRAL)
    rate = result_of(record, "tps_aggregate")
    if not users or tpot is None or rate is None or not tpot["value"]:
        return False
    rate["value"] = float(f"{3 * users * 1000 / tpot['value']:.6g}")
    return True


def _thousandfold_rate(record: Json, _: Random) -> bool:
    return scaled(record, 1000, "tps_aggregate") or scaled(record, 1000, "decode_tok_s")


def _swapped_lengths(record: Json, _: Random) -> bool:
    conditions = record.get("conditions", {})
    first, second = conditions.get("input_length"), conditions.get("output_length")
    if not first or not second or "nominal" not in first or "nominal" not in second:
        return False
    first["nominal"], second["nominal"] = second["nominal"], first["nominal"]
    return bool(first["nominal"] != second["nominal"])


def _swapped_percentiles(record: Json, random: Random) -> bool:
    pairs = [
        (median, tail)
        for metric in TIMES
        if (median := result_of(record, metric, "p50"))
        and (tail := result_of(record, metric, "p99"))
        and tail["value"] > 1.02 * median["value"]
    ]
    if not pairs:
        return False
    median, tail = random.choice(pairs)
    median["value"], tail["value"] = tail["value"], median["value"]
    return True


def _energy_of_one(record: Json, _: Random) -> bool:
    count = number(record, "hardware", "accelerator_count") or 1
    return count > 1 and scaled(record, 1 / count, "joules_per_token")


def _power_of_one(record: Json, _: Random) -> bool:
    count = number(record, "hardware", "accelerator_count") or 1
    return count > 1 and scaled(record, 1 / count, "power_w")


def _no_basis(record: Json, random: Random) -> bool:
    result = result_of(record, "joules_per_token")
    return result is not None and result.pop(random.choice(["power_basis", "token_kind"]), None) is not None


def _longer_end(record: Json, _: Random) -> bool:
    return scaled(record, 1.5, "e2e_latency_ms", "mean")


def _zero(record: Json, _: Random) -> bool:
    return any(scaled(record, 0, metric, *CENTRAL) for metric in TIMES)


def _other_dimension(record: Json, random: Random) -> bool:
    result = random.choice(record["results"])
    result["unit"] = random.choice(
        [unit for unit in ("GB", "req/s", "J/tok", "ms") if unit != result["unit"]]
    )
    return result["metric"] not in ("samples_per_s", "requests_per_s") or result["unit"] != "req/s"


def _forgotten_stage(record: Json, _: Random) -> bool:
    layout = record.get("parallelism")
    if not layout or "tensor" not in layout or number(record, "hardware", "accelerator_count") is None:
        return False
    layout["pipeline"] = 2 * layout.get("pipeline", 1)
    return True


def _more_nodes(record: Json, random: Random) -> bool:
    hardware = record.get("hardware", {})
    if not {"nodes", "accelerators_per_node", "accelerator_count"} <= hardware.keys():
        return False
    hardware["nodes"] += random.randint(1, 8)
    return True


def _offered_more(record: Json, _: Random) -> bool:
    rate = number(record, "conditions", "request_rate")
    if rate is None:
        return False
    record["conditions"]["request_rate"] = rate * 2
    return True


def _no_baseline(record: Json, _: Random) -> bool:
    result = result_of(record, "speedup_ratio")
    return result is not None and result.pop("baseline", None) is not None


def _gain(record: Json, _: Random) -> bool:
    result = result_of(record, "speedup_ratio")
    if result is None or result["value"] <= 1.02:
        return False
    result["value"] = float(f"{result['value'] - 1:.4g}")
    return True


def _zero_ratio(record: Json, _: Random) -> bool:
    return scaled(record, 0, "speedup_ratio")


def _baseline_turned_over(record: Json, _: Random) -> bool:
    result = result_of(record, "speedup_ratio")
    if result is None or not result["value"] or 0.9 < result["value"] < 1.1:
        return False
    result["value"] = float(f"{1 / result['value']:.4g}")
    return True


def _acceptance_of_draft(record: Json, _: Random) -> bool:
    depth, result = number(record, "technique", "gamma"), result_of(record, "acceptance_length")
    if depth is None or result is None:
        return False
    result["value"] += depth + 1
    return True


OF_A_RECORD = (
    Fault(
        "latencies in seconds under a header of milliseconds",
        ("seconds-labelled-milliseconds",),
        _times(1e-3),
    ),
    Fault(
        "latencies in microseconds under a header of milliseconds",
        ("seconds-labelled-milliseconds",),
        _times(1e3),
    ),
    Fault(
        "the rate of one accelerator as that of all",
        ("per-accelerator-filed-as-system", "rate-does-not-recompute"),
        _share_as_whole,
    ),
    Fault("the rate of all accelerators as that of each", ("rate-does-not-recompute",), _whole_as_share),
    Fault("input and output tokens as output", ("total-tokens-filed-as-output",), _total_as_output),
    Fault("a count of tokens as a rate", ("count-filed-as-rate",), _count_as_rate),
    Fault("users times per-user speed as the rate", ("per-user-rate-times-load",), _users_times_rate),
    Fault(
        "three times what all users can receive",
        ("aggregate-above-user-bound", "rate-does-not-recompute"),
        _three_times_the_users,
    ),
    Fault(
        "a rate a thousandfold",
        (
            "decode-above-roofline",
            "flops-above-peak",
            "aggregate-above-user-bound",
            "rate-does-not-recompute",
            "energy-power-throughput-identity",
        ),
        _thousandfold_rate,
    ),
    Fault("nominal input and output length swapped", ("isl-osl-swapped",), _swapped_lengths),
    Fault("median and p99 swapped", ("percentile-order",), _swapped_percentiles),
    Fault("energy per token of one accelerator", ("energy-power-throughput-identity",), _energy_of_one),
    Fault(
        "power of one accelerator as that of all",
        ("power-scope", "energy-power-throughput-identity"),
        _power_of_one,
    ),
    Fault("energy without its basis", ("power-basis-missing",), _no_basis),
    Fault("end-to-end latency half as long again", ("e2e-identity",), _longer_end),
    Fault("a latency of zero", ("zero-latency",), _zero),
    Fault("a unit of another dimension", ("metric-unit-incompatible",), _other_dimension),
    Fault("a pipeline stage too many", ("parallelism-vs-count",), _forgotten_stage),
    Fault("nodes that were not there", ("count-fields-disagree",), _more_nodes),
    Fault("twice the offered load", ("offered-load-not-sustained",), _offered_more),
    Fault("a speedup over nothing", ("speedup-without-baseline",), _no_baseline),
    Fault("a gain as a ratio", ("gain-filed-as-ratio", "ratio-does-not-recompute"), _gain),
    Fault("a speedup of zero", ("ratio-not-positive",), _zero_ratio),
    Fault("a speedup turned over", ("ratio-does-not-recompute",), _baseline_turned_over),
    Fault("an acceptance length beyond the draft", ("acceptance-length-out-of-range",), _acceptance_of_draft),
)
"""Faults that one record shows."""


def _lost_digit(record: Json, _: Random) -> bool:
    result = result_of(record, "tps_aggregate")
    if result is None or result["value"] < 20:
        return False
    printed = str(result["value"])
    result["value"] = float(printed[1:])
    return printed[1] != "0"


def _tokens_as_samples(record: Json, _: Random) -> bool:
    result = result_of(record, "tps_aggregate")
    if result is None or record.get("conditions", {}).get("scenario") not in ("server", "interactive"):
        return False
    record["results"] = [{**result, "metric": "requests_per_s", "unit": "req/s"}]
    return True


def _more_than_offline(record: Json, _: Random) -> bool:
    return record.get("conditions", {}).get("scenario") == "server" and scaled(record, 1.5, "tps_aggregate")


BESIDE_OTHERS = (
    Fault("a lost leading digit", ("load-monotonicity",), _lost_digit),
    Fault(
        "tokens per second labelled requests per second",
        ("unit-outlier-across-scenarios",),
        _tokens_as_samples,
    ),
    Fault("a server rate half as high again", ("server-exceeds-offline",), _more_than_offline),
)
"""Faults that show beside the other records of a ledger alone."""
