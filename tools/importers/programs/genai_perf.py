"""GenAI-Perf `*_genai_perf.json`, and the same run as `*_genai_perf.csv`.

The JSON has AIPerf's metrics (`perf_metrics`) with the flat list of arguments as `input_config`. The CSV has blocks
that empty lines divide: a table `Metric,avg,min,max,p99,...` with thousands separators, then `Metric,Value`, then the
telemetry; the unit of a row is in the brackets of its name. The file does not tell the version of the program.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from typing import Any

from tools.importers.programs.aiperf_config import state_load, state_warmup
from tools.importers.programs.content import Content, Digits
from tools.importers.programs.format import Format, Reading
from tools.importers.programs.nested import flat, inner, number_of, tell_unread, text_of, whole_of
from tools.importers.programs.perf_metrics import add_metrics
from tools.importers.programs.point import Point
from tools.importers.programs.spelling import is_name

LACKS = {
    "model": "the published name of the model behind the served name",
    "hardware": "the accelerators of the server and their number",
    "engine_version": "the version of the server, which the client does not ask for",
    "warmup": "the warm-up requests of the run (--warmup-request-count)",
    "load": "the concurrency or the request rate of the run, which the JSON export has",
    "scenario": "how the requests were timed, which the JSON export has",
}
_AVERAGED = (
    "The client describes it both as an average per request and as the gap of an event over its tokens."
)
_ROW = re.compile(r"(.+?)(?: \(([^()]+)\))?")
_TAGS = {"per sec": {"request_throughput": "requests/sec", "output_token_throughput": "tokens/sec"}}
_COUNTS = frozenset({"output_sequence_length", "input_sequence_length"})


def recognise(content: Content) -> str | None:
    """The reason: tagged metrics with units beside a flat `input_config`, or the header of the CSV with its rows."""
    only = content.only
    if only is not None:
        config = only.get("input_config")
        is_run = isinstance(inner(only, "request_latency", "unit"), str)
        is_other = {"was_cancelled", "aiperf_version", "error_summary", "schema_version"} & set(only)
        if is_run and isinstance(config, dict) and not is_other:
            return "it has metrics with units beside input_config, and no state of the run as AIPerf has"
    elif content.header[:2] == ("Metric", "avg") and "Request Latency (ms)" in content.text:
        return "it has a table of metrics with their unit in brackets"
    return None


def read(reading: Reading) -> list[Point]:
    """The run."""
    only = reading.content.only
    config = None if only is None else only.get("input_config")
    metrics = _table(reading.content) if only is None else {k: v for k, v in only.items() if k not in _BLOCKS}

    def read_one(point: Point) -> None:
        point.draft.put("/client/name", "genai-perf")
        _config(point, config, point.count("request_count.avg"))
        add_metrics(point, reading.accept_failures, note=_AVERAGED)
        tell_unread(point)

    return reading.each(read_one, [("", flat(metrics))])


_BLOCKS = ("input_config", "telemetry_stats", "telemetry_data")


def _config(point: Point, config: Any, requests: int | None) -> None:
    draft = point.draft
    names = inner(config, "model") or inner(config, "model_names")
    said = [name for item in (names if isinstance(names, list) else [names]) if (name := text_of(item))]
    if len(said) == 1:
        point.model(said[0])
    elif said:
        point.lack("model", f"the run went to {len(said)} models")
    point.slug.append(said[0] if len(said) == 1 and is_name(said[0]) else "model not named")
    tokenizer, protocol = text_of(inner(config, "tokenizer")), text_of(inner(config, "endpoint_type"))
    draft.put("/client/tokenizer", tokenizer if tokenizer and is_name(tokenizer) else None)
    draft.put("/client/protocol", protocol if protocol and is_name(protocol) else None)
    streaming = inner(config, "streaming")
    draft.put("/conditions/streaming", streaming if isinstance(streaming, bool) else None)
    state_load(
        point,
        whole_of(inner(config, "concurrency")),
        number_of(inner(config, "request_rate")),
        requests,
        None,
    )
    state_warmup(point, whole_of(inner(config, "warmup_request_count")))
    if config and not (inner(config, "input_file") or inner(config, "input_dataset")):
        for side, key in (("input", "synthetic_input_tokens_mean"), ("output", "output_tokens_mean")):
            draft.put(f"/conditions/{side}_length/nominal", whole_of(inner(config, key)) or None)


def _table(content: Content) -> Mapping[str, Any]:
    """The rows by the tag that the JSON has for them."""
    found: dict[str, Any] = {}
    for header, cells in _rows(content):
        name = _ROW.fullmatch(cells[0])
        if name is None or not name[1]:
            continue
        tag = name[1].lower().replace(" ", "_")
        unit = "tokens" if name[2] is None and tag in _COUNTS else name[2]
        unit = _TAGS.get(unit or "", {}).get(tag, unit)
        numbers = {
            word: Digits(cell.replace(",", ""))
            for word, cell in zip(header[1:], cells[1:], strict=False)
            if cell
        }
        if header[1:] == ["Value"]:
            numbers = {"avg": numbers["Value"]} if "Value" in numbers else {}
        found.setdefault(tag, {"unit": unit, **numbers})
    return found


def _rows(content: Content) -> Iterator[tuple[list[str], list[str]]]:
    """Header and cells of every row up to the telemetry."""
    header: list[str] = []
    for cells in csv.reader(line for line in content.lines if line):
        if cells[0] == "Metric":
            header = cells
            if header[1:2] not in (["avg"], ["Value"]):
                return
        elif header and len(cells) > 1:
            yield header, cells


FORMAT = Format(
    "genai-perf", "metrics with units beside a flat input_config, or its CSV table", recognise, read, LACKS
)
