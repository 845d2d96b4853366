"""MLPerf LoadGen `mlperf_log_summary.txt`, with the submission's system description as its companion.

    Scenario : Server
    Mode     : PerformanceOnly
    Completed tokens per second: 24593.77
    Result is : VALID
    99.00 percentile first token latency (ns)   : 1914647645
    target_qps : 83.5
    ttft_latency (ns): 2000000000

The unit of a line is in its name; `target_qps` and the two limits are settings. Offline has no latency of a request:
its "latency" lines are times since the one query began, so that the longest is the length of the run. The
*Interactive* scenario runs as Server, and the log does not say which of the two it was. Model and lengths are those
of the benchmark, which only the folder of a submission names: they are asked for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from tools.importers.printed import Printed
from tools.importers.programs.content import Content, Digits
from tools.importers.programs.format import Format, Reading
from tools.importers.programs.mlperf_system import state_system
from tools.importers.programs.nested import hold, rounded
from tools.importers.programs.point import Point, RefusedError
from tools.importers.tree import ConflictError, Tree
from tools.schema.vocabulary import convert, vocabulary

LACKS = {
    "model": "the benchmark of the submission, which is the name of its folder: --set model=NAME",
    "hardware": "the system description of the submission: --log systems/SYSTEM.json",
    "input_length": "the token lengths of the benchmark's prepared data set",
    "output_length": "the tokens of the answers: the detail log, or a token rate beside the sample rate",
    "engine_version": "`framework` of the submission's system description: --log systems/SYSTEM.json",
    "warmup": "the harness of the submission and its command line",
}
_LINE = re.compile(r"\s*(.+?)\s*:\s*(.*?)\s*")
_STATISTIC = re.compile(
    r"(?i)(?P<which>min|max|mean|[0-9]+(?:\.[0-9]+)?(?:th)? percentile|[0-9]+(?:\.[0-9]+)?th)(?: percentile)? "
    r"(?P<of>latency|first token latency|first token percentile latency|time to output token) \(ns\)"
)
_LATENCIES = {
    "latency": "e2e_latency_ms",
    "first token latency": "ttft_ms",
    "first token percentile latency": "ttft_ms",
    "time to output token": "tpot_ms",
}
_RATES: dict[str, tuple[str, str]] = {
    "Samples per second": ("samples_per_s", "samples/s"),
    "Completed samples per second": ("samples_per_s", "samples/s"),
    "QPS w/ loadgen overhead": ("samples_per_s", "samples/s"),
    "Tokens per second": ("tps_aggregate", "tok/s"),
    "Completed tokens per second": ("tps_aggregate", "tok/s"),
    "TPS w/ loadgen overhead": ("tps_aggregate", "tok/s"),
}
_SCENARIOS = {"Offline": "offline", "SingleStream": "single_stream", "MultiStream": "multi_stream"}
_LIMITS = ("ttft_latency (ns)", "tpot_latency (ns)")
_COMPLIANCE = (
    "accuracy_log_probability",
    "accuracy_log_sampling_target",
    "performance_issue_unique",
    "performance_issue_same",
)
_COMPLIANCE_FOLDER = re.compile(r"(?i)(?:^|[\\/])(?:test0[0-9]|compliance)[\\/]")


def recognise(content: Content) -> str | None:
    """The reason: LoadGen's headings and its scenario."""
    if "MLPerf Results Summary" in content.text and re.search(r"(?m)^Scenario\s*:", content.text):
        return "it has LoadGen's heading `MLPerf Results Summary` and a scenario"
    return None


def read(reading: Reading) -> list[Point]:
    """The run, if it is a valid measurement."""
    values = _values(reading.content)

    def read_one(point: Point) -> None:
        _require_result(point, reading.place)
        _run(point)
        if reading.log is not None:
            state_system(point, reading.log)

    return reading.each(read_one, [("", values)])


def _values(content: Content) -> Mapping[str, Tree]:
    """The lines by their name. A name that comes twice has to say the same."""
    found: dict[str, Tree] = {}
    for line in content.lines:
        split = _LINE.fullmatch(line)
        if split is None:
            continue
        name, text = split[1], split[2]
        value = Digits(text) if Digits(text).number is not None else text
        if found.setdefault(name, value) != value:
            found[f"{name} (again)"] = value
    return found


def _require_result(point: Point, place: str) -> None:
    verdict, mode = point.text("Result is"), point.text("Mode")
    if verdict is None or "target_qps" not in point.values:
        raise RefusedError("it is cut off: a summary has a verdict and the parameters of the test")
    if verdict != "VALID":
        raise RefusedError(f"LoadGen calls the run {verdict}")
    if mode != "PerformanceOnly":
        raise RefusedError(f"the mode is {mode}; only PerformanceOnly is a measurement")
    set_ = [name for name in _COMPLIANCE if (point.number(name) or Printed(0)).value]
    if set_:
        raise RefusedError(f"{set_[0]} is set: a compliance or accuracy run, which is no result")
    if _COMPLIANCE_FOLDER.search(place):
        raise RefusedError(
            "it lies in the folder of a compliance test: import it from elsewhere if it is a result"
        )
    twice = next((name for name in point.values if name.endswith(" (again)")), None)
    if twice is not None:
        raise ConflictError(f"the line {twice.removesuffix(' (again)')} is there twice with two values")


