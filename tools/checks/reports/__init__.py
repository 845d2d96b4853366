"""How a finished run is told: to a reviewer, to a program, to a code host, to a build server.

Every format is a module with one pure function, `render(report, rules, style)`: it gives the whole text and
prints nothing. `FORMATS` names them all; a format's module is imported when it is used. Which format, to what
stream and with what exit code, is left to the command.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias

from tools.checks.reports.words import Style, unstyled
from tools.checks.rule import Rule

if TYPE_CHECKING:
    from tools.checks.run import Report

Renderer: TypeAlias = "Callable[[Report, Mapping[str, Rule], Style], str]"
"""(report, rules by name, style) to text that ends its last line; formats without colour ignore `style`."""


def _when_used(name: str) -> Renderer:
    def render(report: Report, rules: Mapping[str, Rule], style: Style = unstyled) -> str:
        text: str = import_module(f"{__name__}.{name}").render(report, rules, style)
        return text

    return render


FORMATS: Mapping[str, Renderer] = {
    name: _when_used(name) for name in ("text", "json", "sarif", "github", "junit")
}
