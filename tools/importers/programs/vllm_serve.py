"""vLLM `bench serve --save-result` (before: `benchmark_serving.py`), also appended to one file, and of `bench sweep`.

    {"date": "20250419-055716", "backend": "vllm", "model_id": "owner/model", "num_prompts": 50, "request_rate": 10.0,
     "max_concurrency": null, "duration": 72.8, "completed": 50, "total_input_tokens": 50000, ...,
     "mean_ttft_ms": 722.9, "p99_itl_ms": 35.4}

One object a run: the whole file, a line of it, or an item of the list that a sweep writes. `vllm_run` has the figures;
here is what only the JSON has: the lists of every request (held against the totals, then dropped, as texts can hold
anything), and the settings of a sweep.
"""

from __future__ import annotations

import math

from tools.importers.programs.content import Content, Digits
from tools.importers.programs.format import Format, Reading
from tools.importers.programs.point import Point, RefusedError
from tools.importers.programs.vllm_log import read_log
from tools.importers.programs.vllm_run import LACKS, read_run

_LISTS = (
    "input_lens",
    "output_lens",
    "ttfts",
    "itls",
    "latencies",
    "start_times",
    "queue_times",
    "generated_texts",
    "errors",
)
_NEEDED = {"duration", "completed", "total_input_tokens", "total_output_tokens", "num_prompts"}
_OTHERS = {"steady_state_energy", "server_info", "random_input_len", "total_output_tokens_retokenized"}


def recognise(content: Content) -> str | None:
    """The reason: the counts of vLLM's client and latencies with `_ms` in their names."""
    keys = content.keys
    if not keys >= _NEEDED or keys & _OTHERS or not any(key.endswith("_ttft_ms") for key in keys):
        return None
    return "it has num_prompts, completed, the token totals and ..._ttft_ms"


def read(reading: Reading) -> list[Point]:
    """A point of every run in the file."""
    log = read_log(reading.log) if reading.log else None
    parts = reading.content.parts
    if log is not None and len(parts) != 1:
        raise RefusedError(f"the log belongs to one run, and the file has {len(parts)}")
    sweep = f"vllm-bench-{reading.content.sha256[:10]}" if len(parts) > 1 else None

    def read_one(point: Point) -> None:
        read_run(point, reading)
        _hold_lists(point)
        point.draft.put("/sweep_id", sweep)
        if "run_number" in point.values:
            point.skip("run_number")
            point.draft.put("/conditions/max_batch_size", point.count("max_num_seqs") or None)
        if log is not None:
            log.hold(point)
            log.state(point)

    return reading.each(read_one, ((part.place, part.values) for part in parts))


def _hold_lists(point: Point) -> None:
    """Compares the lists of a detailed file with its totals; a list that was cut is told and not used."""
    point.skip(*_LISTS)
    requests = point.count("num_prompts")
    for name in ("input_lens", "output_lens"):
        items, total = point.take(name), point.count(f"total_{name.removesuffix('_lens')}_tokens")
        if not isinstance(items, list) or not items:
            continue
        numbers = [item.number for item in items if isinstance(item, Digits)]
        if len(items) != requests:
            point.draft.remark(
                "the lists of single requests are cut off and were not compared with the totals"
            )
            return
        counted = sum(number.value for number in numbers if number is not None)
        # Prompts of requests that failed are listed and not counted.
        if counted != total and not (name == "input_lens" and point.count("completed") != requests):
            raise RefusedError(
                f"{name} adds up to {counted}, but the total is {total}: the file contradicts itself"
            )
    _hold_mean(point, requests)


def _hold_mean(point: Point, requests: int | None) -> None:
    items, mean = point.take("ttfts"), point.number("mean_ttft_ms")
    if not isinstance(items, list) or mean is None or len(items) != requests:
        return
    seconds = [number.value for item in items if isinstance(item, Digits) and (number := item.number)]
    if point.count("completed") == requests == len(seconds) and requests:
        computed = math.fsum(seconds) / requests * 1000
        if not math.isclose(computed, mean.value, rel_tol=1e-6):
            raise RefusedError(
                f"the mean of ttfts is {computed:g} ms, mean_ttft_ms is {mean.value:g}: the file contradicts itself"
            )


def is_log_of(content: Content, log: Content) -> bool:
    """Whether a console output is that of the run in a file: the same counts, and every figure as printed."""
    if len(content.parts) != 1:
        return False
    try:
        found = read_log(log)
        found.hold(content.parts[0])
    except RefusedError:
        return False
    return {"completed", "duration", "total_output_tokens", "mean_ttft_ms"} <= set(found.figures)


FORMAT = Format(
    "vllm-bench-serve",
    "num_prompts, completed, duration and token totals beside ..._ttft_ms in every object",
    recognise,
    read,
    LACKS,
    takes_log=True,
    is_log_of=is_log_of,
)
