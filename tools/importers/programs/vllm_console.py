"""The console output of vLLM `bench serve` alone: rounded figures, and the conditions where its arguments stand above.

Best imported beside the JSON of the run (`--log`), which has the figures with all digits.
"""

from __future__ import annotations

from tools.importers.programs.content import Content
from tools.importers.programs.format import Format, Reading
from tools.importers.programs.point import Point, RefusedError
from tools.importers.programs.vllm_log import Log, is_head, read_logs, results_in
from tools.importers.programs.vllm_run import LACKS, read_run

# SGLang prints the same head and names its backend first.
_SGLANG = ("backend:", "max reqeuest concurrency:", "max request concurrency:")


def recognise(content: Content) -> str | None:
    """The reason: the head of the block of results."""
    if results_in(content) == 0:
        return None
    start = next(number for number, line in enumerate(content.lines) if is_head(line))
    if any(line.lower().startswith(_SGLANG) for line in content.lines[start : start + 6]):
        return None
    return "it has a block `Serving Benchmark Result`"


def read(reading: Reading) -> list[Point]:
    """A point of every block of results."""
    found: list[Point] = []
    for place, log in read_logs(reading.content):
        if isinstance(log, str):
            reading.refusals.append((f"{reading.place}, {place}", log))
            continue

        def read_one(point: Point, log: Log = log) -> None:
            if "completed" not in log.figures or not any(key.endswith("_ms") for key in log.figures):
                raise RefusedError("the block of results lacks the requests or the latencies")
            point.labels = log.labels
            read_run(point, reading)
            log.state(point)
            if log.unknown:
                point.draft.remark(f"lines that nobody reads: {', '.join(log.unknown)}")

        found += reading.each(read_one, [(place, log.values)])
    return found


FORMAT = Format(
    "vllm-console",
    "block `Serving Benchmark Result`",
    recognise,
    read,
    {**LACKS, "warmup": "the line Namespace(...) that the program prints first"},
    read_from="log",
)
