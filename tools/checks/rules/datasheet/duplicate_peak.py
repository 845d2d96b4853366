"""Two peaks of one record that nothing tells apart."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules.datasheet import peaks as of
from tools.finding import Level
from tools.roofline import accelerator


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    if "peaks" not in record.value:
        return
    first: dict[tuple[str, bool, bool, str | None], int] = {}
    for peak in accelerator(record.value).peaks:
        what = (peak.precision, peak.is_matrix, peak.is_dense, peak.accumulate)
        earlier = first.setdefault(what, peak.index)
        if earlier != peak.index:
            yield Fault(
                of.pointer(peak, "precision"),
                f"a {'dense' if peak.is_dense else '2:4'} {peak.precision} peak of the "
                f"{'matrix' if peak.is_matrix else 'vector'} units stands at /peaks/{earlier} already",
                "state what tells them apart (`sparsity`, `accumulate`, `unit_kind`), or keep the other value under "
                "`disputed`",
            )


RULE = Rule(
    name="duplicate-peak",
    level=Level.ERROR,
    summary="A peak of one format stands twice in an accelerator record.",
    why=(
        "Limits are computed from the one dense matrix peak of a format. A second one is a sparse rate without its "
        "mark, a rate with another accumulator, or a value of a source that disagrees, which belongs under "
        "`disputed` of the first. Whichever of two is taken, half of the readers would have taken the other."
    ),
    reference="Lightning-AI/pytorch-lightning#21743",
    formula="precision, unit_kind, sparsity and accumulate differ between any two peaks",
    kinds=("accelerator",),
    check=check,
)
