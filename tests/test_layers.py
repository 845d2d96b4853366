"""Imports point one way: a room may look only at the rooms below it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "tools"
MAY_IMPORT = {
    "finding": set(),
    "errors": set(),
    "records": {"finding", "errors"},
    "schema": {"records", "finding", "errors"},
    "roofline": {"schema", "records", "finding", "errors"},
    "audit": {"schema", "records", "finding", "errors"},
    "checks": {"audit", "roofline", "schema", "records", "finding", "errors"},
    "importers": {"audit", "schema", "records", "finding", "errors"},
    "sweep": {"roofline", "audit", "schema", "records", "finding", "errors"},
    "gaps": {"audit", "roofline", "schema", "records", "finding", "errors"},
    "warehouse": {"sweep", "checks", "audit", "roofline", "schema", "records", "finding", "errors"},
    "cli": {
        "gaps",
        "warehouse",
        "sweep",
        "importers",
        "checks",
        "audit",
        "schema",
        "records",
        "finding",
        "errors",
    },
    "__main__": {"cli"},
    "__init__": set(),
}
MODULES = sorted(PACKAGE.rglob("*.py"))


def room(path: Path) -> str:
    first = path.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


def imported_rooms(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.append(node.module)
    return {name.split(".")[1] for name in names if name.startswith("tools.")}


def test_every_room_is_listed() -> None:
    assert {room(path) for path in MODULES} == set(MAY_IMPORT)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_down(path: Path) -> None:
    own = room(path)
    assert imported_rooms(path) - {own} <= MAY_IMPORT[own]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_the_output_module_knows_rich(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert path.name == "output.py" or ("import rich" not in text and "from rich" not in text)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_says_why_it_exists(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
