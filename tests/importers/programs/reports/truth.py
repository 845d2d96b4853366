"""A run whose truth is known, and changes of what programs wrote of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Run:
    """A run in which every request is like the others: rates and latencies follow from these."""

    requests: int = 200
    concurrency: int = 8
    sent: int = 512
    got: int = 128
    ttft_ms: float = 80.0
    tpot_ms: float = 10.0

    @property
    def e2e_ms(self) -> float:
        """TTFT + TPOT x (tokens - 1)."""
        return self.ttft_ms + self.tpot_ms * (self.got - 1)

    @property
    def seconds(self) -> float:
        """As long as the requests take that are always in flight."""
        return self.requests / self.concurrency * self.e2e_ms / 1000

    @property
    def rate(self) -> float:
        """Requests per second."""
        return self.requests / self.seconds


def nested(value: Any, path: str, leaf: Any) -> Any:
    """A copy with one member set; `object` takes it away."""
    key, _, below = path.partition("/")
    step: Any = int(key) if isinstance(value, list) else key
    copy = list(value) if isinstance(value, list) else dict(value)
    if below:
        copy[step] = nested(copy[step] if isinstance(copy, list) or step in copy else {}, below, leaf)
    elif leaf is object:
        del copy[step]
    else:
        copy[step] = leaf
    return copy


def changed(value: Any, changes: dict[str, Any]) -> Any:
    """A copy with members set or taken away by their path."""
    for path, leaf in changes.items():
        value = nested(value, path, leaf)
    return value
