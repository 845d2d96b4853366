"""Parameter counts that the shape of the model does not give."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.quantity import number, shown
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.finding import Level
from tools.roofline import model
from tools.roofline.accelerator import GB

_OF_SUM = 0.01
_OF_PUBLISHED = 0.03
_HINT = (
    "look at layers, hidden size, intermediate sizes, experts, vocabulary and tied embeddings; a count that is taken "
    "from a name is often rounded"
)


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    parameters = record.get("/parameters")
    if not isinstance(parameters, dict):
        return
    counts = model(record.value).counts
    if counts is None:
        return
    for name, summed in (("total", counts.total / GB), ("active", counts.active / GB)):
        carried = number(parameters.get(f"{name}_computed_b"))
        if carried and abs(summed / carried - 1) > _OF_SUM:
            yield Fault(
                f"/parameters/{name}_computed_b",
                f"the shape of this record sums to {shown(summed)} x 10^9 {name} parameters, not {shown(carried)}",
                _HINT,
            )
            return
    for name, summed in (("total", counts.total / GB), ("active", counts.active / GB)):
        stated = number(parameters.get(f"{name}_b"))
        if stated and abs(summed / stated - 1) > _OF_PUBLISHED and "note" not in parameters:
            yield Fault(
                f"/parameters/{name}_b",
                f"the shape of this record sums to {shown(summed)} x 10^9 {name} parameters, {name}_b says "
                f"{shown(stated)} ({shown(stated / summed)} of it)",
                f"{_HINT}; where the publisher counts otherwise, say how in `parameters.note`",
                level=Level.WARNING,
            )
            return


RULE = Rule(
    name="parameters-do-not-recompute",
    level=Level.ERROR,
    summary="A parameter count does not follow from the shape of the model.",
    why=(
        "Embeddings, attention projections and feed-forward matrices sum to the parameter count, so the shape and "
        "the count check each other: a halved number of layers, an intermediate size of four times the hidden size "
        "where there is none, an expert too many. `total_computed_b` and `active_computed_b` are that sum and must "
        "agree. Published counts are rounded, leave embeddings out or add a vision tower: beyond 3 % the rule asks "
        "for a note. Hybrid shapes are not summed, since a record does not hold their recurrent layers."
    ),
    reference="https://arxiv.org/abs/2001.08361",
    formula=(
        "2 V h (V h if tied) + layers x (attention + 3 h i, or 2 h i without a gate) + mixture layers x (experts + "
        "shared) x 3 h i_moe = total; active with experts_per_token in the place of experts"
    ),
    tolerance=(
        "1 % of the computed counts (84 models of the ledger: at most 0.4 %), 3 % of the published ones (no total "
        "of the ledger is off by more; six active counts are, each with its note)."
    ),
    kinds=("model",),
    other_levels=(Level.WARNING,),
    check=check,
)
