"""vLLM `bench throughput --output-json`: the whole of a fixed amount of work, without a server.

    {"elapsed_time": 72.3, "num_requests": 200, "total_num_tokens": 86204, "requests_per_second": 2.76,
     "tokens_per_second": 1190.9}

`tokens_per_second` counts prompt and generated tokens; how they divide is only on the console. Older builds counted the
output lengths that were asked for.
"""

from __future__ import annotations

from fractions import Fraction

from tools.importers.printed import Printed
from tools.importers.programs.content import Content
from tools.importers.programs.format import Format, Reading
from tools.importers.programs.point import Point, RefusedError, agrees
from tools.importers.programs.spelling import is_name

_NEEDED = {"elapsed_time", "num_requests", "requests_per_second"}
_TOTAL = "Prompt plus generated tokens; some builds count the output lengths that were asked for."
_COMMAND = "the command line of the run"


def recognise(content: Content) -> str | None:
    """The reason: elapsed_time, num_requests and the rates over them."""
    fits = content.keys >= _NEEDED and content.keys & {"total_num_tokens", "tokens_per_second"}
    return "it has elapsed_time, num_requests and requests_per_second" if fits else None


def read(reading: Reading) -> list[Point]:
    """A point of every object."""
    return reading.each(_read_run, ((part.place, part.values) for part in reading.content.parts))


def _read_run(point: Point) -> None:
    draft = point.draft
    requests, tokens = point.count("num_requests"), point.count("total_num_tokens")
    seconds = point.number("elapsed_time")
    if not requests or seconds is None or seconds.value <= 0:
        raise RefusedError("no request or no time: nothing was measured")
    name = point.text("model_id") or point.text("model")
    point.skip("model_id", "model")
    point.model(name)
    point.slug.append(name if name and is_name(name) else "model not named")
    draft.put("/client/name", "vllm-bench-throughput")
    draft.put("/conditions/scenario", "offline")
    for count in ("requests", "completed"):
        draft.count(count, requests)
    draft.count("duration_s", seconds)
    point.slug.append(f"{requests} requests")
    _hold("requests_per_second", point.number("requests_per_second"), requests, seconds)
    _hold("tokens_per_second", point.number("tokens_per_second"), tokens, seconds)
    point.result("requests_per_s", "requests_per_second", "req/s")
    point.result("total_tok_s", "tokens_per_second", "tok/s", note=_TOTAL)


def _hold(key: str, said: Printed | None, count: int | None, seconds: Printed) -> None:
    if said is not None and count is not None and not agrees(said, Fraction(count) / seconds.exact):
        raise RefusedError(
            f"{key} is {said.value:g}, but {count} in {seconds.value:g} s are {count / seconds.value:g}: the file "
            "contradicts itself"
        )


FORMAT = Format(
    "vllm-bench-throughput",
    "elapsed_time, num_requests, requests_per_second and the tokens",
    recognise,
    read,
    {
        "model": f"{_COMMAND}; builds from 2026 write model_id",
        "hardware": "the accelerators of the run",
        "load": f"{_COMMAND}: how many sequences ran at once is set by the engine (--max-num-seqs)",
        "input_length": f"{_COMMAND}, or its console, which has the tokens of both kinds",
        "output_length": f"{_COMMAND}, or its console, which has the tokens of both kinds",
        "engine_version": "the version of vLLM, or of the backend that was named",
        "warmup": "the source of the build: the file does not say",
    },
)
