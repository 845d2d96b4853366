"""A shader rate filed as the matrix peak."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.quantity import shown
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.rules.datasheet import peaks as of
from tools.finding import Level
from tools.roofline import accelerator
from tools.roofline.accelerator import TERA

_TOLERANCE = 0.02


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    if "peaks" not in record.value:
        return
    shaders = [
        peak
        for peak in accelerator(record.value).peaks
        if not peak.is_matrix and peak.is_dense and peak.precision in ("fp32", "fp16", "bf16")
    ]
    dense = of.dense(record)
    for precision in ("fp16", "bf16"):
        peak = dense.get(precision)
        if peak is None or record.text(of.pointer(peak, "note")):
            continue
        same = next((one for one in shaders if abs(peak.rate / one.rate - 1) <= _TOLERANCE), None)
        if same is not None:
            yield Fault(
                of.pointer(peak),
                f"the {precision} matrix peak of {shown(peak.rate / TERA)} is the {same.precision} rate of the "
                f"shaders, {shown(same.rate / TERA)}",
                "general card data bases list shader rates only; take the matrix rate from the maker, or file this "
                "one as `unit_kind: vector`",
            )


RULE = Rule(
    name="shader-peak-as-matrix",
    level=Level.WARNING,
    summary="A 16-bit matrix peak equals the rate of the shaders.",
    why=(
        "General data bases of graphics cards list the rate of the shader units and call it the FP16 or FP32 "
        "performance. A serving engine multiplies on the matrix units, which are at least twice as fast on every "
        "part that has them, so a limit computed from the shader rate accuses honest runs. An equal value is the "
        "trace of such a table; a part whose matrix units really are no faster says so in the `note` of the peak."
    ),
    reference="https://github.com/huggingface/huggingface.js/blob/main/packages/tasks/src/hardware.ts",
    formula="fp16 or bf16 matrix peak differs from the fp32, fp16 and bf16 vector peaks",
    tolerance="2 %, the rounding of tables; no part of the ledger is nearer than a factor of 2.",
    kinds=("accelerator",),
    check=check,
)
