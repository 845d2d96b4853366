"""The roofline in plain numbers: what bandwidth, arithmetic and memory allow.

Base units throughout: bytes, bytes per second, operations per second, seconds, tokens. Upper bounds of rates and lower
bounds of times; nothing here has an efficiency in it. The model is that of Williams, Waterman and Patterson (Roofline,
CACM 52(4), 2009), applied to decoding as in Pope et al. (Efficiently Scaling Transformer Inference, 2022): a step
reads every weight it uses once, whatever the batch, and each token costs two operations for each parameter.
"""

from __future__ import annotations

OPERATIONS_PER_PARAMETER = 2
"""One multiply and one add for each parameter and token."""


def step_time(read: float, bandwidth: float, accelerators: float = 1) -> float:
    """The shortest time of one pass in seconds: the bytes it reads over the bandwidth of all accelerators."""
    return read / (bandwidth * accelerators)


def decode_rate(
    batch: float,
    read: float,
    bandwidth: float,
    accelerators: float = 1,
    tokens_per_step: float = 1,
    cache: float = 0,
) -> float:
    """The highest output rate in tok/s that bandwidth allows `batch` requests.

    `read` are the bytes of weights that one step reads at least, `cache` those of the cache of one request. It holds
    for any parallel layout: replicas read the weights once each, and pipelines do not read faster.
    """
    return batch * tokens_per_step / step_time(read + batch * cache, bandwidth, accelerators)


def token_rate(parameters: float, peak: float, accelerators: float = 1) -> float:
    """The highest token rate in tok/s that arithmetic allows: peak over two operations for each parameter.

    `parameters` are those that take part in each token; attention over the context comes on top and is left out, so
    the bound holds.
    """
    return peak * accelerators / (OPERATIONS_PER_PARAMETER * parameters)


def prefill_time(tokens: float, parameters: float, peak: float, accelerators: float = 1) -> float:
    """The shortest time in seconds to process `tokens` prompt tokens."""
    return tokens / token_rate(parameters, peak, accelerators)


def ridge_point(peak: float, bandwidth: float) -> float:
    """Operations per byte at which a part turns from bandwidth-bound to compute-bound."""
    return peak / bandwidth


def memory_need(weights: float, replicas: float = 1, requests: float = 0, cache: float = 0) -> float:
    """Bytes that must be resident at least: the weights of every full replica, and the cache of each request."""
    return weights * replicas + requests * cache
