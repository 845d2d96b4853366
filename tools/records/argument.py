"""A value from the command line, read as it would be in a record.

One value of the same strict YAML: `24525` is a number, `"0.10"` text, `[a, b]` a list, `{id: vllm}` a mapping.
JSON is such a value too. What would be read as something else than was probably meant is refused: text with
`: ` or ` #` in it needs quotes here as in a file.
"""

from __future__ import annotations

from tools.errors import ToolsError
from tools.records.comments import find_comments
from tools.records.graft import bare
from tools.records.parse import parse
from tools.records.tree import Collection, Node

_QUOTE = "text with `: ` or ` #` in it, or with several lines, stands in double quotes: '\"Note: a remark\"'"


def read_argument(text: str) -> Node:
    """The node of a value, with the digits of its numbers. Raises `ToolsError` for what is not one value."""
    document = parse(text.encode("utf-8", "surrogateescape"))
    if document.broken and not text.strip():
        raise ToolsError(
            "an empty value", "empty text is written '\"\"'; `--remove POINTER` takes a value away"
        )
    if document.problems:
        problem = document.problems[0]
        raise ToolsError(f"`{text}` is not a value: {problem.message}", problem.hint)
    node = document.page.root.node
    if isinstance(node, Collection) and not node.is_flow:
        what = "mapping" if node.is_mapping else "list"
        raise ToolsError(f"`{text}` is read as a {what} without brackets", _QUOTE)
    if find_comments(document.text, document.page):
        raise ToolsError(f"`{text}` is read as a value and a comment", _QUOTE)
    if not isinstance(node, Collection):
        if node.value is None:
            raise ToolsError(
                f"`{text}` says that there is no value",
                "`--remove POINTER` takes one away; text needs quotes",
            )
        if node.start.line != node.end.line and not node.is_block:
            raise ToolsError(
                "the lines of this value would be read as one", "write line breaks as \\n, in double quotes"
            )
    return bare(node)
