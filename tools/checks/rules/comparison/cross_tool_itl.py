"""Inter-token latencies of two clients that mean different things by it."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.rule import Fault, Ledger, Record, Rule, Skip
from tools.checks.sides import COMPARED, Side, comparisons
from tools.finding import Level
from tools.schema.clients import client

_ITL = "itl_ms"
_OTHER = "other"


def check(record: Record, ledger: Ledger) -> Iterator[Fault | Skip]:
    for comparison in comparisons(record, ledger):
        first, second = comparison.first, comparison.second
        if comparison.metric != _ITL or first.point is None or second.point is None:
            continue
        one, other = _definition(first), _definition(second)
        if one is None or other is None:
            lacking = (first if one is None else second).point
            assert lacking is not None
            yield Skip(
                comparison.pointer,
                f"how the client counts: `definition_variant` beside {_ITL} in `{lacking.record.id}`",
            )
        elif one != other:
            yield Fault(
                second.pointer,
                f"{_called(first)} measures ITL as {one}, {_called(second)} as {other}",
                "compare tpot_ms, which is (latency - TTFT) / (tokens - 1) in every client",
            )


def _definition(side: Side) -> str | None:
    """The definition that the result states, else the one that its client is known for; `other` is told in words."""
    assert side.point is not None
    for figure in side.point.of(_ITL):
        stated = figure.result.get("definition_variant")
        if stated == _OTHER:
            stated = figure.result.get("definition")
        if isinstance(stated, str):
            return stated
    name = side.text("client.name")
    known = client(name) if name else None
    return known.itl_definition if known else None


def _called(side: Side) -> str:
    name, version = side.text("client.name"), side.text("client.version")
    if name is None:
        return f"the client of {side.name}"
    return f"{name} {version}" if version else name


RULE = Rule(
    name="cross-tool-itl",
    level=Level.WARNING,
    summary="Inter-token latencies are compared that were not defined alike.",
    why=(
        "When a stream event carries several tokens, one client takes one sample for the event, one divides the gap "
        "by its tokens, one repeats the quotient per token, one adds zeros, and one keeps a single average per "
        "request. Medians and tails of the same stream then differ several-fold, most of all with speculative "
        "decoding. An ITL may be compared only with one of the same definition, which `definition_variant` states; "
        "where it does not, the definition that a client is known for stands in for it (see `client` in the "
        "vocabulary). TPOT has one formula everywhere."
    ),
    reference="vllm-project/guidellm#1145, sgl-project/sglang#1340, kubernetes-sigs/inference-perf#637",
    formula="comparison of itl_ms: `definition_variant`, or that of the client, is equal on both sides",
    tolerance="none",
    kinds=("benchmark",),
    needs=(COMPARED,),
    check=check,
)
