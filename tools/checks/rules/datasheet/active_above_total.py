"""A model that reads more parameters than it has, or all of a mixture."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.quantity import number, shown
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.finding import Level


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    parameters = record.get("/parameters")
    if not isinstance(parameters, dict):
        return
    for active, total in (("active_b", "total_b"), ("active_computed_b", "total_computed_b")):
        read, stored = number(parameters.get(active)), number(parameters.get(total))
        if read is None or stored is None:
            continue
        if read > stored:
            yield Fault(
                f"/parameters/{active}",
                f"{shown(read)} x 10^9 parameters are active of {shown(stored)} x 10^9 in total",
                "the two may have changed places",
            )
        elif read == stored and _chooses(record):
            yield Fault(
                f"/parameters/{active}",
                f"all {shown(stored)} x 10^9 parameters are active, though a token uses "
                f"{shown(record.get('/feed_forward/experts_per_token'))} of "  # type: ignore[arg-type]
                f"{shown(record.get('/feed_forward/experts'))} experts",  # type: ignore[arg-type]
                "file the parameters that one token reads as active_b",
            )


def _chooses(record: Record) -> bool:
    experts = number(record.get("/feed_forward/experts"))
    used = number(record.get("/feed_forward/experts_per_token"))
    return experts is not None and used is not None and used < experts


RULE = Rule(
    name="active-above-total",
    level=Level.ERROR,
    summary="Active parameters are more than the total, or all of a mixture of experts.",
    why=(
        "Active parameters are those that one token reads, a part of all: fewer in a mixture of experts, as many in "
        "a dense model, never more. The two set different limits (the active ones how fast tokens can come, the "
        "total how much memory is needed), so swapped or equal counts make a mixture seem impossible where it is "
        "ordinary, or the reverse."
    ),
    reference="https://arxiv.org/abs/2401.04088",
    formula="active_b <= total_b; active_b < total_b where experts_per_token < experts",
    kinds=("model",),
    check=check,
)
