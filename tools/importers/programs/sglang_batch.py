"""SGLang `bench_one_batch` (before 0.4 `bench_latency`) and `bench_one_batch_server`: an object for each batch.

    {"run_name": "x", "batch_size": 8, "input_len": 256, "output_len": 32, "prefill_latency": 0.5,
     "prefill_throughput": 4096.0, "median_decode_latency": 0.0125, "median_decode_throughput": 640.0,
     "total_latency": 0.9, "overall_throughput": 2560.0}
    {"run_name": "x", "batch_size": 8, "input_len": 256, "output_len": 32, "latency": 2.0, "output_throughput": 128.0,
     "overall_throughput": 1152.0}

The first times the passes of the model inside one process, in seconds and of the whole batch; `total_latency` is the
sum of these times. 0.3 wrote the total rate as `total_throughput`. The second sends one batch to a server. Its
`output_throughput` was all tokens over the whole latency; with `last_ttft` in the file the same tokens are divided by
the time after the last first token, which counts one token too many of each sequence. -1 stands for unknown.
`run_name` is free text. Both append to the same file unless they are told otherwise.
"""

from __future__ import annotations

from fractions import Fraction

from tools.importers.programs.content import Content
from tools.importers.programs.format import Format, Reading
from tools.importers.programs.point import Point, RefusedError
from tools.importers.programs.rounding import half_unit, is_rate
from tools.importers.tree import Tree

_NEEDED = {"run_name", "batch_size", "input_len", "output_len"}
_IN_PROCESS = {"prefill_latency", "prefill_throughput", "total_latency"}
_OF_A_SERVER = {"latency", "output_throughput", "overall_throughput"}
_SLACK = Fraction(1, 10**6)
_FOURTH_DECIMAL = Fraction(1, 2 * 10**4)

_SERVER_MEAN = "The server's mean since it was started, not of this batch alone."
_FIRST_TOKENS = (
    "Prompt tokens over the time until the last sequence had its first token, as the client saw it."
)
_SUM = "The sum of the times of all passes; what lies between them is not in it."


def recognise(content: Content) -> str | None:
    """The reason: the shape of a batch in every object, with the times of one of the two programs."""
    parts = content.parts
    if not content.keys >= _NEEDED:
        return None
    if not all(part.values.keys() >= _IN_PROCESS or part.values.keys() >= _OF_A_SERVER for part in parts):
        return None
    return "its objects have batch_size, input_len and output_len with the latency of a batch"


def read(reading: Reading) -> list[Point]:
    """A point of every batch."""
    return reading.each(_read_batch, ((part.place, part.values) for part in reading.content.parts))


def _read_batch(point: Point) -> None:
    draft = point.draft
    batch, prompt, generated = (point.count(key) for key in ("batch_size", "input_len", "output_len"))
    if not batch or not prompt or not generated:
        raise RefusedError(
            "batch_size, input_len or output_len is missing, so that nobody knows what was run"
        )
    point.skip("run_name")
    draft.put("/conditions/scenario", "fixed_batch")
    draft.put("/conditions/batch_size", batch)
    for side, length in (("input", prompt), ("output", generated)):
        draft.put(f"/conditions/{side}_length", {"nominal": length, "kind": "exact"})
    point.slug.append(f"b{batch} in {prompt} out {generated}")
    if point.values.keys() >= _IN_PROCESS:
        _passes(point, batch, prompt, generated)
    else:
        _server(point, batch, prompt, generated)


def _passes(point: Point, batch: int, prompt: int, generated: int) -> None:
    point.draft.put("/client/name", "sglang-bench-one-batch")
    # The program is part of the engine and runs no other.
    point.engine("sglang")
    whole, first = _seconds(point, "total_latency"), _seconds(point, "prefill_latency")
    if first[0] > whole[0] + whole[1]:
        raise RefusedError("prefill_latency is above total_latency: the file contradicts itself")
    _rate(point, "prefill_tok_s", "prefill_throughput", batch * prompt, first)
    if generated > 1:
        step = _seconds(point, "median_decode_latency")
        _rate(point, "decode_tok_s", "median_decode_throughput", batch, step, statistic="p50")
        point.result("step_time_ms", "median_decode_latency", "s", statistic="p50")
    total = "overall_throughput" if "overall_throughput" in point.values else "total_throughput"
    _rate(point, "mixed_phase_tok_s", total, batch * (prompt + generated), whole)
    point.result("prefill_latency_ms", "prefill_latency", "s", statistic="unstated")
    point.result("batch_latency_ms", "total_latency", "s", statistic="unstated", note=_SUM)


