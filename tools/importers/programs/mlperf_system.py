"""The system description of an MLPerf submission (`systems/SYSTEM.json`): accelerators, nodes, framework.

Counts are numbers or text, and an empty text says nothing. The framework names a stack; the engine is taken where it
names one engine and no other, and its version is the word after it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tools.importers.programs.content import Content, ContentError, Digits
from tools.importers.programs.nested import text_of
from tools.importers.programs.point import Point

_ENGINES = {
    "vllm": re.compile(r"(?i)\bvllm[ -]v?([0-9][0-9a-z.+]*)"),
    "sglang": re.compile(r"(?i)\bsglang[ -]v?([0-9][0-9a-z.+]*)"),
    "tensorrt-llm": re.compile(
        r"(?i)\btensorrt[- ]?llm[ -]v?([0-9][0-9a-z.+]*)|\btrtllm[ -]v?([0-9][0-9a-z.+]*)"
    ),
}
_NAMED = re.compile(r"(?i)vllm|sglang|tensorrt|trtllm")
_NOTHING = frozenset({"", "n/a", "none", "tbd", "todo", "unset"})


def state_system(point: Point, content: Content) -> None:
    """States what the description says. Raises `ContentError` for a file that is none."""
    system = content.only
    if system is None or "accelerator_model_name" not in system:
        raise ContentError("the file of --log is no system description: it has no accelerator_model_name")
    draft = point.draft
    part = _said(system, "accelerator_model_name")
    per_node, nodes = _counted(system, "accelerators_per_node"), _counted(system, "number_of_nodes")
    if part is None or per_node == 0:
        point.lack(
            "hardware", "the system has no accelerator: its processors ran the model", reason="not_applicable"
        )
    else:
        point.accelerators([part])
        draft.put("/hardware/accelerators_per_node", per_node)
        if per_node and nodes:
            draft.put("/hardware/accelerator_count", per_node * nodes)
    draft.put("/hardware/nodes", nodes or None)
    draft.put("/hardware/system_name", _said(system, "system_name"))
    draft.put("/hardware/host_processor", _said(system, "host_processor_model_name"))
    draft.put("/software/operating_system", _said(system, "operating_system"))
    framework = _said(system, "framework")
    draft.put("/software/framework", framework)
    if framework is not None:
        _engine(point, framework)


def _engine(point: Point, framework: str) -> None:
    found = {name: match for name, pattern in _ENGINES.items() if (match := pattern.search(framework))}
    named = {word.lower() for word in _NAMED.findall(framework)}
    if len(found) != 1 or len(named) != 1:
        point.lack(
            "engine_version",
            "the framework of the system description does not name one engine and its version",
        )
        return
    ((name, match),) = found.items()
    if point.engine(name):
        point.draft.put("/engine/version", next(group for group in match.groups() if group))


def _said(system: Mapping[str, Any], key: str) -> str | None:
    text = text_of(system.get(key))
    return None if text is None or text.lower() in _NOTHING else text


def _counted(system: Mapping[str, Any], key: str) -> int | None:
    value = system.get(key)
    number = Digits(value).number if isinstance(value, str) else None
    return int(number.value) if number is not None and number.value == int(number.value) >= 0 else None
