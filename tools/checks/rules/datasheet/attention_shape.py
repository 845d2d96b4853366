"""Numbers of an architecture that cannot stand together."""

from __future__ import annotations

from collections.abc import Iterator

from tools.checks.quantity import shown
from tools.checks.rule import Fault, Ledger, Record, Rule
from tools.finding import Level
from tools.roofline import Model, model

_WIDTHS = 0.5, 4.0


def check(record: Record, _: Ledger) -> Iterator[Fault]:
    if "attention" in record.value or "feed_forward" in record.value:
        found = model(record.value)
        yield from _heads(found)
        yield from _layers(found)
        yield from _experts(found)
        yield from _width(found)


def _heads(found: Model) -> Iterator[Fault]:
    shape = found.attention
    heads, shared = shape.heads, shape.kv_heads
    if not heads or not shared:
        return
    at = "/attention/kv_heads"
    if shared > heads:
        yield Fault(
            at, f"{shared} key-value heads for {heads} query heads", "the two may have changed places"
        )
    elif heads % shared:
        yield Fault(
            at,
            f"{heads} query heads cannot be shared out among {shared} key-value heads",
            "a count that is split over parallel ranks is not that of the model",
        )
    elif (shape.kind == "mha" and shared != heads) or (shape.kind == "mqa" and shared != 1):
        yield Fault(
            at,
            f"`{shape.kind}` has {heads if shape.kind == 'mha' else 1} key-value heads, not {shared}",
            "correct the kind of attention or the number of heads",
        )
    elif shape.kind == "gqa" and shared in (1, heads) and heads > 1:
        kind = "mqa" if shared == 1 else "mha"
        yield Fault(
            "/attention/kind", f"{heads} query and {shared} key-value heads are `{kind}`", "name it so"
        )


def _layers(found: Model) -> Iterator[Fault]:
    layers, shape = found.layers, found.attention
    if layers is None:
        return
    parts = {
        "/attention/windowed_layers": shape.windowed_layers or 0,
        "/attention/full_cache_layers": shape.full_cache_layers or 0,
        "/feed_forward/leading_dense_layers": found.feed_forward.leading_dense_layers or 0,
    }
    for at, part in parts.items():
        if part > layers:
            yield Fault(at, f"{part} of {layers} layers", "a part of the layers cannot be more than all")
            return
    together = (shape.windowed_layers or 0) + (shape.full_cache_layers or 0)
    if together > layers:
        yield Fault(
            "/attention/full_cache_layers",
            f"{shape.windowed_layers} windowed and {shape.full_cache_layers} full layers are more than {layers}",
            "a layer keeps a window or a full cache",
        )


def _experts(found: Model) -> Iterator[Fault]:
    shape = found.feed_forward
    if shape.experts and (shape.experts_per_token or 0) > shape.experts:
        yield Fault(
            "/feed_forward/experts_per_token",
            f"a token uses {shape.experts_per_token} of {shape.experts} experts",
            "the two may have changed places",
        )


def _width(found: Model) -> Iterator[Fault]:
    shape, hidden = found.attention, found.hidden_size
    # Queries that come from a latent are as wide as it pleases.
    if shape.heads and shape.head_dim and hidden and not shape.q_lora_rank:
        ratio = shape.heads * shape.head_dim / hidden
        if not _WIDTHS[0] <= ratio <= _WIDTHS[1]:
            yield Fault(
                "/attention/head_dim",
                f"{shape.heads} heads x {shape.head_dim} = {shape.heads * shape.head_dim}, {shown(ratio)} times the "
                f"hidden size of {hidden}",
                "look at the three; the field for the width of a head means nothing in latent attention",
                level=Level.WARNING,
            )


RULE = Rule(
    name="attention-shape",
    level=Level.ERROR,
    summary="Heads, layers or experts of a model contradict each other.",
    why=(
        "Key-value heads divide query heads, the kind of attention follows from their numbers, and windowed or dense "
        "layers are a part of all. These numbers set the size of the cache, and public tools have them wrong in ways "
        "that show here: 71 key-value heads for a model that has one, heads counted per parallel rank, pairs of "
        "layers counted as one. A width of all heads far from the hidden size is unusual rather than impossible, "
        "and a warning."
    ),
    reference="https://arxiv.org/abs/2305.13245",
    formula=(
        "kv_heads divides heads (mha: equal, mqa: 1); windowed_layers + full_cache_layers <= layers; "
        "experts_per_token <= experts; 0.5 <= heads x head_dim / hidden_size <= 4"
    ),
    tolerance="The width of all heads over the hidden size is 0.76 to 3 on the models of the ledger.",
    kinds=("model",),
    other_levels=(Level.WARNING,),
    check=check,
)
