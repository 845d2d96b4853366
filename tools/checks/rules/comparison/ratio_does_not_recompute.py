"""A printed ratio or percentage that its own operands do not give."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.quantity import number, rounding, shown
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules.comparison.operands import operands_of_claim, operands_of_speedups
from tools.checks.sides import COMPARED, Comparison, comparisons
from tools.checks.span import Span, gain_of, in_words
from tools.finding import Level

_POINT = 0.01
"""One percentage point: what a claim may miss of the interval that its operands span."""


def check(record: Record, ledger: Ledger) -> Iterator[Fault]:
    for comparison in comparisons(record, ledger):
        if comparison.result is None:
            yield from _claim(comparison)
    for pointer, printed, pairs in operands_of_speedups(record, comparisons(record, ledger)):
        if gain_of(printed, pairs) is None:
            yield from _ratio(f"{pointer}/value", printed, pairs)


def _claim(comparison: Comparison) -> Iterator[Fault]:
    operands = operands_of_claim(comparison)
    if operands is None:
        return
    quotients = [operands[0].over(operands[1]), operands[1].over(operands[0])]
    ratio = number(comparison.said.get("claimed_ratio"))
    if ratio is not None:
        yield from _ratio(f"{comparison.pointer}/claimed_ratio", ratio, quotients)
    change = comparison.said.get("claimed_change_percent")
    percent = number(change)
    if percent is None or not isinstance(change, (int, float)):
        return
    best = min(quotients, key=lambda quotient: quotient.distance(1 + percent / 100))
    if best.distance(1 + percent / 100) > max(_POINT, rounding(change) / 100) + 1e-9:
        low, high = (best.low - 1) * 100, (best.high - 1) * 100
        yield Fault(
            f"{comparison.pointer}/claimed_change_percent",
            f"{best.text} - 1 = {(best.value - 1) * 100:+.2f} % ({low:+.2f} to {high:+.2f} with the digits printed), "
            f"but the claim is {percent:+g} %",
            _hint(min(quotient.distance(1 - percent / 100) for quotient in quotients) <= _POINT),
        )


def _hint(turned: bool) -> str:
    if turned:
        return "looks like the sign: a reduction is a negative change"
    return "look at all three numbers in the source and keep them as printed; never mend one from the others"


def _ratio(pointer: str, printed: float, quotients: list[Span]) -> Iterator[Fault]:
    """A fault unless one of the quotients gives the ratio; the nearest one is told."""
    quotients = [quotient for quotient in quotients if quotient.value > 0]
    if not quotients or not printed > 0:
        return
    best = min(quotients, key=lambda quotient: quotient.distance(printed) / quotient.value)
    if best.distance(printed) > max(_POINT * best.value, rounding(printed)) + 1e-9:
        yield Fault(pointer, f"{in_words(best)}, but the ratio says {shown(printed)}", _hint(False))


RULE = Rule(
    name="ratio-does-not-recompute",
    level=Level.ERROR,
    summary="A ratio or percentage does not follow from the two numbers it is made of.",
    why=(
        "A table claimed a reduction by 33.1 % while its own columns give 31.6 %; in a post the ratios of the prose "
        "were right and the table beneath them was wrong, which only the division showed. Wherever the ledger holds "
        "both operands of a ratio, it is divided again: the two sides of a comparison, a speedup beside the rate of "
        "its run and the figure of its baseline, and a speedup whose baseline is a record. Printed digits are "
        "taken for the interval they stand for, so two-digit operands forgive a lot. Which of the three numbers is "
        "wrong is for the source to say."
    ),
    reference="TencentCloud/TencentDB-Agent-Memory#813, lm-sys/lm-sys.github.io#392",
    formula=(
        "claimed ratio = a / b and claimed change = a / b - 1 in either order, with a and b each half a unit of its "
        "last digit up or down; speedup_ratio = rate / baseline rate, or baseline latency / latency"
    ),
    tolerance=(
        "one percentage point outside the interval (1 % of a ratio), half a unit of the claim's own last digit, "
        "and 3 % where an operand comes from another record: both from the catalogue of public cases"
    ),
    kinds=("benchmark",),
    needs=(COMPARED,),
    check=check,
)
