"""Prompts per second, filed as prompt tokens per second."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.identities import Sum, request_rate
from tools.checks.point import Figure, OperatingPoint, operating_point
from tools.checks.quantity import Quantity, shown
from tools.checks.rule import Fault, Ledger, Record, Rule, Skip
from tools.finding import Level

OF_PREFILL = ("prefill_tok_s", "input_tok_s_per_prefill_accelerator")
WALL_CLOCK = ("input_tok_s", "input_tok_s_per_accelerator")
TIMES = ("prefill_latency_ms", "ttft_ms")
TYPICAL = ("mean", "", "unstated", "p50")
LEAST_LENGTH = 4
TOLERANCE = 0.03


def check(record: Record, _: Ledger) -> Iterator[Fault | Skip]:
    point = operating_point(record)
    for metric in (*OF_PREFILL, *WALL_CLOCK):
        figure = point.figure(metric)
        parts = _parts(point, metric) if figure is not None else None
        if figure is None or figure.quantity.value <= 0 or parts is None:
            continue
        length = point.length("input")
        filed = figure.quantity._replace(value=figure.quantity.value * parts)
        prompts = next((found for found in _prompts(point, metric) if found.agrees(filed, TOLERANCE)), None)
        if prompts is None:
            continue
        if length is None:
            yield Skip(filed.pointer, "the input length, in `conditions` of this record")
        elif length.quantity.value > LEAST_LENGTH:
            yield _fault(figure, prompts, length.quantity)


def _fault(figure: Figure, prompts: Sum, length: Quantity) -> Fault:
    tokens = prompts.value * length.value
    return Fault(
        figure.quantity.pointer,
        f"{figure.metric} of {figure.quantity.text} counts prompts, not their tokens: {prompts.text}; with "
        f"{shown(length.value)} tokens each that is {shown(tokens)} tok/s",
        "see what the source divides by the time; a rate of prompts is a request rate",
    )


def _prompts(point: OperatingPoint, metric: str) -> Iterator[Sum]:
    """The rates at which prompts are processed that the record allows to compute, in prompts per second."""
    batch = point.condition("batch_size", "prompts") or point.condition("concurrency", "prompts")
    # Over the wall clock, prompts per time to first token may equal the input rate by chance.
    for time_metric in TIMES if metric in OF_PREFILL else ():
        figure = point.figure(time_metric, *TYPICAL)
        if batch is not None and figure is not None and figure.quantity.value > 0:
            time = figure.quantity
            rate = batch.value / time.value
            yield Sum(rate, f"{batch.text} / {time_metric} {time.text} = {shown(rate)} prompts/s", time.slack)
    requests = request_rate(point)
    if requests is not None and requests.value > 0:
        yield Sum(requests.value, f"the request rate is {requests.text}", requests.slack)


def _parts(point: OperatingPoint, metric: str) -> float | None:
    """How many accelerators the rate is counted per; None where that is not known."""
    if metric.endswith("_per_prefill_accelerator"):
        pool = point.number("/disaggregation/prefill_accelerators")
        return pool.value if pool else None
    if metric.endswith("_per_accelerator"):
        return point.accelerators.value if point.accelerators else None
    return 1


RULE = Rule(
    name="prefill-rate-missing-length",
    level=Level.ERROR,
    summary="A prefill rate counts prompts instead of their tokens.",
    why=(
        "Some benchmarks divide the batch size by the prefill latency and print tokens per second, because prefill "
        "yields one new token for each prompt. Readers expect prompt tokens, which is the same figure times the input "
        "length: a factor of thousands. The record has the batch and the latency, so the missing factor shows."
    ),
    reference="huggingface/text-generation-inference#849",
    formula=(
        "fires if prefill_tok_s = batch_size / ttft_ms (or prefill_latency_ms), or an input rate = requests_per_s, "
        "and the input length is above 4 tokens; expected is that x input length"
    ),
    tolerance="3 % and the printed digits; with prompts of up to 4 tokens the two readings are too close to tell",
    kinds=("benchmark",),
    needs=((*OF_PREFILL, *WALL_CLOCK),),
    check=check,
)
