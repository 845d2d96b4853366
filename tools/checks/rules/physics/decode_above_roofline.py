"""Tokens generated faster than the weights can be read from memory."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks import limits
from tools.checks.limits import Lack
from tools.checks.point import WHOLE_RUN, Figure, OperatingPoint, operating_point
from tools.checks.quantity import Quantity, shown
from tools.checks.recount import borne_out
from tools.checks.rule import Fault, Ledger, Record, Rule, Skip
from tools.checks.thousandfold import latency_slip
from tools.finding import Level
from tools.roofline.accelerator import GB

_OF_SYSTEM = ("tps_aggregate", "decode_tok_s", "decode_rate_sum_tok_s")
_EACH = "tok_s_per_accelerator"
_OF_ACCELERATOR = (f"output_{_EACH}", f"decode_{_EACH}", "output_tok_s_per_decode_accelerator")
_OF_USER = ("tok_s_per_user", "tok_s_per_user_e2e")
_TIMES = ("tpot_ms", "itl_ms", "normalized_latency_ms_per_token")
_STEP = "step_time_ms"
_CENTRAL = (*WHOLE_RUN, "p50")
_TOLERANCE = 0.05
_IN_CACHE = 1.0 * GB
_HINT = (
    "look whether every counted token was generated (early stops, padding, prompt tokens), in which unit the figure "
    "is, and whether it covers one accelerator or all"
)


def check(record: Record, ledger: Ledger) -> Iterator[Fault | Skip]:
    point = operating_point(record)
    rates = borne_out(point, *_OF_SYSTEM, *_OF_ACCELERATOR)
    users = [found for name in (*_OF_USER, *_TIMES, _STEP) if (found := point.figure(name, *_CENTRAL))]
    if not rates and not users:
        return
    read = limits.weights_read(point, ledger)
    if isinstance(read, Lack):
        yield Skip((rates or users)[0].quantity.pointer, read.what)
    elif read.value >= _IN_CACHE:
        batch = limits.requests(point) if rates else None
        # Without a fixed load the requests of a step are open; arithmetic still bounds the rate.
        for figures, served in ((rates if batch else [], batch), (users, 1.0)):
            answers = [answer for figure in figures if (answer := _judge(figure, point, ledger, served))]
            # One cause makes several figures too fast: the first is named, a missing fact only where none is.
            if answers and (figures is rates or not latency_slip(point)):
                yield min(answers, key=lambda answer: isinstance(answer, Skip))


def _judge(
    figure: Figure, point: OperatingPoint, ledger: Ledger, served: Quantity | float | None
) -> Fault | Skip | None:
    quantity, name = figure.quantity, figure.metric
    count = 1.0 if name in _OF_ACCELERATOR else (point.accelerators.value if point.accelerators else None)
    if quantity.value <= 0 or served is None:
        return None
    if count is None:
        return Skip(quantity.pointer, "`hardware.accelerator_count` of the run")
    if name == _STEP:
        limit = limits.decode_step(point, ledger, count)
    else:
        limit = limits.decode_rate(point, ledger, served, count)
    if isinstance(limit, Lack):
        return Skip(quantity.pointer, limit.what)
    if limit.value <= 0:
        return None
    is_time = name in _TIMES or name == _STEP
    rate = 1 / quantity.value if is_time else quantity.value
    over = rate * limit.value if name == _STEP else rate / limit.value
    tolerated = 1 + _TOLERANCE + quantity.slack + limit.slack
    if over <= tolerated:
        return None
    if (name in _TIMES or name in _OF_USER) and over <= tolerated * _tokens_per_event(point):
        return None
    says = f"{name} says {quantity.text}"
    if name in _TIMES:
        says += f", {shown(rate)} tok/s for each request"
    return Fault(
        quantity.pointer,
        f"{limit.text} is the {'shortest' if name == _STEP else 'most'} that memory allows, but {says}: "
        f"{shown(over)} times as fast",
        _HINT,
    )


def _tokens_per_event(point: OperatingPoint) -> float:
    """Tokens that arrive together where the server collects them: the first event then hides their time."""
    interval = point.condition("stream_interval")
    return interval.value if interval else 1.0


RULE = Rule(
    name="decode-above-roofline",
    level=Level.ERROR,
    summary="Tokens were generated faster than memory can deliver the weights.",
    why=(
        "A decode step reads every active weight once, however many requests it serves, so bandwidth sets a floor "
        "under its time and a ceiling over the rate: requests x bandwidth x accelerators / bytes of active "
        "weights, times the tokens a step emits in speculative decoding. A run above it did not happen as filed: "
        "generation stopped early and padding was counted, prompt tokens were counted as output, seconds were read "
        "as milliseconds, a node's rate was filed for one part. Weights below 1 GB are left alone, since a large "
        "cache may hold them, and so are look-up tables: the input embedding is not read as a whole."
    ),
    reference="premAI-io/benchmarks#187, AlexsJones/llmfit#1038, 0xBakeer/inference-atlas#24",
    formula=(
        "tps_aggregate (decode_tok_s, the same per accelerator) <= requests x tokens per step x bandwidth x "
        "accelerators / bytes of active weights; tok_s_per_user, 1 / tpot_ms and 1 / itl_ms likewise with one "
        "request; step_time_ms >= bytes of active weights / (bandwidth x accelerators)"
    ),
    tolerance=(
        "5 % and the printed digits. In 838 serving runs of the ML.ENERGY leaderboard the fastest reached 0.76 of "
        "the limit, in 47 InferenceX rows 0.05, in the llama.cpp tables of "
        "XiongjieDai/GPU-Benchmarks-on-LLM-Inference 0.84; the 8 rows of premAI-io/benchmarks above it (1.08 to "
        "1.72) are faults of that source."
    ),
    kinds=("benchmark",),
    needs=((*_OF_SYSTEM, *_OF_ACCELERATOR, *_OF_USER, *_TIMES, _STEP),),
    check=check,
)
