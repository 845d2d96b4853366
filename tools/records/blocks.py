"""From a tree of nodes to lines of text: the canonical form that `tools.records.layout` describes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tools.records.comments import is_for_editors
from tools.records.spelling import folded_lines, literal_lines, spell_number, spell_text
from tools.records.tree import Collection, Entry, Node, Page, Scalar

WIDTH = 100
"""Columns of a line; only text that cannot be broken, and comments, go beyond."""

_STEP = 2


@dataclass(frozen=True, slots=True)
class KeyOrder:
    """The order of a mapping's keys, each with the order inside its value; for a list, that of its items."""

    keys: Mapping[str, KeyOrder | None] = field(default_factory=dict)
    items: KeyOrder | None = None
    rank: Mapping[str, int] = field(init=False, repr=False, compare=False)
    """The place of each key among the others."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "rank", {key: number for number, key in enumerate(self.keys)})


UNORDERED = KeyOrder()


def page_text(page: Page, order: KeyOrder) -> str:
    """The whole text, with one line end at its end."""
    root = page.root
    lines = list(page.header)
    if isinstance(root.node, Collection) and root.node.entries:
        if not all(map(is_for_editors, lines)):
            lines.append("")
        lines += _block(root.node, order, 0)
    else:
        lines += root.lead
        lines += _with_note(line_beside(root.node, order, 0, 0) or [], root.note)
    return "\n".join([*lines, *page.footer, ""])


def _block(node: Collection, order: KeyOrder, indent: int) -> list[str]:
    lines: list[str] = []
    for entry in _in_order(node, order):
        lines += entry_lines(entry, order_inside(entry, order), indent)
    return lines + _indented(node.tail, indent)


def entry_lines(entry: Entry, order: KeyOrder, indent: int) -> list[str]:
    """The lines of one entry, with the comments above and beside it; `order` is that inside its value."""
    node = entry.node
    if entry.key is None:
        entry.lead += _take_first_lead(node, order)
    head = " " * indent + ("-" if entry.key is None else f"{spell_text(entry.key)}:")
    beside = line_beside(node, order, len(head) + 1, indent)
    if beside is not None:
        below = node.tail if isinstance(node, Collection) else []
        written = _with_note([f"{head} {beside[0]}", *beside[1:]], entry.note[-1:])
        return [*_indented([*entry.lead, *entry.note[:-1], *below], indent), *written]
    if isinstance(node, Scalar):
        raise TypeError("a single value always has a line")
    inside = _block(node, order, indent + _STEP)
    if entry.key is not None:
        opening = _with_note([head], entry.note[-1:])
        return [*_indented([*entry.lead, *entry.note[:-1]], indent), *opening, *inside]
    # What an inner item moved above its own dash moves above this one too.
    content = next(number for number, line in enumerate(inside) if not line.lstrip().startswith("#"))
    above = [line.strip() for line in inside[:content]]
    first_line = head + inside[content][indent + 1 :]
    return [*_indented([*entry.lead, *entry.note, *above], indent), first_line, *inside[content + 1 :]]


def _take_first_lead(node: Node, order: KeyOrder) -> list[str]:
    """Takes the comments above the first entry of an item: it stands beside the dash, with no room between."""
    taken: list[str] = []
    while isinstance(node, Collection) and node.entries:
        first = _in_order(node, order)[0]
        taken += first.lead
        first.lead = []
        if first.key is not None:
            break
        node, order = first.node, order_inside(first, order)
    return taken


def line_beside(node: Node, order: KeyOrder, column: int, indent: int) -> list[str] | None:
    """What stands beside a key or dash that ends before `column`, and the lines of a text block below it.

    None for a collection that must be written as a block.
    """
    if isinstance(node, Scalar):
        return _scalar(node, column, indent)
    if not node.entries:
        return ["{}" if node.is_mapping else "[]"]
    flow = _flow(node, order)
    return [flow] if flow is not None and column + len(flow) <= WIDTH else None


def _scalar(node: Scalar, column: int, indent: int) -> list[str]:
    if not isinstance(node.value, str):
        return [_spell(node)]
    block = literal_lines(node.value)
    if block is not None:
        indicator, lines = block
        return [indicator, *_indented(lines, indent + _STEP)]
    spelled = spell_text(node.value)
    if column + len(spelled) > WIDTH:
        folded = folded_lines(node.value, WIDTH - indent - _STEP)
        if folded is not None:
            return [">-", *_indented(folded, indent + _STEP)]
    return [spelled]


def _flow(node: Collection, order: KeyOrder) -> str | None:
    """The collection in brackets, or None if it holds more than single values on one line."""
    if node.tail:
        return None
    for entry in node.entries:
        inner = entry.node
        if entry.lead or entry.note or isinstance(inner, Collection):
            return None
        if isinstance(inner.value, str) and "\n" in inner.value:
            return None
    return flow_text(node, order)


def flow_text(node: Node, order: KeyOrder) -> str:
    """Any value on one line, collections in brackets at all depths; comments are not written."""
    if isinstance(node, Scalar):
        return _spell(node, in_flow=True)
    content = ", ".join(flow_entry(entry, order) for entry in _in_order(node, order))
    return f"{{{content}}}" if node.is_mapping else f"[{content}]"


def flow_entry(entry: Entry, order: KeyOrder) -> str:
    """One entry of a collection in brackets; `order` is that of the collection."""
    key = "" if entry.key is None else f"{spell_text(entry.key, in_flow=True)}: "
    return key + flow_text(entry.node, order_inside(entry, order))


def _spell(node: Scalar, in_flow: bool = False) -> str:
    value = node.value
    if isinstance(value, str):
        return spell_text(value, in_flow)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return node.spelling or spell_number(value)


def _in_order(node: Collection, order: KeyOrder) -> list[Entry]:
    if not node.is_mapping or not order.keys:
        return node.entries
    rank, last = order.rank.get, len(order.rank)
    return sorted(node.entries, key=lambda entry: rank(entry.key or "", last))


def order_inside(entry: Entry, order: KeyOrder) -> KeyOrder:
    inside = order.items if entry.key is None else order.keys.get(entry.key)
    return inside or UNORDERED


def _with_note(lines: list[str], note: Iterable[str]) -> list[str]:
    return ["  ".join([lines[0], *note]), *lines[1:]]


def _indented(lines: Iterable[str], indent: int) -> list[str]:
    return [" " * indent + line if line else "" for line in lines]
