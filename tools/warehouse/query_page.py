"""docs/queries.md: every saved question from the header of its file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tools.warehouse.query_file import Query

_HEAD = """# Saved questions

Written by `tools generate` from the headers of `queries/*.sql`; do not edit.

`tools query NAME [--PARAMETER VALUE]...` asks one of the warehouse that `tools build` makes. Every answer comes with
the records it rests on, the records that were left out with the reason, and what the ledger cannot say.
`tools query NAME --describe` prints what stands here.
"""


def queries_page(queries: Mapping[str, Query]) -> str:
    """The page."""
    listed = [f"- [`{name}`](#{name}): {query.title}" for name, query in queries.items()]
    pages = [line for query in queries.values() for line in _page(query)]
    return "\n".join([_HEAD, *listed, *pages]) + "\n"


def _page(query: Query) -> Iterator[str]:
    yield from ("", f"## {query.name}", "", f"**{query.title}.** {query.question}")
    if query.parameters:
        yield from ("", "| parameter | type | default | meaning |", "| --- | --- | --- | --- |")
        for each in query.parameters:
            default = "has to be given" if each.default is None else each.default
            yield f"| `{each.option}` | {_cell(each.type)} | {_cell(default)} | {_cell(each.meaning)} |"
    yield from ("", "| column | unit | meaning |", "| --- | --- | --- |")
    for column in query.columns:
        yield f"| `{column.name}` | {'' if column.unit == '-' else column.unit} | {_cell(column.meaning)} |"
    for head, items in (
        ("It cannot say when", query.cannot_say),
        ("Left out", query.dropped),
        ("Notes", query.notes),
    ):
        if items:
            yield from ("", f"{head}:", "", *(f"- {item}" for item in items))


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
