"""Completed and failed requests that do not add up to those sent."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.point import operating_point
from tools.checks.quantity import shown
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.finding import Level


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    point = operating_point(record)
    sent = point.count("requests")
    if sent is None:
        return
    completed, failed = point.count("completed"), point.count("failed")
    ended = [(name, found) for name, found in (("completed", completed), ("failed", failed)) if found]
    total = sum(found.value for _name, found in ended)
    text = " + ".join(f"{found.text} {name}" for name, found in ended)
    if total > sent.value:
        yield Fault(
            sent.pointer,
            f"{text} = {shown(total)} requests, but {sent.text} were sent",
            "look whether warm-up requests or retries are in one of the counts",
        )
    elif len(ended) == 2 and total < sent.value:
        yield Fault(
            sent.pointer,
            f"{text} = {shown(total)} requests, and {shown(sent.value - total)} of the {sent.text} sent are missing",
            "look whether they were cut off at the end of the run; if so, acknowledge it",
            level=Level.WARNING,
        )
    rate = point.whole("error_rate")
    if rate and failed and sent.value > 0:
        share = failed.value / sent.value
        if abs(rate.value - share) > max(rate.slack * rate.value, 0.5 / sent.value):
            yield Fault(
                rate.pointer,
                f"{failed.text} failed / {sent.text} sent = {shown(share)}, but error_rate says {rate.text}",
                "look which requests the source counts in its error rate",
            )


RULE = Rule(
    name="request-counts-disagree",
    level=Level.ERROR,
    summary="Completed and failed requests do not add up to those sent.",
    why=(
        "Each request that was sent ended well, failed, or was cut off at the end. More ends than requests means "
        "that one of the counts has something else in it (warm-up, retries, another run), and every mean that "
        "divides by it is off. Fewer are possible where a run is stopped by the clock, so that is asked about. The "
        "share of failures is the quotient of two of them."
    ),
    reference="vllm-project/vllm and vllm-project/guidellm result files (completed, failed, incomplete)",
    formula="counts.completed + counts.failed <= counts.requests; error_rate = counts.failed / counts.requests",
    tolerance="none for counts; half a request or the printed digits for the rate",
    kinds=("benchmark",),
    other_levels=(Level.WARNING,),
    needs=(("/counts/requests",),),
    check=check,
)
