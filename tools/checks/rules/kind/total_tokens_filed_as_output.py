"""Input plus output tokens per second, filed as output tokens per second."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.identities import Sum, requests_times_length, tokens_over_time
from tools.checks.point import OUTPUT_RATE, OperatingPoint, operating_point
from tools.checks.quantity import Quantity, shown
from tools.checks.rule import Fault, Ledger, Record, Rule, Skip
from tools.finding import Level

PER_ACCELERATOR = "output_tok_s_per_accelerator"
YARDSTICKS = ("requests_per_s", "samples_per_s", "total_tok_s")
TOLERANCE = 0.03
LEAST_GAP = 1.05


def check(record: Record, _: Ledger) -> Iterator[Fault | Skip]:
    point = operating_point(record)
    for metric in (OUTPUT_RATE, PER_ACCELERATOR):
        found = point.whole(metric)
        if found is None:
            continue
        rate = found if metric == OUTPUT_RATE else _of_all(point, found)
        if rate is None:
            yield Skip(found.pointer, "how many accelerators took part, in `hardware` of this record")
            continue
        has_yardstick = "counts" in record.value or any(point.of(name) for name in YARDSTICKS)
        pairs = list(_pairs(point)) if has_yardstick else []
        if not has_yardstick and record.get("/conditions/input_length") is not None:
            yield Skip(found.pointer, "the request rate, or tokens and duration, in `counts` of this record")
        for total, output in pairs:
            if total.agrees(rate, TOLERANCE) and rate.value > LEAST_GAP * output.value:
                yield Fault(
                    found.pointer,
                    f"{found.name} of {found.text} counts the prompts too: {total.text}; "
                    f"the output alone is {output.text}",
                    "see which tokens the source counts; a sum of input and output belongs under "
                    f"{'total_tok_s' if metric == OUTPUT_RATE else 'total_tok_s_per_accelerator'}",
                )
                break


def _of_all(point: OperatingPoint, each: Quantity) -> Quantity | None:
    parts = point.accelerators
    return each._replace(value=each.value * parts.value) if parts else None


def _pairs(point: OperatingPoint) -> Iterator[tuple[Sum, Sum]]:
    """The total and the output rate, each time from the same operands."""
    for identity in (tokens_over_time, requests_times_length):
        output = identity(point, "output")
        total = identity(point, "total") if output is not None else None
        if total is not None and output is not None:
            yield total, output
            return
    filed = point.whole("total_tok_s")
    sides = (point.length("input"), point.length("output")) if filed is not None else (None, None)
    if filed is None or sides[0] is None or sides[1] is None:
        return
    prompt, answer = sides[0].quantity.value, sides[1].quantity.value
    if prompt + answer > 0:
        share = filed.value * answer / (prompt + answer)
        text = f"{filed.text} x {shown(answer)} / ({shown(prompt)} + {shown(answer)}) = {shown(share)} tok/s"
        yield Sum(filed.value, f"total_tok_s is {filed.text}", filed.slack), Sum(share, text, filed.slack)


RULE = Rule(
    name="total-tokens-filed-as-output",
    level=Level.ERROR,
    summary="An output token rate counts the prompt tokens too.",
    why=(
        "Prompts are cheap per token and often long, so input plus output is a multiple of the output alone. Tools "
        "print a bare `tokens/s` that is the sum, and dashboards have described the sum as generated tokens. Beside "
        "the request rate, or beside the counts, the two readings come apart: one is the request rate times both "
        "lengths, the other times the output length. With very short prompts they agree, and the rule has nothing to "
        "say."
    ),
    reference=(
        "SemiAnalysisAI/InferenceX#293, vllm-project/vllm#8914, vllm-project/vllm#8231, "
        "mlcommons/inference_policies#311"
    ),
    formula=(
        "fires if tps_aggregate (or output_tok_s_per_accelerator x accelerators) = requests_per_s x (input + output "
        "length) = (input_tokens + output_tokens) / duration_s, and is above 1.05 x the output rate by the same sum"
    ),
    tolerance=(
        "3 % and the printed digits; the rates of 198 runs of SemiAnalysisAI/InferenceX follow from counts and "
        "duration to the last digit, so 3 % is left for nominal lengths. 1.05: below it the two readings are one"
    ),
    kinds=("benchmark",),
    needs=((OUTPUT_RATE, PER_ACCELERATOR),),
    check=check,
)
