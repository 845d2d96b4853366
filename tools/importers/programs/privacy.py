"""The last look at a draft before it is filed: a text that looks like a path, a host, an address or a key is taken out.

The readers copy no such member on purpose. What stands in the place of a harmless one is seen here, for all formats
alike; that something was left out is told, and the text is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tools.importers.draft import Draft
from tools.importers.programs.spelling import is_public
from tools.importers.tree import Tree


def drop_private(draft: Draft) -> None:
    """Takes private texts out of fields and results; a mapping that is empty then goes too."""
    places = [*_dropped(draft.fields, "")]
    for index, result in enumerate(draft.results):
        places += _dropped(result, f"/results/{index}")
    _tell(draft, places)


def drop_private_absences(draft: Draft) -> None:
    """Takes private texts out of what a draft declares absent."""
    for condition, absence in draft.absences.items():
        _tell(draft, _dropped(absence, f"/absent/{condition}"))


def _tell(draft: Draft, places: Iterable[str]) -> None:
    for place in places:
        draft.remark(f"what would stand at {place} looks like a path, a host or a key: left out")


def _dropped(tree: dict[str, Tree], above: str) -> Iterator[str]:
    for key, value in list(tree.items()):
        place = f"{above}/{key}"
        if isinstance(value, dict):
            yield from _dropped(value, place)
            if not value:
                del tree[key]
        elif isinstance(value, str) and not is_public(value):
            del tree[key]
            yield place
