"""Names of accelerators that stand for several records: a family where a rule needs one card.

`h100` is no record, and three are meant by it: SXM, PCIe and NVL differ by 1.7 in bandwidth and by 2 in power.
"""

from __future__ import annotations

import re

from tools.checks.rule import Ledger

_WORDS = re.compile(r"[a-z]+[0-9]*[a-z0-9]*|[0-9]+[a-z]*")
_FILLERS = frozenset({"gpu", "card", "accelerator"})
_OPEN = "unspecified"


def meant_by(name: str, ledger: Ledger) -> list[str]:
    """The accelerator records that a name may mean, when there are several: their ids have all its words.

    Empty for a name of one record, of none, and for an id that says itself that the variant is not known.
    """
    words = _words(name)
    if not words or _OPEN in words:
        return []
    found = [other for other in ledger.ids("accelerator") if other != name and words <= _words(other)]
    return found if len(found) > 1 else []


def _words(name: str) -> frozenset[str]:
    return frozenset(_WORDS.findall(name.casefold())) - _FILLERS
