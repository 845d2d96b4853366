"""Where rules stayed silent because a fact is missing, for a person: by rule and by what it lacked.

One missing bandwidth silences a rule about every run on that part, so the fact is told once, with the number of places
and the first of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tools.checks.outcome import Skipped
from tools.checks.reports.words import Style, counted, flat, plain, unstyled

SHOWN = 3
"""Places listed of one missing fact; of more, the rest are counted."""


def skips_text(skips: Iterable[Skipped], style: Style = unstyled) -> Iterator[str]:
    """Lines on every missing fact, the rules in the order of their names."""
    groups: dict[tuple[str, str], list[Skipped]] = {}
    for skip in skips:
        groups.setdefault((skip.rule, skip.lacks), []).append(skip)
    if not groups:
        yield "no rule lacked a fact"
        return
    rule = ""
    for (name, lacks), members in sorted(groups.items()):
        if name != rule:
            rule = name
            yield f"{style('silent', 'info')}  {style(rule, 'strong')}"
        records = len({skip.file for skip in members})
        places = f"{counted(len(members), 'place')} in {counted(records, 'file')}"
        yield f"  {style('lacks:', 'info')} {flat(lacks)} {style(f'({places})', 'dim')}"
        for skip in members[:SHOWN]:
            yield f"    {style(plain(skip.file), 'file')} {plain(skip.pointer)}".rstrip()
        if len(members) > SHOWN:
            yield f"    {style(f'and {len(members) - SHOWN:,} more; --format json has them all', 'dim')}"