def _server(point: Point, batch: int, prompt: int, generated: int) -> None:
    point.draft.put("/client/name", "sglang-bench-one-batch-server")
    whole = _rounded(point, "latency")
    _rate(point, "total_tok_s", "overall_throughput", batch * (prompt + generated), whole)
    point.result("batch_latency_ms", "latency", "s", statistic="unstated")
    last = point.number("last_ttft")
    if last is None:
        _rate(point, "tps_aggregate", "output_throughput", batch * generated, whole)
    else:
        _split(point, batch, prompt, generated, whole)
    # A gauge of the server at the end of the run.
    point.skip("last_gen_throughput")
    if point.take("acc_length"):
        point.result("acceptance_length", "acc_length", "tok/step", note=_SERVER_MEAN)


def _split(point: Point, batch: int, prompt: int, generated: int, whole: tuple[Fraction, Fraction]) -> None:
    first = _rounded(point, "last_ttft")
    if first[0] > whole[0] + whole[1] + first[1]:
        raise RefusedError("last_ttft is above latency: the file contradicts itself")
    point.result("ttft_ms", "last_ttft", "s", statistic="max")
    cached = point.number("cache_hit_rate")
    if cached is not None and cached.value > 0:
        point.draft.put("/conditions/prefix_cache", "enabled")
        point.skip("input_throughput")
        point.draft.remark(
            "a part of the prompts lay in the cache: input_throughput counts it and is left out"
        )
    else:
        _rate(point, "prefill_tok_s", "input_throughput", batch * prompt, first, definition=_FIRST_TOKENS)
    after = (whole[0] - first[0], whole[1] + first[1])
    said = point.number("output_throughput")
    if said is None or generated == 1 or after[0] <= after[1]:
        point.skip("output_throughput")
    elif is_rate(said, batch * generated, *after, _SLACK):
        point.draft.remark("output_throughput counts one token too many of each sequence: left out")
    elif is_rate(said, batch * (generated - 1), *after, _SLACK):
        point.result("decode_tok_s", "output_throughput", "tok/s")
    else:
        raise RefusedError(
            f"output_throughput is {said.value:g}, which {batch * generated} tokens do not give in the latency after "
            "last_ttft: the file contradicts itself"
        )


def _seconds(point: Point, key: str) -> tuple[Fraction, Fraction]:
    """A time and how far its digits leave it open. Raises `RefusedError` where nothing was measured."""
    number = point.number(key)
    if number is None or number.value <= 0:
        raise RefusedError(f"{key} is no time: nothing was measured")
    return number.exact, half_unit(number)


def _rounded(point: Point, key: str) -> tuple[Fraction, Fraction]:
    """A time that the program rounds to four decimals; JSON leaves the zeros at its end away."""
    seconds, error = _seconds(point, key)
    return seconds, min(error, _FOURTH_DECIMAL)


def _rate(
    point: Point,
    metric: str,
    key: str,
    tokens: int,
    time: tuple[Fraction, Fraction],
    statistic: str | None = None,
    **more: Tree,
) -> None:
    """Adds a rate. Raises `RefusedError` where tokens over time give another one."""
    said = point.result(metric, key, "tok/s", statistic=statistic, said=None, **more)
    if said is not None and not is_rate(said, tokens, *time, _SLACK):
        raise RefusedError(
            f"{key} is {said.value:g}, but {tokens} tokens in {float(time[0]):g} s are "
            f"{float(tokens / time[0]):g}: the file contradicts itself"
        )


FORMAT = Format(
    "sglang-one-batch",
    "run_name, batch_size, input_len and output_len beside the latency of a batch in every object",
    recognise,
    read,
    {
        "model": "the command line of the run: the output names no model",
        "hardware": "the accelerators of the run and their number",
        "engine_version": "the version of the server, or of SGLang in the process",
        "warmup": "the command line of the run (--skip-warmup) and the source of its version",
    },
)
