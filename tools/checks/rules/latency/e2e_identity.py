"""TTFT and time per token that do not add up to the end-to-end latency."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.identities import Sum, e2e_from_parts
from tools.checks.point import OperatingPoint, operating_point
from tools.checks.quantity import Quantity, number, shown
from tools.checks.rule import Fault, Ledger, Record, Rule, Skip
from tools.finding import Level

_WARNS, _REFUSES = 0.05, 0.10
_WARNS_VARIED, _REFUSES_VARIED = 0.10, 0.25
_PARTS = ("ttft_ms", "tpot_ms", "e2e_latency_ms")


def check(record: Record, _: Ledger) -> Iterator[Fault | Skip]:
    point = operating_point(record)
    found = point.mean("e2e_latency_ms")
    if found is None or found.value <= 0 or _any_about(point):
        return
    parts = e2e_from_parts(point)
    if parts is None:
        if point.mean("ttft_ms") and point.mean("tpot_ms") and point.measured_length("output") is None:
            yield Skip(
                "/conditions/output_length", "the measured mean output length (output_length.mean, or counts)"
            )
        return
    varied = _lengths_vary(point)
    warns, refuses = (_WARNS_VARIED, _REFUSES_VARIED) if varied else (_WARNS, _REFUSES)
    allowed = parts.slack * parts.value / found.value + found.slack + _correlation(point) / found.value
    off = abs(parts.value / found.value - 1) - allowed
    if off > warns:
        level = Level.ERROR if off > refuses else Level.WARNING
        yield Fault(_suspect(point, found), _said(parts, found), _hint(varied), level=level)


def _any_about(point: OperatingPoint) -> bool:
    """Whether one of the three is marked as about, so that nothing has to add up."""
    return any(found.approximate for name in _PARTS if (found := point.figure(name, "mean")))


def _said(parts: Sum, found: Quantity) -> str:
    share = shown(100 * (parts.value / found.value - 1))
    sign = "" if share.startswith("-") else "+"
    return (
        f"TTFT + TPOT x (n - 1) = {parts.text}, but the end-to-end latency is {found.text} ({sign}{share} %)"
    )


def _hint(varied: bool) -> str:
    hint = (
        "trust the latency and the token counts, and look at the time per token: does the client count every "
        "token, and is the first token's delay left out of the gaps"
    )
    if varied:
        hint += "? Output lengths vary here, so a few long or stalled requests may explain it"
    return hint


def _suspect(point: OperatingPoint, found: Quantity) -> str:
    """The per-token time, unless the first token alone takes longer than the whole request."""
    ttft, tpot = point.mean("ttft_ms"), point.mean("tpot_ms")
    assert ttft is not None
    assert tpot is not None
    return found.pointer if ttft.value > found.value else tpot.pointer


def _lengths_vary(point: OperatingPoint) -> bool:
    """Whether the record says that requests had output lengths of their own."""
    length = point.record.get("/conditions/output_length")
    stated = length if isinstance(length, dict) else {}
    low, high, spread = (number(stated.get(name)) for name in ("min", "max", "std"))
    if spread is not None or (low is not None and high is not None):
        return bool(spread) or low != high
    if stated.get("kind") in ("cap", "upper", "mean"):
        return True
    return (
        point.record.get("/conditions/dataset_kind") in ("natural", "trace") and stated.get("kind") != "exact"
    )


def _correlation(point: OperatingPoint) -> float:
    """How far the mean of a product may lie from the product of means: std x std (Cauchy and Schwarz), in seconds."""
    spread = point.figure("tpot_ms", "std")
    length = point.condition("output_length/std")
    filed = point.figure("output_length_tokens", "std")
    lengths = length or (filed.quantity if filed else None)
    return spread.quantity.value * lengths.value if spread and lengths else 0.0


RULE = Rule(
    name="e2e-identity",
    level=Level.ERROR,
    summary="TTFT + TPOT x (n - 1) does not reach the end-to-end latency.",
    why=(
        "A request waits for its first token and then for each further one, so its latency is TTFT + TPOT x "
        "(tokens - 1) by definition, and the means of a run follow it closely. Where they do not, the client lost "
        "tokens or counted events (then the time per token is too long), put the delay of the first token among "
        "the gaps, or took the three figures from different runs. In one report a slowdown of 7 was nothing but "
        "lost tokens: both runs took 6.3 s for 1,000 tokens, one of them with '48 ms per token'. Only means add "
        "up: the p99 of each metric comes from a different request."
    ),
    reference="ray-project/llmperf#99, vllm-project/vllm#7242, vllm-project/vllm#45739",
    formula=(
        "|ttft_ms + tpot_ms x (n - 1) - e2e_latency_ms| / e2e_latency_ms, means of one run, n the measured mean "
        "output length; less std(tpot_ms) x std(n) / e2e_latency_ms where both are filed"
    ),
    tolerance=(
        "above 5 % a warning, above 10 % an error; where output lengths are said to vary 10 % and 25 %, because a "
        "mean of products is not the product of means. Of 328 MLPerf server runs 327 agree within 1.7 % (one is "
        "21 % off: its mean TPOT lies above its p99); client files with varied lengths lie between -5 % and +10 %."
    ),
    kinds=("benchmark",),
    other_levels=(Level.WARNING,),
    needs=(("e2e_latency_ms",),),
    check=check,
)
