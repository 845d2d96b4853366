"""The physical constants of the roofline: efficiencies, the sharpness of its corner, and the overheads of an engine.

Values are those tried by hand on measured speculative-decoding curves before any fit (docs/sweep.md has what they
reach). A calibration replaces them with `dataclasses.replace`; every field carries its symbol, its unit and where
its value comes from.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from tools.errors import ToolsError

_BY_HAND = "tried by hand on measured curves of speculative decoding, docs/sweep.md"
_NO_TERM = "no overhead until a calibration finds one"


def _constant(default: float, symbol: str, unit: str, source: str) -> Any:
    return field(default=default, metadata={"symbol": symbol, "unit": unit, "source": source})


@dataclass(frozen=True, slots=True)
class Parameters:
    """Constants of one engine on one accelerator. Efficiencies are shares of the peaks that the records state.

    Raises `ToolsError` for a value that nothing physical can have.
    """

    corner: float = _constant(1.5, "p", "1", _BY_HAND)
    """Exponent of the norm of memory and arithmetic time: 1 adds them, infinity takes the longer one."""
    memory_efficiency: float = _constant(0.85, "e_m", "1", _BY_HAND)
    compute_efficiency: float = _constant(0.70, "e_f", "1", _BY_HAND)
    cache_efficiency: float = _constant(0.90, "e_kv", "1", _BY_HAND)
    attention_share: float = _constant(0.6, "e_a / e_f", "1", _BY_HAND)
    """Arithmetic efficiency of attention over that of the linear layers."""
    link_latency_s: float = _constant(8e-6, "alpha", "s", _BY_HAND)
    step_s: float = _constant(0.6e-3, "t_0", "s", _BY_HAND)
    """Overhead of any step."""
    draft_s: float = _constant(0.25e-3, "t_d", "s", _BY_HAND)
    """Overhead of one forward pass of a draft."""
    speculation_s: float = _constant(0.0, "t_sp", "s", _NO_TERM)
    """Further overhead of a speculative step."""
    request_s: float = _constant(0.0, "t_r", "s", _NO_TERM)
    """Overhead of any step for each request in it."""
    speculation_request_s: float = _constant(0.0, "t_spr", "s", _NO_TERM)
    """Further overhead of a speculative step for each request in it."""

    def __post_init__(self) -> None:
        for constant in fields(self):
            value, name = getattr(self, constant.name), constant.name
            if name.endswith("_s"):
                sound, range_ = math.isfinite(value) and value >= 0, "0 or more, in seconds"
            elif name == "corner":
                sound, range_ = value >= 1, "1 or more"
            else:
                sound, range_ = 0 < value <= 1, "above 0 and at most 1"
            if not sound:
                symbol = constant.metadata["symbol"]
                raise ToolsError(
                    f"{name} ({symbol}) is {value:g}", f"nothing physical has it: it must be {range_}"
                )

    @property
    def attention_efficiency(self) -> float:
        """e_a, the share of the arithmetic peak that attention reaches."""
        return self.attention_share * self.compute_efficiency


ENGINES: Mapping[str, Parameters] = {
    "sglang": Parameters(step_s=0.6e-3),
    "vllm": Parameters(step_s=1.2e-3),
    # What the spec sheets alone allow, with memory and arithmetic one after the other: no engine is as quick.
    "ideal": Parameters(1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0),
}
"""Constants by class of engine."""


def engine_parameters(name: str) -> Parameters:
    """The constants of an engine class. Raises `ToolsError` with the nearest name for one that is not known."""
    if name not in ENGINES:
        from tools.schema.spelling import listed, nearest, proposal

        near = nearest(name, list(ENGINES))
        raise ToolsError(
            f"no engine class `{name}` has constants{proposal(near)}", f"there is {listed(ENGINES, 'and')}"
        )
    return ENGINES[name]
