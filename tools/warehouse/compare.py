"""Two benchmarks side by side: comparable, after which conversion, or not, and what their figures make of it.

The judgement is the warehouse's macro `comparable` and its parts `differences` and `common_results`: one
implementation, which SQL, the saved question `may-i-compare` and this command share. The rules about comparisons that
records claim (`tools.checks.sides`) judge before there is a database, by the fields that a claim names; a test holds
the two together: what the rules call a difference of two runs is one here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tools.checks.reports.words import Style, flat
from tools.errors import ToolsError
from tools.schema.spelling import nearest
from tools.warehouse.table_text import as_json, table

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

COMPARABLE, CONVERTED, CANNOT_SAY = "comparable", "comparable after conversion", "cannot say"
_MEANINGFUL = (COMPARABLE, CONVERTED)

_APART = """
SELECT x.metric, x.statistic, x.value, x.unit, x.scope, x.token_kind, x.window_kind, x.power_basis, x.is_point,
    y.metric, y.statistic, y.value, y.unit, y.scope, y.token_kind, y.window_kind, y.power_basis, y.is_point
FROM results x JOIN results y ON y.record_id = $b AND y.unit = x.unit
WHERE x.record_id = $a AND (y.metric = x.metric OR (x.direction = 'higher' AND y.direction = 'higher'))
    AND NOT EXISTS (
        FROM common_results($a, $b) c
        WHERE (c.metric_a = x.metric AND c.statistic IS NOT DISTINCT FROM x.statistic)
            OR (c.metric_b = y.metric AND c.statistic IS NOT DISTINCT FROM y.statistic))
ORDER BY x.result_index, y.result_index
"""
_KINDS = ("metric", "statistic", "value", "unit", "scope", "token kind", "window", "power basis", "point")
_NAMED = ("statistic", "scope", "token kind", "window", "power basis")


@dataclass(frozen=True, slots=True)
class Difference:
    """A condition in which the two do not agree; `must_agree` says whether that forbids the comparison."""

    field: str
    must_agree: bool
    a: str | None
    b: str | None
    relation: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure that both have, after its conversion; `ratio` is a over b."""

    metric: str
    statistic: str | None
    unit: str
    a: float
    b: float
    conversion: str
    ratio: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """What there is to say of two benchmarks. `apart` tells of figures of one unit that are of different kinds."""

    a: str
    b: str
    verdict: str
    differences: tuple[Difference, ...]
    figures: tuple[Figure, ...]
    apart: tuple[str, ...]
    remarks: tuple[str, ...]

    @property
    def has_ratio(self) -> bool:
        """Whether a ratio of the figures means something."""
        return self.verdict in _MEANINGFUL


def compare(connection: DuckDBPyConnection, a: str, b: str) -> Comparison:
    """Two benchmarks compared. Raises `ToolsError` where one of them is not in the warehouse, or they are the same."""
    ids = [str(row[0]) for row in connection.execute("SELECT record_id FROM benchmarks").fetchall()]
    for record_id in (a, b):
        if record_id not in ids:
            near = nearest(record_id, ids)
            raise ToolsError(
                f"there is no benchmark `{record_id}` in the warehouse",
                f"did you mean `{near}`?" if near else '`tools sql "FROM benchmarks"` lists them',
            )
    if a == b:
        raise ToolsError("a benchmark is not compared with itself", "name two of them")
    both = {"a": a, "b": b}
    verdict = connection.execute("SELECT verdict FROM comparable($a, $b)", both).fetchone()
    assert verdict is not None
    differing = connection.execute(
        "SELECT field, class = 'must', a_value, b_value, relation FROM differences($a, $b) "
        "WHERE relation <> 'same' AND class <> 'irrelevant' ORDER BY class <> 'must', relation <> 'differs', field",
        both,
    ).fetchall()
    figures = connection.execute(
        "SELECT metric_a, statistic, unit, a_value, b_value, conversion, ratio "
        "FROM common_results($a, $b) ORDER BY ALL",
        both,
    ).fetchall()
    remarks = connection.execute(
        "SELECT format('{} is {}', record_id, unusable) FROM operating_points "
        "WHERE record_id IN ($a, $b) AND unusable IS NOT NULL ORDER BY record_id",
        both,
    ).fetchall()
    return Comparison(
        a,
        b,
        str(verdict[0]),
        tuple(Difference(*row) for row in differing),
        tuple(Figure(*row) for row in figures),
        tuple(_apart(row) for row in connection.execute(_APART, both).fetchall()),
        tuple(str(row[0]) for row in remarks),
    )


