"""A count that was never divided by the time."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.point import OperatingPoint, operating_point
from tools.checks.quantity import Quantity, shown
from tools.checks.rule import Fault, Ledger, Record, Rule, Skip
from tools.finding import Level

COUNTED = {
    "tps_aggregate": ("output_tokens",),
    "decode_tok_s": ("output_tokens",),
    "output_tok_s_per_accelerator": ("output_tokens",),
    "peak_output_tok_s": ("output_tokens",),
    "input_tok_s": ("input_tokens",),
    "prefill_tok_s": ("input_tokens",),
    "input_tok_s_per_accelerator": ("input_tokens",),
    "total_tok_s": ("input_tokens", "output_tokens"),
    "total_tok_s_per_accelerator": ("input_tokens", "output_tokens"),
    "requests_per_s": ("completed",),
    "samples_per_s": ("completed",),
    "tok_s_per_user": ("output_tokens",),
    "tok_s_per_user_e2e": ("output_tokens",),
}
SAME_COUNT = 0.01
ONE_SECOND = (0.9, 1.1)


def check(record: Record, _: Ledger) -> Iterator[Fault | Skip]:
    point = operating_point(record)
    duration = point.count("duration_s", "s")
    for metric, names in COUNTED.items():
        found = point.whole(metric)
        if found is None or (metric.startswith("tok_s_per_user") and record.get("/counts/completed") != 1):
            continue
        count = next((sum_ for sum_ in _counts(point, metric, names) if _is_same(found, sum_)), None)
        if count is None:
            continue
        if duration is None or duration.value <= 0:
            yield Skip(found.pointer, "`duration_s`, in `counts` of this record")
        elif not ONE_SECOND[0] <= duration.value <= ONE_SECOND[1]:
            rate = shown(count.value / duration.value)
            yield Fault(
                found.pointer,
                f"{metric} of {found.text} is the count itself, not divided by the {duration.text} of the run: "
                f"{count.text} / {duration.text} = {rate} per second",
                "see whether the source prints a count or a rate, and over which window",
            )


def _is_same(found: Quantity, count: Quantity) -> bool:
    return abs(found.value / count.value - 1) <= SAME_COUNT


def _counts(point: OperatingPoint, metric: str, names: tuple[str, ...]) -> Iterator[Quantity]:
    """The count that belongs to a rate, in words; that of one accelerator where the rate is per accelerator."""
    counts = [count for name in names if (count := point.count(name) or _tokens(point, name)) is not None]
    total = sum(count.value for count in counts)
    if len(counts) < len(names) or total <= 0:
        return
    text = " + ".join(f"{count.name} {count.text}" for count in counts)
    yield Quantity(names[-1], total, text, counts[0].pointer)
    parts = point.accelerators
    if metric.endswith("_per_accelerator") and parts is not None and parts.value > 0:
        yield Quantity(names[-1], total / parts.value, f"{text} / {parts.text}", counts[0].pointer)


def _tokens(point: OperatingPoint, name: str) -> Quantity | None:
    """Tokens of one side where only their mean per request is filed: completed requests x that."""
    side, _, what = name.partition("_")
    completed, length = point.count("completed"), point.measured_length(side) if what == "tokens" else None
    if completed is None or length is None:
        return None
    text = f"{completed.text} x {length.text} = {shown(completed.value * length.value)}"
    return Quantity(name, completed.value * length.value, text, completed.pointer)


RULE = Rule(
    name="count-filed-as-rate",
    level=Level.ERROR,
    summary="A rate is a count that was not divided by the time.",
    why=(
        "A load tester printed, for a single request, the number of generated tokens as tokens per second; a "
        "scheduler divided a running total by the time of its last step. Both look like rates. With the counts and "
        "the duration of the run in the record the slip shows: the rate is the count, and the run did not take a "
        "second. A rate that its counts and duration do not give for another reason is told by "
        "rate-does-not-recompute."
    ),
    reference="modelscope/evalscope#1076, allenai/open-instruct#1032",
    formula=(
        "fires if a rate = its count (output_tokens, input_tokens, their sum, completed; per accelerator also that "
        "/ accelerators) and duration_s is outside 0.9 to 1.1 s; per user: only for a single request"
    ),
    tolerance=(
        "1 %, which leaves room for a failed request or a token more or less; none of 198 runs of "
        "SemiAnalysisAI/InferenceX has a rate within 1 % of its count"
    ),
    kinds=("benchmark",),
    needs=(tuple(COUNTED), ("/counts",)),
    check=check,
)
