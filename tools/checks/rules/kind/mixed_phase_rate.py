"""The rate of prompt and generated tokens timed together, filed as a rate of one of the two."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tools.checks.identities import mixed_phase
from tools.checks.point import OperatingPoint, operating_point
from tools.checks.quantity import Quantity
from tools.checks.rule import Fault, Ledger, Record, Rule, Skip
from tools.finding import Level

GENERATION = ("tps_aggregate", "decode_tok_s", "tok_s_per_user", "tok_s_per_user_e2e")
PHASES = ("prefill_tok_s", "decode_tok_s")
MIXED = "mixed_phase_tok_s"
TOLERANCE = 0.25
LEAST_OVER_DECODE = 1.3
_LABEL = re.compile(r"\bpp ?([0-9]+) ?\+ ?tg ?([0-9]+)\b", re.IGNORECASE)


def check(record: Record, _: Ledger) -> Iterator[Fault | Skip]:
    test = record.text("/conditions/test")
    label = _LABEL.search(test) if test is not None else None
    point = operating_point(record)
    decode = point.whole("decode_tok_s")
    if label is None and decode is None:
        return
    lengths = (float(label[1]), float(label[2])) if label else _lengths(point)
    mix = mixed_phase(point, *lengths) if lengths is not None and sum(lengths) > 0 else None
    for metric in (*GENERATION, "prefill_tok_s"):
        found = point.whole(metric)
        if found is None:
            continue
        is_fast = decode is not None and found.value > LEAST_OVER_DECODE * decode.value
        if metric in GENERATION and is_fast and mix is not None and mix.agrees(found, TOLERANCE):
            assert decode is not None
            yield _fault(
                found, f"near that of both phases together, {mix.text}; decoding alone is {decode.text}"
            )
        elif label is not None and _is_labelled(point, metric):
            yield _fault(
                found, f"that of the test {label[0]}, which times prompt and generated tokens together"
            )
        elif metric in GENERATION and is_fast and lengths is None and point.of("prefill_tok_s"):
            yield Skip(found.pointer, "input and output length, in `conditions` of this record")


def _is_labelled(point: OperatingPoint, metric: str) -> bool:
    """Whether the label of a mixed test is about this metric: not where both phases, or the mixture, have their own."""
    if point.of(MIXED):
        return False
    return metric not in PHASES or not all(point.of(phase) for phase in PHASES)


def _lengths(point: OperatingPoint) -> tuple[float, float] | None:
    prompt, generated = point.length("input"), point.length("output")
    if prompt is None or generated is None:
        return None
    return prompt.quantity.value, generated.quantity.value


def _fault(found: Quantity, why: str) -> Fault:
    return Fault(
        found.pointer,
        f"{found.name} of {found.text} is {why}",
        "see what the test times; the rate of a prompt and its answer together is mixed_phase_tok_s",
    )


RULE = Rule(
    name="mixed-phase-rate",
    level=Level.ERROR,
    summary="A rate of prompt and generated tokens together is filed as generation or prefill speed.",
    why=(
        "A popular micro-benchmark has a mode that times N prompt tokens and M generated tokens together and prints "
        "one rate. Prompts go through many times faster than answers, so that rate lies between the two and depends "
        "on N and M more than on the machine: about 600 where prompts run at 4900 and generation at 166. It has a "
        "metric of its own, mixed_phase_tok_s, and cannot be compared with a decode rate."
    ),
    reference="ggml-org/llama.cpp#7199, noonghunna/club-3090#132",
    formula=(
        "mix = (p + g) / (p / prefill_tok_s + g / decode_tok_s); fires if a generation rate = mix (25 %) and is above "
        "1.3 x decode_tok_s, or if the label of the test has the form ppN+tgM"
    ),
    tolerance=(
        "25 %, because the two phases of the mixed test need not run at the speed they have alone; 1.3 keeps away "
        "from generation tests, where output and decode rate coincide"
    ),
    kinds=("benchmark",),
    needs=(("/conditions/test", "decode_tok_s"), (*GENERATION, "prefill_tok_s")),
    check=check,
)
