"""An accelerator named by its family."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.checks.variants import meant_by
from tools.finding import Level
from tools.records.parse import Json

_ACCELERATOR = "accelerator"
_SHOWN = 4


def check(record: Record, ledger: Ledger) -> Iterator[Fault]:
    for pointer, expected, name in ledger.references(record):
        if expected != _ACCELERATOR or pointer.startswith("/audit/"):
            continue
        kinds = ledger.kinds(name)
        if kinds and (_ACCELERATOR not in kinds or not _is_family(ledger.value(name))):
            continue
        meant = meant_by(name, ledger)
        if meant:
            listed = ", ".join(f"`{other}`" for other in meant[:_SHOWN])
            more = f" and {len(meant) - _SHOWN} more" if len(meant) > _SHOWN else ""
            yield Fault(
                pointer,
                f"`{name}` could be {listed}{more}",
                "name the one whose form factor and memory the source states; if it states neither, file an "
                f"accelerator record `{name}-unspecified`, which no limit is computed from",
            )


def _is_family(value: dict[str, Json] | None) -> bool:
    """Whether an accelerator record leaves open which card it is: neither form factor nor memory capacity."""
    memory = value.get("memory") if value else None
    has_capacity = isinstance(memory, dict) and "capacity" in memory
    return value is not None and "form_factor" not in value and not has_capacity


RULE = Rule(
    name="accelerator-variant-ambiguous",
    level=Level.ERROR,
    summary="An accelerator is named by its family, and several cards could be meant.",
    why=(
        "A user of the PCIe card could not reach a table that had been measured on the SXM card and said only H100: "
        "bandwidth differs by 1.7 between the two, power by 2. Limits are computed from the accelerator record, so a "
        "run names the very card, with form factor and memory size. Where the source does not say, the variant stays "
        "unknown under an id that says so (`...-unspecified`), never under the likeliest card."
    ),
    reference="NVIDIA/TensorRT-LLM#6294, NVIDIA/TensorRT-LLM#281, meta-pytorch/tritonbench#78",
    formula=(
        "an accelerator id is a record with a form factor or memory capacity; a name that is none, all of whose words "
        "are in the ids of two or more accelerator records, is ambiguous"
    ),
    tolerance="none",
    kinds=("benchmark",),
    check=check,
)
