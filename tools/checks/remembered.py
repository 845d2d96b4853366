"""What is found out about a record once, for all the rules that ask in turn.

A rule is asked about every record of a batch before the next rule is (`tools.checks.inspect`), so answers are kept for
as many records as a batch has. `forget` drops them with the batch: a record must not outlive it, since a hostile
one takes megabytes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, ParamSpec, TypeVar

RECORDS = 64
"""Records of which answers are kept at a time; beyond it the oldest are found out anew."""

Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")

_forgetting: list[Callable[[], Any]] = []


def remembered(answers: int = 1) -> Callable[[Callable[Asked, Answer]], Callable[Asked, Answer]]:
    """Keeps what a function of a record answers, and `answers` of them where it is asked more than one thing."""

    def keep(find: Callable[Asked, Answer]) -> Callable[Asked, Answer]:
        kept = lru_cache(maxsize=answers * RECORDS)(find)
        _forgetting.append(kept.cache_clear)
        return kept  # type: ignore[return-value]

    return keep


def forget() -> None:
    """Drops every answer, and with them the records they were about."""
    for clear in _forgetting:
        clear()