def _run(point: Point) -> None:
    draft, scenario = point.draft, point.text("Scenario")
    target = point.number("target_qps")
    if target is None or target.value <= 0:
        raise RefusedError("target_qps is no rate: is it cut off?")
    point.slug += [str(scenario), f"target {target.value}"]
    draft.put("/client/name", "MLPerf LoadGen")
    draft.put("/client/count_side", "loadgen")
    if scenario in _SCENARIOS:
        draft.put("/conditions/scenario", _SCENARIOS[scenario])
    elif scenario == "Server":
        draft.put(
            "/conditions/scenario_note", "LoadGen scenario Server, which the Interactive scenario uses too"
        )
        point.lack(
            "scenario",
            "LoadGen runs Interactive as Server; the limits on TTFT and TPOT are in the record",
            "the folder of the scenario: --set scenario=server or --set scenario=interactive",
        )
    else:
        raise RefusedError(f"LoadGen has no scenario {scenario}")
    rates = {
        key: point.result(*((_RATES[key][0], key, _RATES[key][1]))) for key in _RATES if key in point.values
    }
    _output_length(point, rates)
    if any("(inferred)" in key for key in point.values):
        point.skip(*(key for key in point.values if "(inferred)" in key))
        draft.remark("inferred tokens per second are samples times a constant and no measurement: left out")
    if scenario == "Offline":
        _offline(point, rates.get("Samples per second"))
    else:
        _latencies(point)
        _load(point, scenario)
    minimum = point.number("min_duration (ms)")
    if minimum is not None and minimum.value > 0:
        draft.put("/conditions/min_duration_s", convert(minimum.exact, "ms", "s"))
    point.skip(*_LIMITS, *(key for key in point.values if not _is_figure(key)))


def _output_length(point: Point, rates: Mapping[str, Printed | None]) -> None:
    by_metric = {_RATES[key][0]: number for key, number in rates.items() if number is not None}
    samples, tokens = by_metric.get("samples_per_s"), by_metric.get("tps_aggregate")
    if samples is None or tokens is None or not samples.value:
        return
    place = "/conditions/output_length"
    point.draft.put(f"{place}/mean", rounded(tokens.exact / samples.exact))
    point.draft.put(
        f"{place}/distribution",
        "answers of the benchmark's data set; the mean is tokens over samples per second",
    )


def _offline(point: Point, rate: Printed | None) -> None:
    draft, longest = point.draft, point.number("Max latency (ns)")
    point.skip(*(key for key in point.values if _STATISTIC.fullmatch(key)))
    samples = point.count("samples_per_query")
    draft.put("/conditions/request_rate", "inf")
    if longest is None or not longest.value or rate is None:
        raise RefusedError("it has no length of the run or no rate")
    point.add("run_time_ms", longest, "ns", key="Max latency (ns)")
    draft.count("duration_s", convert(longest.exact, "ns", "s"))
    sent = rate.exact * longest.exact / 10**9
    if any(
        "sample_concatenate_permutation" in key or "sample_concatenate_permutation" in str(value)
        for key, value in point.values.items()
    ):
        draft.remark("the samples of the query are not those of the settings, as the log says: left out")
    elif samples:
        hold("Samples per second", rate, samples * 10**9 / longest.exact, 1e-4)
        draft.count("requests", samples)
        draft.count("completed", samples)
    else:
        draft.remark(f"the rate and the length of the run make {rounded(sent).value:.0f} samples")


def _load(point: Point, scenario: str | None) -> None:
    draft = point.draft
    if scenario == "Server":
        draft.put("/conditions/request_rate", point.number("target_qps"))
        draft.put("/conditions/burstiness", 1)
        # A run that counted no tokens prints limits too, and nobody held it to them.
        counted = any(result["metric"] == "ttft_ms" for result in draft.results)
        for ours, theirs in {"ttft_ms": "ttft_latency (ns)", "tpot_ms": "tpot_latency (ns)"}.items():
            limit = point.number(theirs)
            if limit is not None and limit.value > 0 and counted:
                draft.put(f"/conditions/slo/{ours}", convert(limit.exact, "ns", "ms"))
                draft.put("/conditions/slo/statistic", "p99")
        scheduled = point.number("Scheduled samples per second")
        if scheduled is not None:
            draft.remark(f"{scheduled.value} samples per second were scheduled; the load is the target")
    elif scenario == "SingleStream":
        draft.put("/conditions/concurrency", 1)
    else:
        draft.put("/conditions/concurrency", point.count("samples_per_query") or None)


def _latencies(point: Point) -> None:
    for key in point.values:
        found = _STATISTIC.fullmatch(key)
        if found is None:
            continue
        statistic = _statistic(found["which"])
        if statistic not in vocabulary().statistics:
            point.take(key)
            continue
        point.result(_LATENCIES[found["of"].lower()], key, "ns", statistic=statistic)


def _statistic(which: str) -> str:
    word = which.lower().removesuffix(" percentile").removesuffix("th")
    return word if word in ("min", "max", "mean") else f"p{float(word):g}"


def _is_figure(key: str) -> bool:
    return "(ns)" in key or "per second" in key or "TPS" in key or "QPS" in key


FORMAT = Format(
    "mlperf-loadgen",
    "LoadGen's heading and a scenario",
    recognise,
    read,
    LACKS,
    takes_log=True,
)
