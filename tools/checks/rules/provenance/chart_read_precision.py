"""A value read off a picture with digits that no eye can read."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.point import Figure, operating_point
from tools.checks.quantity import number, rounding, shown
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.setting import significant_digits
from tools.finding import Level
from tools.records.parse import Json

MOST_DIGITS = 3
_GUARD = 10
"""A value is written with one digit more than its uncertainty reaches, so as not to lose any in rounding."""
_CHART = "chart"


def check(record: Record, ledger: Ledger) -> Iterator[Fault]:
    general = [*record.mappings("/sources")]
    told: set[str] = set()
    for figure in operating_point(record).figures:
        own = [*record.mappings(f"{figure.pointer}/sources")] if "sources" in figure.result else []
        cited = own or general
        charts = [(pointer, citation) for pointer, citation in cited if citation.get("read_from") == _CHART]
        if not charts or any(citation.get("read_from") != _CHART for _, citation in cited):
            continue
        tolerance = number(figure.result.get("tolerance")) or number(charts[0][1].get("tolerance"))
        pointer, citation = charts[0]
        fault = _too_fine(figure, tolerance)
        if fault:
            told.add(pointer)
            yield fault
        lacking = [] if tolerance else ["a tolerance"]
        if not _is_dated(citation, ledger):
            lacking.append("the day it was read or a digest of the picture")
        if lacking and pointer not in told:
            told.add(pointer)
            yield Fault(
                f"{pointer}/read_from",
                f"read off a chart without {' and '.join(lacking)}",
                "state the reading error as `tolerance`, in the unit of the value, and keep the picture's SHA-256 as "
                "`artifact_sha256`: figures are replaced without notice",
            )


def _too_fine(figure: Figure, tolerance: float | None) -> Fault | None:
    """A fault for a fourth digit, unless the stated reading error is at most ten units of the last one."""
    digits = significant_digits(figure)
    if digits <= MOST_DIGITS:
        return None
    value = figure.result["value"]
    assert isinstance(value, (int, float))
    if tolerance is not None and tolerance <= _GUARD * 2 * rounding(value) * (1 + 1e-9):
        return None
    error = f"with a reading error of {shown(tolerance)}" if tolerance else "by eye"
    return Fault(
        figure.quantity.pointer,
        f"{value} has {digits} significant digits, read off a chart {error}",
        f"file {float(f'{value:.{MOST_DIGITS}g}'):g}, what an eye can read; or cite the table the digits come from",
    )


def _is_dated(citation: dict[str, Json], ledger: Ledger) -> bool:
    """Whether it is known which state of the picture was read: by its digest or an archived copy, or by the day."""
    if any(key in citation for key in ("artifact_sha256", "accessed")):
        return True
    source = citation.get("source_id")
    found = ledger.value(source) if isinstance(source, str) else None
    return bool(found and any(key in found for key in ("artifact_sha256", "archived", "accessed")))


RULE = Rule(
    name="chart-read-precision",
    level=Level.WARNING,
    summary="A value read off a chart has too many digits, no tolerance, or nobody knows which picture.",
    why=(
        "An eye reads two or three digits off a bar. A value with five lends the picture a precision it never had, and "
        "outlives it: figures of posts are replaced without notice when their first set-up turns out wrong. So a value "
        "read from a chart has at most three significant digits, says how far the reading may be off, and which state "
        "of the picture was read: best by its digest, at least by the day. A table, once there is one, supersedes it. "
        "Digits taken from drawing coordinates are as fine as the tolerance stated with them."
    ),
    reference="vllm-project/vllm-project.github.io#294, ray-project/llmperf-leaderboard#15",
    formula=(
        "read_from chart: significant digits <= 3, or tolerance <= 10 units of the last digit; `tolerance` is stated, "
        "and `artifact_sha256` or `accessed`, by the citation or its source"
    ),
    tolerance=(
        "3 digits: a chart of some hundred pixels resolves about 0.3 %. Ratios read from drawing coordinates in a "
        "published study (308 figures, three decimals, reading error 0.005) have one digit beyond their error, which "
        "is allowed"
    ),
    kinds=("benchmark",),
    check=check,
)
