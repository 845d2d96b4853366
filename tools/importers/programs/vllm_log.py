"""What vLLM's serving benchmark prints: the block of results, and the line with every argument.

    Namespace(..., dataset_name='random', random_input_len=1024, ..., num_warmups=0, ...)
    ============ Serving Benchmark Result ============
    Successful requests:                     249

The labels changed over time, so they are compared without case. The line of arguments has the defaults too: a length
counts only for the data set that was used. Paths, hosts and headers stand in the same line and are never read.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tools.importers.printed import read_number
from tools.importers.programs.content import Content, Digits, Part
from tools.importers.programs.point import Point, RefusedError, agrees
from tools.importers.programs.vllm_arguments import state_arguments

HEAD = "serving benchmark result"
_HEAD = re.compile(rf"=+ ?{HEAD} ?=+")
_LINE = re.compile(r"\s*([A-Za-z][^:]*?)\s*:\s+(\S+)\s*")
_LABELS = {
    "successful requests": "completed",
    "failed requests": "failed",
    "benchmark duration (s)": "duration",
    "total input tokens": "total_input_tokens",
    "total generated tokens": "total_output_tokens",
    "request throughput (req/s)": "request_throughput",
    "request goodput (req/s)": "request_goodput",
    "output token throughput (tok/s)": "output_throughput",
    "input token throughput (tok/s)": "input_throughput",
    "total token throughput (tok/s)": "total_token_throughput",
    "peak concurrent requests": "max_concurrent_requests",
    "acceptance rate (%)": "spec_decode_acceptance_rate",
    "acceptance length": "spec_decode_acceptance_length",
    "drafts": "spec_decode_num_drafts",
    "draft tokens": "spec_decode_draft_tokens",
    "accepted tokens": "spec_decode_accepted_tokens",
}
_KNOWN = (
    "request rate configured (rps)",
    "maximum request concurrency",
    "peak output token throughput (tok/s)",
)
_LATENCY = re.compile(r"(mean|median|p[0-9.]+) (ttft|tpot|itl|e2el) \(ms\)")
_NAMES = {
    "model": "model_id",
    "tokenizer": "tokenizer_id",
    "backend": "backend",
    "num_prompts": "num_prompts",
    "request_rate": "request_rate",
    "burstiness": "burstiness",
    "max_concurrency": "max_concurrency",
    "ramp_up_strategy": "ramp_up_strategy",
}


@dataclass(frozen=True)
class Log:
    """One run as it was printed: the figures by the names of the JSON, their labels, and the arguments."""

    figures: Mapping[str, Digits]
    labels: Mapping[str, str]
    arguments: Mapping[str, str]
    unknown: tuple[str, ...]

    @property
    def values(self) -> dict[str, Any]:
        """The members that the JSON of the run would have, as far as they were printed."""
        found: dict[str, Any] = {}
        for name, key in _NAMES.items():
            value = argument(self.arguments, name)
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                found[key] = Digits(value) if value == value and abs(value) != float("inf") else str(value)
            elif value is not None:
                found[key] = str(value)
        return {**found, **self.figures}

    def hold(self, run: Point | Part) -> None:
        """Raises `RefusedError` where the log is of another run than the one that a file has."""
        for key, said in self.values.items():
            other, printed = run.values.get(key), read_number(said) if isinstance(said, Digits) else None
            number = other.number if isinstance(other, Digits) else None
            if printed is not None and number is not None:
                if not agrees(printed, number.exact):
                    raise RefusedError(
                        f"the log is of another run: it has {said} for {key}, the file has {other}"
                    )
            elif type(other) is str and printed is None and other != said:
                raise RefusedError(f"the log is of another run: its {key} is another one")

    def state(self, point: Point) -> None:
        """Puts what the arguments say of lengths, data set, sampling and warm-up."""
        state_arguments(point, lambda name: argument(self.arguments, name), frozenset(self.arguments))


def argument(arguments: Mapping[str, str], name: str) -> Any:
    """An argument as a value; None for one that is not there, is None or cannot be read."""
    text = arguments.get(name)
    if text is None:
        return None
    if text in ("inf", "nan"):
        return float(text)
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None


def results_in(content: Content) -> int:
    """How many blocks of results a log has."""
    return sum(is_head(line) for line in content.lines)


def is_head(line: str) -> bool:
    """Whether a line begins a block of results."""
    return _HEAD.fullmatch(line.strip().lower()) is not None


def read_log(content: Content) -> Log:
    """The run that a log is of. Raises `RefusedError` where it has none, or several, or one that breaks off."""
    heads = [number for number, line in enumerate(content.lines) if is_head(line)]
    if len(heads) != 1:
        raise RefusedError(
            f"the log has {len(heads)} blocks `Serving Benchmark Result`, and one run is asked for"
        )
    return _one(content.lines, heads[0], 0)


def read_logs(content: Content) -> Iterator[tuple[str, Log | str]]:
    """Every run of a log with its line, or the reason why it cannot be read."""
    start = 0
    for number, line in enumerate(content.lines):
        if is_head(line):
            try:
                yield f"line {number + 1}", _one(content.lines, number, start)
            except RefusedError as error:
                yield f"line {number + 1}", str(error)
            start = number + 1


def _one(lines: tuple[str, ...], head: int, start: int) -> Log:
    figures: dict[str, Digits] = {}
    labels: dict[str, str] = {}
    unknown: list[str] = []
    ended = False
    for line in lines[head + 1 :]:
        if line.startswith("===="):
            ended = True
            break
        found = _LINE.fullmatch(line)
        if found is None or found[2].lower() == "nan":
            continue
        key = _key(found[1].lower())
        if key is not None and read_number(found[2]) is not None:
            figures[key], labels[key] = Digits(found[2]), found[1]
        elif key is None and found[1].lower() not in _KNOWN:
            unknown.append(found[1])
    if not ended:
        raise RefusedError("the block of results breaks off: its last line is missing")
    said = [line for line in lines[start:head] if line.lstrip().startswith("Namespace(")]
    return Log(figures, labels, _arguments(said[-1].strip()) if said else {}, tuple(unknown))


def _key(label: str) -> str | None:
    latency = _LATENCY.fullmatch(label)
    return f"{latency[1]}_{latency[2]}_ms" if latency else _LABELS.get(label)


def _arguments(line: str) -> dict[str, str]:
    """The arguments of a printed `Namespace(...)`, each as it is printed."""
    body = line.removeprefix("Namespace(").removesuffix(")")
    found = {}
    for part in _split(body):
        name, separator, value = part.partition("=")
        if separator and name.strip().isidentifier():
            found[name.strip()] = value.strip()
    return found


def _split(body: str) -> Iterator[str]:
    """The parts between the commas that stand in no bracket and no quotes."""
    depth, quote, start, skip = 0, "", 0, False
    for index, letter in enumerate(body):
        if skip:
            skip = False
        elif quote:
            skip = letter == "\\"
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter in "([{<":
            depth += 1
        elif letter in ")]}>":
            depth -= 1
        elif letter == "," and depth == 0:
            yield body[start:index]
            start = index + 1
    yield body[start:]