def _apart(row: tuple[Any, ...]) -> str:
    one = dict(zip(_KINDS, row[:9], strict=True))
    other = dict(zip(_KINDS, row[9:], strict=True))
    named = [
        f"{kind} {_word(one[kind])} and {_word(other[kind])}" for kind in _NAMED if one[kind] != other[kind]
    ]
    if not (one["point"] and other["point"]):
        named.append("a bound of a range, which is no measured point")
    kinds = ", ".join(named) or "different definitions"
    return f"{one['metric']} and {other['metric']} ({one['unit']}): {kinds}"


def _word(value: Any) -> str:
    return "not stated" if value is None else str(value)


def compare_text(found: Comparison, style: Style) -> str:
    """The comparison for a person."""
    role = {COMPARABLE: "good", CONVERTED: "good", CANNOT_SAY: "warning"}.get(found.verdict, "error")
    lines = [
        f"a  {flat(found.a)}",
        f"b  {flat(found.b)}",
        "",
        style(_sentence(found), role),
        *_blocks(found, style),
    ]
    return "\n".join(lines) + "\n"


def _sentence(found: Comparison) -> str:
    conversions = sorted({figure.conversion for figure in found.figures if figure.conversion != "none"})
    forbidding = [item.field for item in found.differences if item.must_agree and item.relation == "differs"]
    missing = [item.field for item in found.differences if item.must_agree and item.relation != "differs"]
    if found.verdict == CONVERTED:
        return f"comparable after conversion: {'; '.join(conversions)}"
    if found.verdict == CANNOT_SAY:
        return f"the ledger cannot say, because not both state {', '.join(missing)}"
    if found.verdict == COMPARABLE:
        return "comparable"
    if not forbidding:
        return "not comparable: no figure in common"
    return f"not comparable: {', '.join(forbidding)} {'differs' if len(forbidding) == 1 else 'differ'}"


def _blocks(found: Comparison, style: Style) -> Iterator[str]:
    if found.differences:
        rows = [
            (
                item.field,
                "must agree" if item.must_agree else "may differ if said",
                item.a,
                item.b,
                item.relation,
            )
            for item in found.differences
        ]
        yield from ("", *table(("condition", "", "a", "b", ""), rows, style))
    if found.figures:
        rows = [
            (f.metric, f.statistic, f.unit, f.a, f.b, *((f.ratio,) if found.has_ratio else ()))
            for f in found.figures
        ]
        names = ("figure", "statistic", "unit", "a", "b", *(("a / b",) if found.has_ratio else ()))
        yield from ("", *table(names, rows, style))
        if not found.has_ratio:
            yield "no ratio: it would say more about the conditions than about the systems"
    for line in (*found.apart, *found.remarks):
        yield f"note: {flat(line)}"


def compare_json(found: Comparison) -> dict[str, Any]:
    """The comparison for a program; `ratio` is null where it means nothing."""
    return {
        "a": found.a,
        "b": found.b,
        "verdict": found.verdict,
        "differences": [
            {"field": d.field, "must_agree": d.must_agree, "a": d.a, "b": d.b, "relation": d.relation}
            for d in found.differences
        ],
        "figures": [
            {
                "metric": f.metric,
                "statistic": f.statistic,
                "unit": f.unit,
                "a": f.a,
                "b": f.b,
                "conversion": f.conversion,
                "ratio": f.ratio if found.has_ratio else None,
            }
            for f in found.figures
        ],
        "kinds_that_differ": as_json(list(found.apart)),
        "remarks": list(found.remarks),
    }
