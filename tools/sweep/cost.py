"""What a step costs, in units of one plain decode step of the target at batch 1.

A cost model is an object with the two methods of `CostModel`. `constant` is the study's own: proposing costs
c a token, verifying the same at any batch and any gamma. That is the assumption on which every statement of the
study about batch sizes rests.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from tools.errors import InternalError
from tools.sweep.config import Study


class CostModel(Protocol):
    """Time of the two kinds of step."""

    def plain_step(self, batch_size: int) -> float:
        """Time of a step that emits one token for each request of the batch."""

    def speculative_step(self, batch_size: int, gamma: float) -> float:
        """Time of a step that proposes gamma tokens for each request and verifies them."""

    def formula(self) -> str:
        """The time of a speculative step over that of a plain one, as a reader writes it."""


@dataclass(frozen=True, slots=True)
class ConstantCost:
    """1 + c gamma at any batch; `draft_cost_ratio` is c, the cost of one proposed token."""

    draft_cost_ratio: float

    def plain_step(self, batch_size: int) -> float:  # noqa: ARG002 - the assumption: no influence
        """Always 1."""
        return 1.0

    def speculative_step(self, batch_size: int, gamma: float) -> float:  # noqa: ARG002 - as above
        """The verifying pass, and gamma proposals."""
        return 1.0 + self.draft_cost_ratio * gamma

    def formula(self) -> str:
        """1 + c gamma, with the value of c."""
        return f"1 + {self.draft_cost_ratio:g} gamma"


def cost_model(study: Study) -> CostModel:
    """The cost model that a study names."""
    if study.cost_model == "constant":
        return ConstantCost(study.draft_cost_ratio)
    raise InternalError(f"no cost model `{study.cost_model}`, though the schema of configurations knows it")
