"""Input and output length exchanged."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.point import operating_point
from tools.checks.quantity import shown
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules.workload.lengths import swapped
from tools.finding import Level


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    found = swapped(operating_point(record))
    if found is None:
        return
    yield Fault(
        found.asked_input.pointer,
        f"{found.asked_input.text} of input and {found.asked_output.text} of output were asked for, but a request "
        f"had {shown(found.input.value)} and {shown(found.output.value)}",
        "the two look exchanged: read the raw counts of the run, cite them, and correct both in one audit entry",
    )


RULE = Rule(
    name="isl-osl-swapped",
    level=Level.ERROR,
    summary="The nominal input and output length are exchanged.",
    why=(
        "Pairs such as 1k8k and 8k1k travel in file names and column headers, and importers fall back to the name "
        "where the row is silent. A long answer to a short prompt and a short answer to a long prompt are opposite "
        "workloads: one is all decoding, the other nearly all prefill. Both sides have to fit the other's label; "
        "where only one does, the prompts may have grown over the turns of a conversation, which is another question."
    ),
    reference="SemiAnalysisAI/InferenceX-app (lengths from a file name), intel/ipex-llm#9137",
    formula=(
        "measured input = nominal output and measured output = nominal input, and not each its own; measured: the "
        "stated mean, or tokens / completed requests"
    ),
    tolerance="5 % for each side",
    kinds=("benchmark",),
    needs=(("/conditions/input_length",), ("/conditions/output_length",)),
    check=check,
)
