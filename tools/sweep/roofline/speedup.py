"""Speedup and break-even of speculation at any array of operating points.

    speedup = tau T_verify(B, 1) / (T_verify(B, n) + T_draft + T_sp)
    T_verify(B, n) = T_lin + T_att + T_tp + t_0 + B t_r,   T_sp = t_sp + B t_spr
    A_be = (cost - 1) / gamma,   cost = (T_verify(B, n) + T_draft + T_sp) / T_verify(B, 1)

A, the accepted share of gamma proposals, gives tau = 1 + gamma A, so speculation pays exactly where A > A_be.
"""

from __future__ import annotations

from dataclasses import dataclass

from tools.sweep.roofline.draft import Draft, Load
from tools.sweep.roofline.network import Array, Whole
from tools.sweep.roofline.parameters import Parameters
from tools.sweep.roofline.shape import Shape
from tools.sweep.roofline.steps import Machine, Pass, one_pass


@dataclass(frozen=True, slots=True)
class Times:
    """Times of a plain and of a speculative step in seconds; `plain_pass` and `verify_pass` have their parts."""

    gamma: Array
    plain: Array
    verify: Array
    draft: Array
    speculation: Array
    plain_pass: Pass
    verify_pass: Pass

    @property
    def speculative(self) -> Array:
        """The whole speculative step."""
        return self.verify + self.draft + self.speculation

    @property
    def cost(self) -> Array:
        """A speculative step over a plain one: the tau from which speculation pays."""
        return self.speculative / self.plain

    @property
    def break_even(self) -> Array:
        """A_be; above 1 nothing that is accepted can pay."""
        return (self.cost - 1) / self.gamma

    def speedup(self, emitted: Array) -> Array:
        """tau over the cost of the step."""
        return emitted / self.cost


@dataclass(frozen=True)
class Setting:
    """What is the same for all points of a curve: target, machine, draft, shape of the proposal and constants."""

    target: Whole
    machine: Machine
    draft: Draft
    shape: Shape
    constants: Parameters

    def times(self, batch: Array, gamma: Array, context: Array) -> Times:
        """The times at each point; the arrays broadcast against each other."""
        shared = self.constants.step_s + self.constants.request_s * batch
        plain = self.plain_pass(batch, context)
        verify = one_pass(
            self.target, self.machine, self.constants, batch, self.shape.positions(gamma), context
        )
        plain_s = plain.total + shared
        load = Load(batch, gamma, context, plain_s)
        return Times(
            gamma,
            plain_s,
            verify.total + shared,
            self.draft.time(load, self.shape, self.machine, self.constants),
            self.constants.speculation_s + self.constants.speculation_request_s * batch,
            plain,
            verify,
        )

    def plain_pass(self, batch: Array, context: Array) -> Pass:
        """The pass of a plain step."""
        return one_pass(self.target, self.machine, self.constants, batch, batch * 0 + 1, context)

    def speedup(self, batch: Array, gamma: Array, context: Array, q: Array) -> Array:
        """The speedup where every request has the same q."""
        return self.times(batch, gamma, context).speedup(self.shape.emitted(q, gamma))

    def compute_share(self, batch: Array, context: Array) -> Array:
        """phi: the share of a plain step that its linear arithmetic would take alone."""
        made = self.plain_pass(batch, context)
        rate = self.machine.peak * self.machine.count * self.constants.compute_efficiency
        shared = self.constants.step_s + self.constants.request_s * batch
        return batch * (self.target.operations / rate) / (made.total + shared)
