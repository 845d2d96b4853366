"""The measuring clients that the vocabulary knows, and what each calls inter-token latency.

`vocabulary.schema.json` has them as the enumeration `client`: `x-names` are further spellings, `x-itl-definition` a
word of `definition_variant`, left out where the version or backend decides, `x-reference` where that can be read up.
The client of a benchmark stays free text; a name that is not in the list is simply not known.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from tools.schema.load import documents


class Client(NamedTuple):
    """One client: its word, its title, its ITL definition (None where the name alone does not settle it)."""

    name: str
    title: str
    itl_definition: str | None
    reference: str


def client(name: str) -> Client | None:
    """The client of a name or another spelling of it, whatever its capitals; None for one that is not listed."""
    return _by_spelling().get(name.strip().casefold())


@cache
def _by_spelling() -> dict[str, Client]:
    found: dict[str, Client] = {}
    for branch in documents()["vocabulary"]["$defs"]["client"]["oneOf"]:
        known = Client(
            branch["const"], branch["title"], branch.get("x-itl-definition"), branch["x-reference"]
        )
        for spelling in (branch["const"], branch["title"], *branch["x-names"]):
            found[spelling.casefold()] = known
    return found
