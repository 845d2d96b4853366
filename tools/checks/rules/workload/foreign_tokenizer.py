"""Tokens of one model counted with the tokenizer of another."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from tools.checks.point import operating_point
from tools.checks.rule import Fault, Ledger, Record, Rule, Skip
from tools.finding import Level
from tools.records.parse import Json
from tools.schema.vocabulary import vocabulary

_REFERENCE = "reference_tok_s"
_PER_TOKEN = ("token rate", "time per token", "energy per token", "tokens per energy", "tokens")


def check(record: Record, ledger: Ledger) -> Iterator[Fault | Skip]:
    tokenizer = record.text("/client/tokenizer")
    if tokenizer is None or record.get("/client/count_side") != "client":
        return
    counted = dict.fromkeys(
        figure.metric for figure in operating_point(record).figures if figure.metric in _counts_tokens()
    )
    model_id = record.text("/model_id")
    model = ledger.value(model_id) if model_id else None
    if not counted or model is None:
        return
    own = model.get("tokenizer")
    names = (own, model.get("hf_id"), model.get("name"), model_id, record.get("/model_label"))
    if _plain(tokenizer) in {_plain(name) for name in names if name}:
        return
    other = ledger.value(tokenizer) or {}
    if not isinstance(own, str):
        yield Skip("/client/tokenizer", f"`tokenizer` in the record of the model `{model_id}`")
    elif _plain(other.get("tokenizer")) != _plain(own):
        yield Fault(
            "/client/tokenizer",
            f"the client counted with `{tokenizer}`, and {model_id} has the tokenizer `{own}`: its tokens are not "
            f"those of {', '.join(counted)}",
            f"take the server's count, or file the rate as {_REFERENCE}, which says that the tokens are another's",
        )


@cache
def _counts_tokens() -> frozenset[str]:
    """Metrics that change with the tokenizer."""
    words = vocabulary()
    units = {name for name, unit in words.units.items() if unit.dimension in _PER_TOKEN}
    found = {metric.name for metric in words.metrics.values() if not units.isdisjoint(metric.units)}
    return frozenset({"tpot_ms", *found} - {_REFERENCE})


def _plain(name: Json) -> str:
    """A tokenizer's or model's name without its owner and case."""
    return name.rpartition("/")[2].casefold() if isinstance(name, str) else ""


RULE = Rule(
    name="foreign-tokenizer",
    level=Level.ERROR,
    summary="The tokens of a model were counted with another model's tokenizer.",
    why=(
        "Two well-known clients count the text of every provider with one fixed tokenizer. That is fair between "
        "endpoints, and it is not the model's tokens per second: a vocabulary of 151,000 entries needs fewer tokens "
        "for the same text than one of 32,000. The tokenizer of the client is of no importance where the server "
        "counted. A rate in foreign tokens has a metric of its own, `reference_tok_s`."
    ),
    reference="ray-project/llmperf README, triton-inference-server/perf_analyzer#563",
    formula=(
        "client.count_side = client and client.tokenizer is neither the model's `tokenizer` nor the model itself "
        "(id, name, hf_id), nor a model record with the same tokenizer"
    ),
    tolerance="none: names are compared without owner and case",
    kinds=("benchmark",),
    needs=(("/client/tokenizer",),),
    check=check,
)
