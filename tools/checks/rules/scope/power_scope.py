"""Power of one accelerator filed as that of the deployment, or the reverse."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.point import operating_point
from tools.checks.rule import Fault, Ledger, Record, Rule, Skip
from tools.checks.rules.scope.draw import EACH, WHOLE, draw_faults
from tools.finding import Level


def check(record: Record, ledger: Ledger) -> Iterator[Fault | Skip]:
    yield from draw_faults(operating_point(record), ledger)


RULE = Rule(
    name="power-scope",
    level=Level.ERROR,
    summary="Power is of one accelerator where the deployment is meant, or the reverse.",
    why=(
        "Telemetry gives one reading per accelerator; averaged over them and taken for the node, energy per token "
        "comes out too small by their number. A part's rated power tells the two apart: one part does not average "
        "more than it is rated for, and several parts that serve draw more than one is rated for. A reading at the "
        "plug includes host, fans and network, so only a reading of the accelerators is held to their rating."
    ),
    reference="CortexLM/cortex#166, SemiAnalysisAI/InferenceX#2323, SemiAnalysisAI/InferenceX#2553",
    formula=(
        "power_w_per_accelerator <= 1.1 x TDP and power_w <= 1.1 x accelerators x TDP unless the basis is the plug or "
        "the facility; power_w >= 1.2 x TDP (or the set limit) from 4 accelerators on; "
        "power_w = power_w_per_accelerator x accelerators"
    ),
    tolerance=(
        "1.1, 1.2 and 3 %. In 838 runs of the ML.ENERGY leaderboard mean power is 0.27 to 0.99 of the rating per "
        "accelerator, and with four or more of them at least 1.83 times the rating of one"
    ),
    kinds=("benchmark",),
    needs=((EACH, WHOLE),),
    check=check,
)
