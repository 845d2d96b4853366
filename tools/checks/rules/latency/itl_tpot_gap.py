"""A gap between stream events that was filed as the gap between tokens."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.point import Figure, OperatingPoint, operating_point
from tools.checks.quantity import Quantity, shown
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.finding import Level

_LOW, _HIGH = 0.77, 1.3
_EXPLAINED = 0.15
_EVENT_IS_NOT_A_TOKEN = (
    "", "per_event", "per_token_zero_fill", "per_token_spread", "per_request_mean", "includes_ttft"
)  # fmt: skip


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    point = operating_point(record)
    figure = point.figure("itl_ms", "mean")
    if (
        figure is None
        or figure.approximate
        or figure.result.get("definition_variant", "") not in _EVENT_IS_NOT_A_TOKEN
    ):
        return
    per_token = _time_per_token(point)
    if per_token is None:
        return
    ratio = figure.quantity.value / per_token.value
    reach = figure.quantity.slack + per_token.slack
    if _LOW * (1 - reach) <= ratio <= _HIGH * (1 + reach) or _explains(point, figure, ratio, per_token.value):
        return
    text = f"mean ITL {figure.quantity.text} over {per_token.name} {per_token.text} = {shown(ratio)}"
    if ratio > 1:
        yield Fault(
            figure.quantity.pointer,
            f"{text}: each gap covers about {shown(ratio)} tokens, and nothing here says why",
            "if the client timed stream events, file it as inter_chunk_ms with conditions.tokens_per_event; else "
            "state the acceptance length or the stream interval",
        )
    else:
        yield Fault(
            figure.quantity.pointer,
            f"{text}: the gaps between tokens are shorter than the time per token",
            "look whether both are of the same requests, and whether the time per token includes the first one",
        )


def _time_per_token(point: OperatingPoint) -> Quantity | None:
    """Mean TPOT, else the reciprocal of the mean interactivity."""
    tpot = point.mean("tpot_ms")
    if tpot:
        return tpot._replace(name="mean TPOT") if tpot.value > 0 else None
    rate = point.mean("tok_s_per_user")
    if rate is None or rate.value <= 0:
        return None
    return Quantity("1 token /", 1 / rate.value, rate.text, rate.pointer, rate.slack)


def _explains(point: OperatingPoint, figure: Figure, ratio: float, per_token: float) -> bool:
    """Whether the record says how many tokens arrive together, or that the first token is among the gaps."""
    if figure.result.get("definition_variant") == "includes_ttft":
        ttft, length = point.mean("ttft_ms"), point.measured_length("output")
        if ttft is None or length is None or length.value <= 0:
            return True
        expected = (ttft.value / per_token + length.value - 1) / length.value
        return abs(ratio / expected - 1) <= _EXPLAINED
    accepted = point.whole("acceptance_length") or point.number("/technique/acceptance_length")
    grouped = [found for name in ("tokens_per_event", "stream_interval") if (found := point.condition(name))]
    together = [found.value for found in (accepted, *grouped) if found]
    if accepted:
        together += [accepted.value * found.value for found in grouped]
    return any(abs(ratio / tokens - 1) <= _EXPLAINED for tokens in together if tokens > 0)


RULE = Rule(
    name="itl-tpot-gap",
    level=Level.WARNING,
    summary="The gap between stream events is filed as the gap between tokens.",
    why=(
        "Inter-token latency and time per output token measure the same thing in two ways and agree in the mean, "
        "as long as each stream event carries one token. With speculative decoding or grouped streaming an event "
        "carries several, and a client that times events then reports 31 ms where a token takes 10. The larger "
        "number is the gap between chunks, a metric of its own. Nothing is said where the acceptance length, the "
        "tokens per event or the stream interval account for the factor, or where the definition says that the "
        "first token is among the samples."
    ),
    reference=(
        "sgl-project/sglang#12064, vllm-project/vllm#28183, vllm-project/vllm#42661, "
        "kubernetes-sigs/inference-perf#410"
    ),
    formula=(
        "k = mean itl_ms / mean tpot_ms (or x mean tok_s_per_user) outside 0.77 to 1.3, unless k is within 15 % of "
        "acceptance_length, tokens_per_event, stream_interval, or the first times one of the others"
    ),
    tolerance=(
        "0.77 to 1.3: the mean over tokens weighs long requests, the mean over requests does not. Client files of "
        "vLLM, SGLang and InferenceX with one token per event lie between 0.91 and 1.20; one with an acceptance "
        "length of 2.55 has k = 2.65."
    ),
    kinds=("benchmark",),
    needs=(("itl_ms",), ("tpot_ms", "tok_s_per_user")),
    check=check,
)
